//! `farrier list`

use std::io::Write;

use serde_json::json;

use super::{Done, Exit, Format, text};
use crate::definition::{self, Choices};
use crate::shipped::Shipped;
use crate::source::Sources;

/// Lists the shipped games.
pub(super) fn run(format: Format, out: &mut dyn Write) -> Done {
    let mut rows = Vec::new();
    let mut list = Vec::new();
    for name in Shipped::list() {
        let (found, _) = definition::load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let Some(game) = found else { continue };
        list.push(json!({
            "name": name,
            "title": game.title,
            "author": game.author,
            "summary": game.summary,
            "options": game.options.iter().map(|o| &o.name.text).collect::<Vec<_>>(),
        }));
        rows.push(vec![
            name,
            game.title.clone(),
            game.author.clone().unwrap_or_else(|| "-".to_owned()),
            game.options.len().to_string(),
            game.summary.clone().unwrap_or_default(),
        ]);
    }
    match format {
        Format::Json => writeln!(out, "{}", json!(list))?,
        Format::Text => {
            writeln!(out, "{}", text::table(&["name", "title", "author", "options", "summary"], rows))?;
        }
    }
    Ok(Exit::Fine)
}
