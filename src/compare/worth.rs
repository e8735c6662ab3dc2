//! The worth of rules: the points of a player who [goes without them](super::restrict).

use super::contestant::Contestant;
use super::model::{RestrictedPlay, Settings};
use super::sums::{Additive, Sum};
use super::tally::{Played, Tally};
use crate::statistics::{Moments, coin, t_tails};

/// The points of a player in games that were not cut: 1 for a win, an even share for a draw.
fn points(played: &Played, player: usize, sides: usize) -> Sum {
    let mut sum = Sum::default();
    let won = played.outcomes.get(player).copied().unwrap_or(0);
    let lost = played.games.saturating_sub(won + played.drawn() + played.cut());
    for (points, games) in [(1.0, won), (1.0 / sides as f64, played.drawn()), (0.0, lost)] {
        sum.add_times(points, games);
    }
    sum
}

/// The worth of each rule to a player who goes without it, not corrected yet.
pub(super) fn worths(c: &Contestant, tally: &Tally, settings: &Settings) -> Vec<RestrictedPlay> {
    let sides = c.game.program.sides();
    let Some(agent) = settings.levels.last() else { return Vec::new() };
    let seats: Vec<_> = c.restricted.iter().zip(&tally.restricted).collect();
    let rules = seats.chunk_by(|(a, _), (b, _)| a.what == b.what);
    let told = rules.filter_map(|seats| {
        let what = &seats.first()?.0.what;
        let sums: Vec<Sum> = seats.iter().map(|(seat, played)| points(played, seat.player, sides)).collect();
        let mut all = Sum::default();
        sums.iter().for_each(|sum| all.add_all(sum));
        let moments = all.moments()?;
        let estimate = |sum: &Sum| sum.moments().map(|m| m.estimate_share(settings.confidence));
        Some(RestrictedPlay {
            what: what.clone(),
            option: c.added_by(what).or(c.without(what).map(|_| what.as_str())).map(str::to_owned),
            agent: agent.clone(),
            points: moments.estimate_share(settings.confidence),
            by_player: sums.iter().map(|sum| estimate(sum).unwrap_or_default()).collect(),
            sides,
            p: apart_from(&moments, 1.0 / sides as f64),
            ..RestrictedPlay::default()
        })
    });
    told.collect()
}

/// The chance of a mean so far from a share, or farther, if that were the truth.
fn apart_from(found: &Moments, share: f64) -> f64 {
    match found.error2().sqrt() {
        // No spread, all won or all lost: as of an even coin.
        0.0 if found.mean == share => 1.0,
        0.0 => coin(0, found.n),
        error => t_tails((found.mean - share) / error, found.n.saturating_sub(1) as f64),
    }
}
