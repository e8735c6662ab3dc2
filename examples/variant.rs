//! A variant that is written here, not in a file, and how it differs from the shipped game that it extends: by
//! its rules, by the first line of play that shows it, by games of random play.
//!
//! `cargo run --example variant`

use std::error::Error;

use farrier::compare::{Contestant, Pairs, Plan, compare, play_all};
use farrier::diff::diff;
use farrier::distinguish::{Search, Side, distinguish};
use farrier::shipped::Shipped;
use farrier::source::{MemoryFiles, Sources};
use farrier::variant::Variant;

/// Camels leap further.
const CAMELS: &str = r#"
name    = "Camels and Pawns"
extends = "knights-and-pawns"

[relations]
leap.or = "leap 1,3"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    // What is not in memory is a shipped game.
    let files = (MemoryFiles::default().with("./camels.toml", CAMELS), Shipped);
    let variants: [Variant; 2] = ["knights-and-pawns".parse()?, "./camels.toml".parse()?];
    let mut sources = Sources::default();
    let contestants = Contestant::load_all(&variants, &files, &mut sources)?;
    let (a, b) = (&contestants[0].game, &contestants[1].game);

    for difference in diff(a, b, &[], &sources)?.differences {
        println!("rules: {}", difference.sentence);
    }

    let side = |i: usize| Side { variant: &variants[i], game: &contestants[i].game, sources: &sources };
    let report = distinguish(&side(0), &side(1), &files, &Search::default(), &|_| true)?;
    if let Some(found) = report.difference {
        println!("play: after {} plies they differ in {:?}", found.line.len(), found.what);
    }

    let mut plan = Plan { games: 200, ..Plan::default() };
    plan.rules.looks = false;
    let tallies = play_all(&contestants, &plan)?;
    let found = compare(&contestants, &tallies, &plan, &["length".to_owned()], Pairs::WithFirst);
    for sentence in found.verdict {
        println!("games: {sentence}");
    }
    Ok(())
}
