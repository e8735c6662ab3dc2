//! Notes for reading the figures: games that were cut, decisions that were never used, the games behind each figure.

use super::lead;
use super::model::{Comparison, HeatKind, VariantResult};
use super::selfplay::RANDOM_PLIES;
use super::words::each;
use crate::wording::{count, many};

/// Notes for reading the figures. `leads` says whether metrics that ask who is ahead are wanted.
pub(super) fn notes(c: &Comparison, unlooked: &[u64], leads: bool) -> Vec<String> {
    let mut out = Vec::new();
    if c.settings.is_random() {
        out.push(
            "Where no level is named the games are random: they show what the rules allow, not what good players do."
                .to_owned(),
        );
    }
    if let [first, ..] = &c.settings.levels[..] {
        let (games, each) = (count(c.settings.level_games), each(c));
        let plies = many(u64::from(RANDOM_PLIES), "random ply");
        out.push(format!(
            "Games at a level ({games} of each {each}) are of one agent against itself, after {plies}: so that no \
             two need be alike. {first} thinks least."
        ));
    }
    let (trained, guessed): (Vec<&VariantResult>, Vec<_>) =
        c.variants.iter().partition(|v| v.weights.is_some());
    if !c.settings.levels.is_empty() && !trained.is_empty() && !guessed.is_empty() {
        let [trained, guessed] = [trained, guessed]
            .map(|list| listed(&list.iter().map(|v| format!("`{}`", v.variant)).collect::<Vec<_>>()));
        out.push(format!(
            "Agents were trained for {trained}, and guess what is good in {guessed}: what differs at a level may be \
             how well they play, not what the rules do. `farrier train` trains them."
        ));
    }
    for v in &c.variants {
        let unused: Vec<&str> =
            v.decisions.iter().filter(|d| d.used == 0).map(|d| d.decision.as_str()).collect();
        if !unused.is_empty() {
            let (name, unused, games) = (&v.variant, unused.join(", "), many(v.watched, "watched game"));
            out.push(format!("In `{name}` nobody ever made {unused} in {games}."));
        }
    }
    out.extend(c.variants.iter().filter_map(never_reached));
    for (variant, unlooked) in c.variants.iter().zip(unlooked) {
        let name = &variant.variant;
        let cut = variant.outcomes.iter().find(|o| o.outcome == "unfinished").map_or(0, |o| o.games);
        if cut > 0 {
            let (cut, plies) = (many(cut, "game"), many(c.settings.plies.into(), "ply"));
            out.push(format!(
                "Cut short: {cut} of `{name}`, at {plies}. Its lengths are at least what stands here."
            ));
        }
        if *unlooked > 0 {
            let games = many(*unlooked, "game");
            out.push(format!(
                "In {games} of `{name}` looking ahead would have taken too long: of that nothing counts for only \
                 wins and only defences."
            ));
        }
        for option in &variant.option_uses {
            let (Some(why), option) = (&option.apart, &option.option) else { continue };
            out.push(format!("What {option} does in `{name}` is not seen move by move: without it {why}."));
        }
    }
    let bounded = c.variants.iter().filter(|v| v.estimates.values().any(|e| e.at_least));
    let bounded: Vec<String> = bounded.map(|v| format!("`{}`", v.variant)).collect();
    if !bounded.is_empty() {
        out.push(format!(
            "So many of the openings of {} are unseen that their diversity is only known to be at least what \
             stands here, and is not compared: a smaller `--opening` or more games help.",
            listed(&bounded)
        ));
    }
    if leads && c.variants.iter().all(|v| v.leads.is_empty()) {
        out.push(
            "Nothing says who is ahead (no score is counted, and no playouts were asked), so there are no lead \
             changes, no drama and no settled part; `--leads 100` asks them."
                .to_owned(),
        );
    }
    let asked = c.settings.leads.max(c.settings.level_leads);
    if asked > 0 && c.variants.iter().any(|v| v.margins.is_none() && !v.leads.is_empty()) {
        out.push(format!(
            "Where no score is counted, {} from each position say who is ahead, for all agents alike: who would get \
             at least {} points of 1 more than any other.",
            many(asked.into(), "random game"),
            lead::LEAD
        ));
    }
    if let Some(strongest) = c.settings.levels.last().filter(|_| c.settings.watch > 0) {
        out.push(format!(
            "Who is ahead, only wins, only defences and puzzles at a level are of at most {} of each {} by {strongest}.",
            many(c.settings.level_watch.min(c.settings.level_games), "game"),
            each(c)
        ));
    }
    out
}

/// The sites to which no piece came in any watched game, where pieces came to others.
fn never_reached(v: &VariantResult) -> Option<String> {
    let map = v.heat.iter().find(|map| map.kind == HeatKind::Landed && map.player.is_none())?;
    let sites = v.board.sites.iter().zip(&map.values);
    let never: Vec<String> = sites.filter(|(_, n)| **n == 0.0).map(|(site, _)| site.name.clone()).collect();
    let some = !never.is_empty() && never.len() < map.values.len();
    let (sites, games) = (listed(&never), many(v.watched, "watched game"));
    some.then(|| format!("In `{}` no piece ever came to {sites} in {games}.", v.variant))
}

/// The first of some words, and how many more there are.
fn listed(words: &[String]) -> String {
    match words.len().saturating_sub(3) {
        0 => words.join(", "),
        more => format!("{} and {more} more", words.get(..3).unwrap_or(words).join(", ")),
    }
}
