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
    let Some(topic) = args.topic.as_deref() else {
        write!(out, "{}", all.render_long_help().ansi())?;
        return Ok(Exit::Fine);
    };
    if topic == "language" {
        write!(out, "{LANGUAGE}")?;
        return Ok(Exit::Fine);
    }
    let mut names: Vec<String> = all.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    if let Some(command) = all.find_subcommand_mut(topic) {
        write!(out, "{}", command.render_long_help().ansi())?;
        return Ok(Exit::Fine);
    }
    if let Some(section) = section(topic) {
        write!(out, "{section}")?;
        return Ok(Exit::Fine);
    }
    names.push("language".to_owned());
    let parts: Vec<String> = headings().map(|(_, _, word)| word).collect();
    let near = nearest(topic, names.iter().chain(&parts).map(String::as_str));
    let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
    Err(Stop::Usage(format!("there is no help on `{topic}`{near} (there is on {})", names.join(", "))))
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
