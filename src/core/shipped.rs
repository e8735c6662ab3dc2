//! The games that come with Farrier, embedded so that the program stands alone.

use include_dir::{Dir, include_dir};

use crate::source::{FileError, Files};

static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// The shipped definitions by name, without folder and ending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipped;

impl Shipped {
    /// Their names, in order.
    pub fn list() -> Vec<String> {
        let paths = GAMES.files().filter_map(|f| f.path().to_str()?.strip_suffix(".toml"));
        let mut names: Vec<String> = paths.map(str::to_owned).collect();
        names.sort();
        names
    }

    /// The picture of a kind of piece, in a field of 40 by 40: what stands between `<svg>` and `</svg>`.
    pub fn picture(kind: &str) -> Option<&'static str> {
        let file = GAMES.get_file(format!("pictures/{kind}.svg"))?.contents_utf8()?;
        let (_, inside) = file.split_once('>')?;
        inside.split_once("</svg>").map(|(inside, _)| inside.trim())
    }

    /// The fitted weights that come with a game, as a text.
    pub fn weights(name: &str) -> Option<String> {
        let file = GAMES.get_file(format!("weights/{name}.toml"))?;
        file.contents_utf8().map(str::to_owned)
    }
}

impl Files for Shipped {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let file = GAMES.get_file(format!("{path}.toml")).ok_or(FileError::Missing)?;
        let text =
            file.contents_utf8().ok_or_else(|| FileError::Unreadable("it is no UTF-8 text".to_owned()))?;
        Ok(text.to_owned())
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}
