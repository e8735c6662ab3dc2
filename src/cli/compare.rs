//! `farrier compare`

use std::io::Write;

use super::files::draft::{self, Draft};
use super::selfplay::{self, SelfPlayArgs};
use super::{Done, Exit, Format, Stop};
use crate::compare::shard::{MAX_SHARDS, Part};
use crate::compare::{self, Pairs, Shard};

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
    /// Play only this part of the games, such as 3/64, for `farrier merge`
    #[arg(long, value_name = "K/N", value_parser = shard, requires = "out")]
    shard: Option<Shard>,
    /// Where the figures of the part go
    #[arg(long, value_name = "FILE", requires = "shard", conflicts_with_all = ["csv", "report"])]
    out: Option<String>,
    /// Find what these decisions, pieces or options are worth: further games at the strongest level in which one player
    /// may not use them (none: no such games) [default: what options add or change]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    restrict: Option<Vec<String>>,
    #[command(flatten)]
    play: SelfPlayArgs,
}

fn shard(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<u64>().ok();
    match text.split_once('/').map(|(which, of)| (number(which), number(of))) {
        Some((Some(number), Some(of))) if (1..=of).contains(&number) && of <= MAX_SHARDS => {
            Ok(Shard { number, of })
        }
        _ => Err(format!("which part of how many is expected, from 1/1 to {MAX_SHARDS}/{MAX_SHARDS}")),
    }
}

/// The rules that a player may not use in further games.
fn restrict(args: &Args) -> Result<Option<Vec<String>>, Stop> {
    let Some(words) = &args.restrict else { return Ok(None) };
    let names: Vec<String> = words.iter().filter(|word| *word != "none").cloned().collect();
    if !names.is_empty() && !args.play.has_levels()? {
        return Err(Stop::usage("--restrict needs an agent that thinks: name one with `--levels`"));
    }
    Ok(Some(names))
}

/// Plays games of each variant and tells how they differ.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let variants = args.variants.iter().map(|w| selfplay::variant(w)).collect::<Result<Vec<_>, _>>()?;
    let mut contestants = selfplay::contestants(&variants)?;
    let restrict = restrict(args)?;
    if args.play.has_levels()? {
        selfplay::restrict(&mut contestants, &variants, restrict.as_deref())?;
    }
    let mut plan = args.play.plan(&contestants, true)?;
    plan.shard = args.shard.unwrap_or_default();
    let pairs = if args.all_pairs { Pairs::All } else { Pairs::WithFirst };
    if let Some(path) = &args.out {
        Draft::begin(path).map(drop)?;
    }
    let tallies = args.play.play(&contestants, &plan)?;
    match &args.out {
        Some(path) => {
            let wanted = &args.play.metrics;
            let part =
                Part::new(&args.variants, &contestants, &plan, wanted, pairs, restrict.as_deref(), tallies);
            draft::write(path, part.write().into_bytes())?;
        }
        None => {
            let found = compare::compare(&contestants, &tallies, &plan, &args.play.metrics, pairs);
            args.play.results.tell(&found, format, out)?;
        }
    }
    Ok(Exit::Fine)
}
