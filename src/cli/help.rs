//! `farrier help`

use std::io::Write;

use clap::CommandFactory;

use super::{Cli, Done, Exit, Format, Stop};
use crate::diagnostic::nearest;

/// The reference of the language.
const LANGUAGE: &str = include_str!("../../games/language.md");

/// What commands print for programs.
const JSON: &str = include_str!("json.md");

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A command, `language`, `json`, or a heading of that page or one of its words, such as `effects` or `betza`
    topic: Option<String>,
}

/// Prints help.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        return Err(Stop::usage("`help` is for people"));
    }
    let mut all = Cli::command();
    all.build();
    let mut names: Vec<String> = all.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    names.extend(["language", "json"].map(str::to_owned));
    let command = match args.topic.as_deref() {
        None => Some(&mut all),
        Some(topic) => all.find_subcommand_mut(topic),
    };
    let topic = args.topic.as_deref().unwrap_or_default();
    let text = match topic {
        "language" => Some(LANGUAGE),
        "json" => Some(JSON),
        _ => section(topic),
    };
    match (command, text) {
        (Some(command), _) => write!(out, "{}", command.render_long_help().ansi())?,
        (None, Some(text)) => write!(out, "{text}")?,
        (None, None) => {
            let parts: Vec<String> = headings().map(|(.., words)| words).collect();
            let near = nearest(topic, names.iter().chain(&parts).map(String::as_str));
            let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            let known = names.join(", ");
            let message = format!(
                "there is no help on `{topic}`{near} (there is on {known}, and on the headings of `language`)"
            );
            return Err(Stop::usage(message));
        }
    }
    Ok(Exit::Fine)
}

/// Words in small letters, joined as the anchors of a page are.
fn joined(text: &str) -> String {
    let text = text.to_lowercase().replace('\'', "");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The headings of the reference: where each begins, how deep it is, and its words joined.
fn headings() -> impl Iterator<Item = (usize, usize, String)> {
    let mut fenced = false;
    let mut at = 0;
    LANGUAGE.split_inclusive('\n').filter_map(move |line| {
        let begin = at;
        at += line.len();
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        let depth = line.len() - title.len();
        (depth > 0 && !fenced).then(|| (begin, depth, joined(title)))
    })
}

/// The part of the reference under a heading: that one, or else the first that has a word, or begins so.
fn section(topic: &str) -> Option<&'static str> {
    let topic = joined(topic);
    let parts = || headings().filter(|(_, depth, _)| *depth > 1 && !topic.is_empty());
    let (begin, depth, _) = (parts().find(|(.., words)| *words == topic))
        .or_else(|| parts().find(|(.., words)| words.split('-').next() == Some(&topic)))
        .or_else(|| parts().find(|(.., words)| words.split('-').any(|word| word == topic)))
        .or_else(|| parts().find(|(.., words)| words.starts_with(&topic)))?;
    let mut all = headings().skip_while(|(at, ..)| *at <= begin);
    let end = all.find(|(_, other, _)| *other <= depth).map_or(LANGUAGE.len(), |(begin, ..)| begin);
    LANGUAGE.get(begin..end)
}
