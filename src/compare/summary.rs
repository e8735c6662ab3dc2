//! The figures of a variant, from its sums.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::contestant::Contestant;
use super::model::{
    Beside, Bin, DecisionUse, EndShare, Estimate, FirstUse, FirstUses, HeatKind, HeatMap, Histogram, LeadAt,
    LevelResult, MetricKind, Offers, Opening, OpeningDepth, Openings, OptionUse, OutcomeShare, PlyBand,
    Puzzle, PuzzleKind, Quantiles, Settings, Step, Strength, VariantResult,
};
use super::ratio::Counted;
use super::sums::Counts;
use super::tally::{Played, Stepped, Tally, points};
use super::worth::worths;
use crate::drawing::plan::Plan;
use crate::ids::Site;
use crate::statistics::entropy::{diversity, entropy};
use crate::statistics::wilson;

/// The most bins of a histogram.
const MAX_BINS: i64 = 40;

/// How many openings and puzzles are told.
const MAX_LISTED: usize = 10;

/// The widths of histograms, common to all variants.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Widths {
    pub lengths: Range,
    pub turns: Range,
    pub margins: Range,
}

/// From where, how wide and how many.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    from: i64,
    width: i64,
    bins: i64,
}

impl Range {
    fn of<'c>(all: impl Iterator<Item = &'c Counts>) -> Range {
        let values = all.flat_map(Counts::iter).map(|(value, _)| value);
        let (low, high) = values.fold((i64::MAX, i64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return Range::default();
        }
        let span = high - low + 1;
        // Widths that people count in.
        let wide = |n: i64| [1, 2, 5].map(|m| m * 10i64.pow(n as u32));
        let fits = |w: &i64| (high.div_euclid(*w) - low.div_euclid(*w)) < MAX_BINS;
        let width = (0..9).flat_map(wide).find(fits).unwrap_or(span);
        let from = low.div_euclid(width) * width;
        Range { from, width, bins: (high - from) / width + 1 }
    }

    fn histogram(&self, values: &Counts) -> Histogram {
        let mut counts = vec![0; usize::try_from(self.bins).unwrap_or(0)];
        for (value, n) in values.iter() {
            let place = (value - self.from).checked_div(self.width).and_then(|p| usize::try_from(p).ok());
            if let Some(count) = place.and_then(|p| counts.get_mut(p)) {
                *count += n;
            }
        }
        let bins = (0..).zip(counts).map(|(i, count)| {
            let from = self.from + i * self.width;
            Bin { from, to: from + self.width - 1, count }
        });
        Histogram { bins: bins.collect(), quantiles: quantiles(values) }
    }
}

/// The common ranges of several variants.
pub(super) fn widths(tallies: &[Tally]) -> Widths {
    let range = |of: fn(&Tally) -> &Counts| Range::of(tallies.iter().map(of));
    Widths { lengths: range(|t| &t.lengths), turns: range(|t| &t.turns), margins: range(|t| &t.margins) }
}

fn quantiles(values: &Counts) -> Option<Quantiles> {
    let at = |share| values.quantile(share);
    Some(Quantiles {
        min: at(0.0)?,
        p5: at(0.05)?,
        p25: at(0.25)?,
        median: at(0.5)?,
        p75: at(0.75)?,
        p95: at(0.95)?,
        max: at(1.0)?,
    })
}

/// The estimate of each metric that the variant has.
pub(super) fn estimates(tally: &Tally, settings: &Settings) -> BTreeMap<String, Estimate> {
    let confidence = settings.confidence;
    let mut out = BTreeMap::new();
    for (key, row, sum, _) in tally.measured() {
        let estimate = match row.of.kind {
            MetricKind::Mean if row.is_share() => sum.moments().map(|m| m.estimate_share(confidence)),
            MetricKind::Mean => sum.moments().map(|m| counted(m.estimate(confidence))),
            MetricKind::Share => wilson(sum.ones(), sum.n, confidence),
            MetricKind::Whole => openness(tally, settings),
        };
        out.extend(estimate.map(|e| (key, e)));
    }
    out
}

/// How diverse the openings are.
pub(super) fn openness(tally: &Tally, settings: &Settings) -> Option<Estimate> {
    let counts: Vec<u64> = tally.openings().iter().map(|(_, n, _)| *n).collect();
    diversity(&counts, tally.about.openings, settings.confidence, settings.seed)
}

/// No count is below 0: where an interval would go there it ends. (A drama that is none may come out below, with all of
/// its interval.)
fn counted(e: Estimate) -> Estimate {
    Estimate { low: if e.value < 0.0 { e.low } else { e.low.max(0.0) }, ..e }
}

/// Who began, if it was the same player in all games.
fn first(tally: &Tally) -> Option<String> {
    let mut began = tally.firsts.iter().zip(&tally.about.players).filter(|(n, _)| **n > 0);
    let (_, player) = began.next()?;
    began.next().is_none().then(|| player.clone())
}

/// How the games of a series ended.
fn outcomes(played: &Played, players: &[String], confidence: f64) -> Vec<OutcomeShare> {
    let names = players.iter().map(String::as_str).chain(["draw", "unfinished"]);
    let told = names.zip(&played.outcomes).filter_map(|(name, games)| {
        let share = wilson(*games, played.games, confidence)?;
        Some(OutcomeShare { outcome: name.to_owned(), games: *games, share })
    });
    told.collect()
}

/// Why games ended, of so many that were looked at.
fn ends(played: &Played, games: u64, confidence: f64) -> Vec<EndShare> {
    let told = played.ends.iter().filter_map(|(end, lengths)| {
        let share = wilson(lengths.n, games, confidence)?;
        let length = counted(lengths.moments()?.estimate(confidence));
        Some(EndShare { end: end.clone(), games: lengths.n, share, length })
    });
    let mut all: Vec<EndShare> = told.collect();
    all.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.end.cmp(&b.end)));
    all
}

/// All that is told of a variant.
pub(super) fn summary(c: &Contestant, tally: &Tally, settings: &Settings, widths: &Widths) -> VariantResult {
    let game = &c.game;
    let confidence = settings.confidence;
    let players = &game.rules.players;
    let levels = tally.levels.iter().map(|(agent, played)| LevelResult {
        agent: agent.clone(),
        games: played.games,
        outcomes: outcomes(played, players, confidence),
        ends: ends(played, played.games, confidence),
    });
    let branching = branching(tally);
    let margins = (!tally.margins.is_empty()).then(|| widths.margins.histogram(&tally.margins));
    VariantResult {
        variant: c.name.clone(),
        title: game.definition.title.clone(),
        options: game.changed_options().into_iter().map(|(n, v)| (n.to_owned(), v.to_string())).collect(),
        players: players.clone(),
        sides: game.program.sides(),
        first: first(tally).filter(|_| !game.program.swaps_sides()),
        first_move: None,
        weights: game.weights_mark().map(|mark| mark.to_string()),
        games: tally.games(),
        watched: tally.watched,
        ends: ends(&tally.main, tally.watched, confidence),
        levels: levels.collect(),
        estimates: estimates(tally, settings),
        outcomes: outcomes(&tally.main, players, confidence),
        lengths: widths.lengths.histogram(&tally.lengths),
        turns: widths.turns.histogram(&tally.turns),
        margins,
        offers: offers(c, tally, &branching),
        branching,
        leads: leads(tally),
        board: Plan::of(&game.rules.board),
        heat: heat(c, tally),
        openings: openings(tally, settings),
        decisions: decisions(c, tally, confidence),
        option_uses: option_uses(c, tally, confidence),
        puzzles: puzzles(tally),
        restricted: worths(c, tally, settings),
        strength: strength(tally, settings),
    }
}

/// Whether enough games got to a ply to tell of it.
fn enough(games: u64, all: u64) -> bool {
    games > 0 && games.saturating_mul(20) >= all && (games >= 10 || games == all)
}

fn branching(tally: &Tally) -> Vec<PlyBand> {
    let mut out = Vec::new();
    for (ply, (got, counts)) in (0..).zip(&tally.legal) {
        if !enough(*got, tally.watched) {
            break;
        }
        // A ply at which chance decides has no band.
        let games = counts.total();
        let at = |share| counts.quantile(share).map(|legal| legal as f64);
        let total: f64 = counts.iter().map(|(legal, n)| legal as f64 * n as f64).sum();
        if let (Some(p10), Some(median), Some(p90)) = (at(0.1), at(0.5), at(0.9)) {
            out.push(PlyBand { ply, games, mean: total / games as f64, p10, median, p90 });
        }
    }
    out
}

fn leads(tally: &Tally) -> Vec<LeadAt> {
    let all = tally.ahead.first().map_or(0, |(games, _)| *games);
    let told = (0..).zip(&tally.ahead).take_while(|(_, (games, _))| enough(*games, all));
    told.map(|(ply, (games, ahead))| LeadAt {
        ply,
        games: *games,
        ahead: ahead.iter().map(|n| *n as f64 / *games as f64).collect(),
    })
    .collect()
}

fn heat(c: &Contestant, tally: &Tally) -> Vec<HeatMap> {
    let rules = &c.game.rules;
    let mut out = Vec::new();
    let counted = [
        (HeatKind::Landed, &tally.landed, &tally.each),
        (HeatKind::Occupied, &tally.occupied, &tally.by_plies),
    ];
    for (kind, lists, weights) in counted {
        let map = |player: Option<String>, list: &Vec<Counted>| {
            let rate = |site: Site| list.get(site.index()).map_or((0.0, 0.0), |n| n.rate(weights));
            let (values, mut errors): (Vec<f64>, Vec<f64>) = rules.board.sites().map(rate).unzip();
            if tally.watched < 2 {
                errors.clear();
            }
            HeatMap { kind, player, values, errors }
        };
        out.extend(lists.last().map(|all| map(None, all)));
        // Where nobody owns pieces the players' maps are empty.
        if c.game.program.layout.pieces.owner_base.is_some() {
            for (player, list) in rules.players.iter().zip(lists) {
                out.push(map(Some(player.clone()), list));
            }
        }
    }
    out
}

/// How many moves of each decision there are, at the plies of bands.
fn offers(c: &Contestant, tally: &Tally, bands: &[PlyBand]) -> Vec<Offers> {
    let names = c.game.rules.decisions.iter().map(|d| d.name.as_str()).chain(["pass"]);
    let told = names.filter_map(|name| {
        let sums = tally.offers.get(name)?;
        let mean = |band: &PlyBand| {
            let [sum, games] = sums.get(band.ply as usize).copied().unwrap_or_default();
            enough(games, tally.watched).then(|| sum as f64 / games as f64)
        };
        Some(Offers { decision: name.to_owned(), means: bands.iter().map(mean).collect() })
    });
    told.collect()
}

fn openings(tally: &Tally, settings: &Settings) -> Openings {
    let depths = (1..=tally.deepest()).map(|plies| {
        let list: Vec<u64> = tally.beginnings(plies).iter().map(|(_, n, _)| *n).collect();
        let (games, distinct) = (list.iter().sum(), list.len() as u64);
        OpeningDepth { plies: plies as u32, games, distinct, entropy: entropy(&list) }
    });
    let mut all = tally.openings();
    all.sort_by(|(a, x, _), (b, y, _)| y.cmp(x).then_with(|| a.cmp(b)));
    let games: u64 = all.iter().map(|(_, n, _)| *n).sum();
    let top = all.into_iter().take(MAX_LISTED).filter_map(|(moves, n, wins)| {
        let share = wilson(n, games, settings.confidence)?;
        Some(Opening { moves: moves.to_vec(), games: n, share, wins })
    });
    Openings { plies: settings.opening, depths: depths.collect(), top: top.collect() }
}

fn decisions(c: &Contestant, tally: &Tally, confidence: f64) -> Vec<DecisionUse> {
    let names = c.game.rules.decisions.iter().map(|d| d.name.clone()).chain(["pass".to_owned()]);
    names
        .filter_map(|name| {
            let used = tally.decisions.get(&name).filter(|used| name != "pass" || used.offered > 0)?;
            let made = used.made.moments()?;
            let all = (made.mean * made.n as f64).round() as u64;
            Some(DecisionUse {
                option: c.added_by(&name).map(str::to_owned),
                changed_by: c.changed_by(&name).into_iter().map(str::to_owned).collect(),
                offered: used.offered,
                used: all,
                games: wilson(used.games, used.made.n, confidence)?,
                per_game: counted(made.estimate(confidence)),
                taken: (used.offered > 0).then(|| all as f64 / used.offered as f64),
                decision: name,
            })
        })
        .collect()
}

fn option_uses(c: &Contestant, tally: &Tally, confidence: f64) -> Vec<OptionUse> {
    let def = &c.game.definition;
    let changed = def.options.iter().filter(|o| o.value != o.default);
    changed
        .map(|option| {
            let name = &option.name.text;
            let decisions = || def.decisions.iter().map(|d| d.name.text.clone());
            let adds: Vec<String> = decisions().filter(|d| c.added_by(d) == Some(name)).collect();
            let changes = decisions().filter(|d| c.changed_by(d).contains(&name.as_str())).collect();
            let used = tally.options.get(name);
            OptionUse {
                option: name.clone(),
                value: option.value.to_string(),
                summary: option.summary.clone(),
                used: used.and_then(|u| u.made.moments()).map(|m| counted(m.estimate(confidence))),
                games_used: used.and_then(|u| wilson(u.games, u.made.n, confidence)),
                beside: tally.beside.get(name).and_then(|sum| beside(sum, confidence)),
                apart: c.without(name).and_then(|other| other.as_ref().err()).map(|why| (*why).to_owned()),
                first_uses: adds.iter().filter_map(|name| first_uses(name, tally, confidence)).collect(),
                adds,
                changes,
            }
        })
        .collect()
}

/// How games use a decision for the first time.
fn first_uses(decision: &str, tally: &Tally, confidence: f64) -> Option<FirstUses> {
    let uses = tally.firsts_used.get(decision)?;
    let all = uses.plies.total();
    let mut moves: Vec<_> = uses.moves.iter().collect();
    moves.sort_by_key(|(text, [games, _])| (Reverse(*games), *text));
    let top = moves.into_iter().take(MAX_LISTED).filter_map(|(text, [games, wins])| {
        Some(FirstUse {
            text: text.clone(),
            games: *games,
            share: wilson(*games, all, confidence)?,
            won: wilson(*wins, *games, confidence)?,
        })
    });
    let ply = u32::try_from(uses.plies.quantile(0.5)?).ok()?;
    Some(FirstUses { decision: decision.to_owned(), ply, top: top.collect() })
}

fn beside(sum: &Stepped, confidence: f64) -> Option<Beside> {
    Some(Beside {
        differs: wilson(sum.differs, sum.games, confidence)?,
        used: wilson(sum.left, sum.games, confidence)?,
        plies_differ: (sum.plies > 0).then(|| sum.differ as f64 / sum.plies as f64),
        plies: sum.plies,
        first: sum.firsts.quantile(0.5).and_then(|ply| u32::try_from(ply).ok()),
    })
}

/// The puzzles of each kind, those of the strongest play first, of these with the most wrong moves.
fn puzzles(tally: &Tally) -> Vec<Puzzle> {
    let mut out = Vec::new();
    for kind in [PuzzleKind::OnlyWin, PuzzleKind::OnlyDefence] {
        let mut all: Vec<_> = tally.puzzles.iter().filter(|p| p.kind == kind).collect();
        let strongest = |p: &Puzzle| tally.levels.last().is_some_and(|(agent, _)| p.agent == *agent);
        all.sort_by_key(|p| (!strongest(p), Reverse(p.legal), p.place()));
        out.extend(all.into_iter().take(MAX_LISTED / 2).cloned());
    }
    out
}

fn strength(tally: &Tally, settings: &Settings) -> Option<Strength> {
    let score = |pairs: &[[[u64; 3]; 2]], places: &[usize]| {
        points(pairs, places).moments().map(|points| points.estimate_share(settings.confidence))
    };
    let steps = settings.ladder().windows(2).zip(&tally.strength).filter_map(|(agents, pair)| {
        let count = |which: usize| pair.iter().map(|counts| counts[which]).sum::<u64>();
        let [wins, draws, losses] = [0, 1, 2].map(count);
        let [stronger, weaker] = agents else { return None };
        Some(Step {
            stronger: stronger.clone(),
            weaker: weaker.clone(),
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            score: score(&[*pair], &[0, 1])?,
        })
    });
    let all = &tally.strength;
    Some(Strength {
        steps: steps.collect(),
        score: score(all, &[0, 1])?,
        by_seat: [score(all, &[0]), score(all, &[1])],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_ends_at_0_unless_its_value_lies_below() {
        let low = |value: f64| {
            counted(Estimate { value, low: value - 1.0, high: value + 1.0, ..Estimate::default() }).low
        };
        assert_eq!([2.0, 0.5, -0.5].map(low), [1.0, 0.0, -1.5]);
    }
}
