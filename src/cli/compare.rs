//! `farrier compare`

use std::io::Write;

use super::selfplay::{self, SelfPlayArgs};
use super::{Done, Exit, Format};
use crate::compare::{self, Pairs};

#[derive(clap::Args, Debug)]
#[command(after_help = selfplay::help())]
pub(super) struct Args {
    /// The variants, such as `my-game` and `my-game+option`: the others are compared with the first, and one
    /// alone is only measured
    #[arg(required = true, value_name = "VARIANT")]
    variants: Vec<String>,
    /// Compare each variant with each, not only with the first
    #[arg(long)]
    all_pairs: bool,
    #[command(flatten)]
    play: SelfPlayArgs,
}

/// Plays games of each variant and tells how they differ.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let plan = args.play.plan()?;
    let variants = args.variants.iter().map(|w| selfplay::variant(w)).collect::<Result<Vec<_>, _>>()?;
    let contestants = selfplay::contestants(&variants)?;
    let tallies = args.play.play(&contestants, &plan)?;
    let pairs = if args.all_pairs { Pairs::All } else { Pairs::WithFirst };
    let found = compare::compare(&contestants, &tallies, &plan, args.play.metrics(), pairs);
    args.play.tell(&found, format, out)?;
    Ok(Exit::Fine)
}
