//! `farrier help`

use std::io::Write;

use clap::CommandFactory;

use super::{Cli, Done, Exit, Stop};
use crate::diagnostic::nearest;

/// The reference of the language.
const LANGUAGE: &str = include_str!("../../games/language.md");

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A command, or `language`
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
    names.push("language".to_owned());
    let near = nearest(topic, names.iter().map(String::as_str));
    let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
    Err(Stop::Usage(format!("there is no help on `{topic}`{near} (there is on {})", names.join(", "))))
}
