//! `farrier list`

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::json;

use super::{Done, Exit, Format, text};
use crate::definition::{self, Choices};
use crate::shipped::Shipped;
use crate::source::Sources;

/// The heading of games that name no group. It stands last.
const UNGROUPED: &str = "Other games";
/// The width of a terminal.
const WIDTH: usize = 80;

/// Lists the shipped games.
pub(super) fn run(format: Format, out: &mut dyn Write) -> Done {
    let mut groups: BTreeMap<(bool, String), Vec<[String; 2]>> = BTreeMap::new();
    let mut list = Vec::new();
    for name in Shipped::list() {
        let (found, _) = definition::load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let Some(game) = found else { continue };
        list.push(json!({
            "name": name,
            "title": game.title,
            "author": game.author,
            "summary": game.summary,
            "group": game.group,
            "options": game.options.iter().map(|o| &o.name.text).collect::<Vec<_>>(),
        }));
        let heading = (game.group.is_none(), game.group.unwrap_or_else(|| UNGROUPED.to_owned()));
        groups.entry(heading).or_default().push([name, game.summary.unwrap_or_default()]);
    }
    if format == Format::Json {
        writeln!(out, "{}", json!(list))?;
        return Ok(Exit::Fine);
    }
    let names = groups.values().flatten().map(|[name, _]| name.chars().count());
    let column = names.max().unwrap_or_default() + 2;
    for (i, ((_, heading), games)) in groups.iter().enumerate() {
        writeln!(out, "{}{heading}\n", if i > 0 { "\n" } else { "" })?;
        for [name, summary] in games {
            let lines = text::wrapped(summary.split_whitespace(), &" ".repeat(column), WIDTH);
            writeln!(out, "{}", format!("{name:column$}{}", lines.trim_start()).trim_end())?;
        }
    }
    Ok(Exit::Fine)
}
