//! `farrier help`

use std::io::Write;

use clap::CommandFactory;

use super::{Cli, Done, Exit, Stop};
use crate::diagnostic::nearest;

/// The reference of the language.
const LANGUAGE: &str = include_str!("../../games/language.md");

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A command, `language`, or a heading of that page, such as `effects` or `betza`
    topic: Option<String>,
}

/// Prints help.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> Done {
    let mut all = Cli::command();
    all.build();
    let mut names: Vec<String> = all.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    names.push("language".to_owned());
    let command = match args.topic.as_deref() {
        None => Some(&mut all),
        Some(topic) => all.find_subcommand_mut(topic),
    };
    let topic = args.topic.as_deref().unwrap_or_default();
    let text = if topic == "language" { Some(LANGUAGE) } else { section(topic) };
    match (command, text) {
        (Some(command), _) => write!(out, "{}", command.render_long_help().ansi())?,
        (None, Some(text)) => write!(out, "{text}")?,
        (None, None) => {
            let parts: Vec<String> = headings().map(|(_, _, word)| word).collect();
            let near = nearest(topic, names.iter().chain(&parts).map(String::as_str));
            let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            let known = names.join(", ");
            return Err(Stop::usage(format!("there is no help on `{topic}`{near} (there is on {known})")));
        }
    }
    Ok(Exit::Fine)
}

/// The headings of the reference: where each begins, how deep it is, and the word by which it is asked for.
fn headings() -> impl Iterator<Item = (usize, usize, String)> {
    let mut fenced = false;
    let mut at = 0;
    LANGUAGE.split_inclusive('\n').filter_map(move |line| {
        let begin = at;
        at += line.len();
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        let depth = line.len() - title.len();
        let word = title.trim().to_lowercase().replace("'s", "");
        let word = word.split([' ', ',']).next().unwrap_or_default().to_owned();
        (depth > 0 && !fenced).then_some((begin, depth, word))
    })
}

/// The part of the reference under a heading.
fn section(topic: &str) -> Option<&'static str> {
    let mut all = headings().skip_while(|(_, depth, word)| *depth < 2 || word != topic);
    let (begin, depth, _) = all.next()?;
    let end = all.find(|(_, other, _)| *other <= depth).map_or(LANGUAGE.len(), |(begin, ..)| begin);
    LANGUAGE.get(begin..end)
}
