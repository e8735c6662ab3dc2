//! The games that come with Farrier, embedded so that the program stands alone.

use rust_embed::RustEmbed;

use crate::source::{FileError, Files};

#[derive(RustEmbed)]
#[folder = "games"]
struct Embedded;

/// The shipped definitions by name, without folder and ending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipped;

impl Shipped {
    /// Their names, in order.
    pub fn list() -> Vec<String> {
        let mut names: Vec<String> =
            Embedded::iter().filter_map(|f| f.strip_suffix(".toml").map(str::to_owned)).collect();
        names.sort();
        names
    }
}

impl Files for Shipped {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let file = Embedded::get(&format!("{path}.toml")).ok_or(FileError::Missing)?;
        String::from_utf8(file.data.into_owned())
            .map_err(|_| FileError::Unreadable("it is no UTF-8 text".to_owned()))
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}
