//! The figures of a variant, from its sums.

use std::collections::BTreeMap;

use super::contestant::Contestant;
use super::entropy::{diversity, entropy};
use super::metric::{METRICS, STRENGTH};
use super::model::{
    Beside, Bin, BoardPlan, DecisionUse, Estimate, HeatKind, HeatMap, Histogram, LeadAt, MetricKind, Opening,
    OpeningDepth, Openings, OptionUse, OutcomeShare, PlyBand, PuzzleKind, Quantiles, Settings, SiteForm,
    SitePlace, Strength, VariantResult,
};
use super::stats::{Moments, wilson};
use super::tally::{Stepped, Tally};
use crate::board::Lattice;

/// The most bins of a histogram.
const BINS: i64 = 40;

/// How many openings and puzzles are told.
const TOLD: usize = 10;

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
    fn of(values: impl Iterator<Item = i64>) -> Range {
        let (low, high) = values.fold((i64::MAX, i64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return Range::default();
        }
        let span = high - low + 1;
        // Widths that people count in.
        let wide = |n: i64| [1, 2, 5].map(|m| m * 10i64.pow(n as u32));
        let fits = |w: &i64| (high.div_euclid(*w) - low.div_euclid(*w)) < BINS;
        let width = (0..9).flat_map(wide).find(fits).unwrap_or(span);
        let from = low.div_euclid(width) * width;
        Range { from, width, bins: (high - from) / width + 1 }
    }

    fn histogram(&self, values: &[i64]) -> Histogram {
        let mut counts = vec![0; usize::try_from(self.bins).unwrap_or(0)];
        for value in values {
            let place = (value - self.from).checked_div(self.width).and_then(|p| usize::try_from(p).ok());
            if let Some(count) = place.and_then(|p| counts.get_mut(p)) {
                *count += 1;
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
    let range = |of: fn(&Tally) -> &Vec<i64>| Range::of(tallies.iter().flat_map(|t| of(t).iter().copied()));
    Widths { lengths: range(|t| &t.lengths), turns: range(|t| &t.turns), margins: range(|t| &t.margins) }
}

fn quantiles(values: &[i64]) -> Option<Quantiles> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let at = |q: f64| {
        let rank = (q * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied()
    };
    Some(Quantiles {
        min: *sorted.first()?,
        p5: at(0.05)?,
        p25: at(0.25)?,
        median: at(0.5)?,
        p75: at(0.75)?,
        p95: at(0.95)?,
        max: *sorted.last()?,
    })
}

/// The estimate of each metric that the variant has.
pub(super) fn estimates(tally: &Tally, settings: &Settings) -> BTreeMap<String, Estimate> {
    let confidence = settings.confidence;
    let mut out = BTreeMap::new();
    for (row, values) in METRICS.iter().zip(&tally.values) {
        let estimate = match row.kind {
            MetricKind::Mean if row.is_share() => Moments::of(values).map(|m| m.estimate_share(confidence)),
            MetricKind::Mean => Moments::of(values).map(|m| counted(m.estimate(confidence))),
            MetricKind::Share => wilson(yes(values), values.len() as u64, confidence),
            MetricKind::Whole => openness(tally, settings),
        };
        out.extend(estimate.map(|e| (row.key.to_owned(), e)));
    }
    let points: Vec<f64> = tally.strength.iter().map(|(_, points)| *points).collect();
    out.extend(Moments::of(&points).map(|m| (STRENGTH.to_owned(), m.estimate_share(confidence))));
    out
}

/// How diverse the openings are.
pub(super) fn openness(tally: &Tally, settings: &Settings) -> Option<Estimate> {
    let counts: Vec<u64> = tally.openings.values().map(|(n, _)| *n).collect();
    diversity(&counts, tally.about.openings, settings.confidence, settings.seed)
}

/// No count is below 0: where an interval would go there it ends. (A drama that is none may come out below.)
fn counted(e: Estimate) -> Estimate {
    Estimate { low: e.low.max(e.value.min(0.0)), ..e }
}

/// Who began, if it was the same player in all games.
fn first(tally: &Tally) -> Option<String> {
    let mut began = tally.firsts.iter().zip(&tally.about.players).filter(|(n, _)| **n > 0);
    let (_, player) = began.next()?;
    began.next().is_none().then(|| player.clone())
}

/// How many of zeros and ones are ones.
pub(super) fn yes(values: &[f64]) -> u64 {
    values.iter().filter(|v| **v > 0.5).count() as u64
}

/// All that is told of a variant.
pub(super) fn summary(c: &Contestant, tally: &Tally, settings: &Settings, widths: &Widths) -> VariantResult {
    let game = &c.game;
    let confidence = settings.confidence;
    let known = game.rules.players.iter().map(String::as_str).chain(["draw", "unfinished"]);
    let outcomes = known
        .filter_map(|name| {
            let games = tally.outcomes.get(name).copied().unwrap_or(0);
            let share = wilson(games, tally.games, confidence)?;
            Some(OutcomeShare { outcome: name.to_owned(), games, share })
        })
        .collect();
    let margins = (!tally.margins.is_empty()).then(|| widths.margins.histogram(&tally.margins));
    VariantResult {
        variant: c.name.clone(),
        title: game.definition.title.clone(),
        options: game.changed_options().into_iter().map(|(n, v)| (n.to_owned(), v.to_string())).collect(),
        players: game.rules.players.clone(),
        first: first(tally),
        first_move: None,
        games: tally.games,
        estimates: estimates(tally, settings),
        outcomes,
        lengths: widths.lengths.histogram(&tally.lengths),
        turns: widths.turns.histogram(&tally.turns),
        margins,
        branching: branching(tally),
        leads: leads(tally),
        board: board(c),
        heat: heat(c, tally),
        openings: openings(tally, settings),
        decisions: decisions(c, tally, confidence),
        option_uses: option_uses(c, tally, confidence),
        puzzles: puzzles(tally),
        strength: strength(tally, settings),
    }
}

/// Whether enough games got to a ply to tell of it.
fn enough(games: u64, all: u64) -> bool {
    games > 0 && games * 20 >= all && (games >= 10 || games == all)
}

fn branching(tally: &Tally) -> Vec<PlyBand> {
    let mut out = Vec::new();
    for (ply, counts) in (0..).zip(&tally.legal) {
        let got = tally.lengths.iter().filter(|l| **l > i64::from(ply)).count() as u64;
        if !enough(got, tally.games) {
            break;
        }
        // A ply at which chance decides has no band.
        let games: u64 = counts.values().sum();
        let at = |q: f64| {
            let rank = ((q * games as f64).ceil() as u64).max(1);
            let mut sum = 0;
            let found = counts.iter().find(|(_, n)| {
                sum += **n;
                sum >= rank
            });
            found.map(|(legal, _)| f64::from(*legal))
        };
        let total: f64 = counts.iter().map(|(legal, n)| f64::from(*legal) * *n as f64).sum();
        if let (Some(p10), Some(median), Some(p90)) = (at(0.1), at(0.5), at(0.9)) {
            out.push(PlyBand { ply, games, mean: total / games as f64, p10, median, p90 });
        }
    }
    out
}

fn leads(tally: &Tally) -> Vec<LeadAt> {
    let told = (0..).zip(&tally.ahead).take_while(|(_, (games, _))| enough(*games, tally.games));
    told.map(|(ply, (games, ahead))| LeadAt {
        ply,
        games: *games,
        ahead: ahead.iter().map(|n| *n as f64 / *games as f64).collect(),
    })
    .collect()
}

fn board(c: &Contestant) -> BoardPlan {
    let board = &c.game.rules.board;
    let form = match board.lattice() {
        Some(Lattice::Square) => SiteForm::Square,
        Some(_) => SiteForm::Hexagon,
        None => SiteForm::Dot,
    };
    let sites: Vec<_> = board.sites().collect();
    let top = sites.iter().map(|s| board.place(*s).1).fold(0.0, f32::max);
    let places = sites.iter().map(|site| {
        let (x, y) = board.place(*site);
        SitePlace { name: board.name(*site).to_owned(), x, y: top - y }
    });
    let mut edges = Vec::new();
    for (a, b) in board.near().pairs() {
        let place = |site| sites.iter().position(|s| *s == site);
        if let (Some(a), Some(b)) = (place(a), place(b))
            && a < b
        {
            edges.push((a, b));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    BoardPlan { form, sites: places.collect(), edges }
}

fn heat(c: &Contestant, tally: &Tally) -> Vec<HeatMap> {
    let rules = &c.game.rules;
    let mut out = Vec::new();
    let counted =
        [(HeatKind::Landed, &tally.landed, tally.games), (HeatKind::Occupied, &tally.occupied, tally.plies)];
    for (kind, lists, of) in counted {
        let of = of.max(1) as f64;
        let map = |player: Option<String>, lists: &[&Vec<u64>]| {
            let sum = |site: usize| lists.iter().filter_map(|l| l.get(site)).sum::<u64>() as f64;
            let values = rules.board.sites().map(|s| sum(s.index()) / of).collect();
            HeatMap { kind, player, values }
        };
        out.push(map(None, &lists.iter().collect::<Vec<_>>()));
        // Where nobody owns pieces the players' maps are empty.
        if c.game.program.layout.pieces.owner_base.is_some() {
            for (player, list) in rules.players.iter().zip(lists) {
                out.push(map(Some(player.clone()), &[list]));
            }
        }
    }
    out
}

fn openings(tally: &Tally, settings: &Settings) -> Openings {
    let depths = (1..).zip(&tally.beginnings).map(|(plies, counts)| {
        let list: Vec<u64> = counts.values().copied().collect();
        OpeningDepth { plies, games: list.iter().sum(), distinct: list.len() as u64, entropy: entropy(&list) }
    });
    let mut all: Vec<_> = tally.openings.iter().collect();
    all.sort_by(|(a, x), (b, y)| y.0.cmp(&x.0).then_with(|| a.cmp(b)));
    let games: u64 = all.iter().map(|(_, (n, _))| *n).sum();
    let top = all.into_iter().take(TOLD).filter_map(|(moves, (n, wins))| {
        let share = wilson(*n, games, settings.confidence)?;
        Some(Opening { moves: moves.clone(), games: *n, share, wins: wins.clone() })
    });
    Openings { plies: settings.opening, depths: depths.collect(), top: top.collect() }
}

/// How many moves of some decisions were made in each game.
fn uses(tally: &Tally, decisions: &[String]) -> Vec<f64> {
    let mut all = vec![0.0; tally.games as usize];
    for name in decisions {
        let list = tally.decisions.get(name).map_or(&[][..], |l| &l[..]);
        for (sum, uses) in all.iter_mut().zip(list) {
            *sum += f64::from(uses[1]);
        }
    }
    all
}

fn decisions(c: &Contestant, tally: &Tally, confidence: f64) -> Vec<DecisionUse> {
    let names = c.game.rules.decisions.iter().map(|d| d.name.clone()).chain(["pass".to_owned()]);
    let offered = |name: &String| tally.decisions.get(name).is_some_and(|l| l.iter().any(|u| u[0] > 0));
    names
        .filter(|name| name != "pass" || offered(name))
        .filter_map(|name| {
            let list = tally.decisions.get(&name).map_or(&[][..], |l| &l[..]);
            let sum = |of: usize| list.iter().map(|u| u64::from(u[of])).sum::<u64>();
            let (offered, used) = (sum(0), sum(1));
            let per_game = uses(tally, std::slice::from_ref(&name));
            Some(DecisionUse {
                option: c.added_by(&name).map(str::to_owned),
                changed_by: c.changed_by(&name).into_iter().map(str::to_owned).collect(),
                offered,
                used,
                games: wilson(yes(&per_game), tally.games, confidence)?,
                per_game: counted(Moments::of(&per_game)?.estimate(confidence)),
                taken: (offered > 0).then(|| used as f64 / offered as f64),
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
            let per_game = uses(tally, &adds);
            let some = !adds.is_empty();
            OptionUse {
                option: name.clone(),
                value: option.value.to_string(),
                summary: option.summary.clone(),
                used: Moments::of(&per_game).filter(|_| some).map(|m| counted(m.estimate(confidence))),
                games_used: wilson(yes(&per_game), tally.games, confidence).filter(|_| some),
                beside: tally.beside.get(name).and_then(|sum| beside(sum, confidence)),
                apart: c
                    .without
                    .iter()
                    .find(|(option, _)| option == name)
                    .and_then(|(_, other)| other.as_ref().err().map(|why| (*why).to_owned())),
                adds,
                changes,
            }
        })
        .collect()
}

fn beside(sum: &Stepped, confidence: f64) -> Option<Beside> {
    let mut firsts = sum.firsts.clone();
    firsts.sort_unstable();
    Some(Beside {
        differs: wilson(sum.differs, sum.games, confidence)?,
        used: wilson(sum.left, sum.games, confidence)?,
        plies_differ: (sum.plies > 0).then(|| sum.differ as f64 / sum.plies as f64),
        plies: sum.plies,
        first: firsts.get(firsts.len().saturating_sub(1) / 2).copied(),
    })
}

/// The puzzles of each kind with the most wrong moves.
fn puzzles(tally: &Tally) -> Vec<super::model::Puzzle> {
    let mut out = Vec::new();
    for kind in [PuzzleKind::OnlyWin, PuzzleKind::OnlyDefence] {
        let mut all: Vec<_> = tally.puzzles.iter().filter(|p| p.kind == kind).collect();
        all.sort_by(|a, b| b.legal.cmp(&a.legal).then(a.game.cmp(&b.game)));
        out.extend(all.into_iter().take(TOLD / 2).cloned());
    }
    out
}

fn strength(tally: &Tally, settings: &Settings) -> Option<Strength> {
    let (stronger, weaker) = pair(settings)?;
    let of = |list: &[f64]| Moments::of(list).map(|m| m.estimate_share(settings.confidence));
    let points: Vec<f64> = tally.strength.iter().map(|(_, p)| *p).collect();
    let seat = |seat: usize| -> Vec<f64> {
        tally.strength.iter().filter(|(s, _)| *s == seat).map(|(_, p)| *p).collect()
    };
    let count = |value: f64| points.iter().filter(|p| **p == value).count() as u64;
    Some(Strength {
        games: points.len() as u64,
        wins: count(1.0),
        draws: count(0.5),
        losses: count(0.0),
        score: of(&points)?,
        by_seat: [of(&seat(0)), of(&seat(1))],
        stronger,
        weaker,
    })
}

/// The agents whose strength is compared: those of the strength games, else the two that play.
pub(super) fn pair(settings: &Settings) -> Option<(String, String)> {
    match (&settings.strength, &settings.agents[..]) {
        (Some([a, b]), _) => Some((a.clone(), b.clone())),
        (None, [a, b]) => Some((a.clone(), b.clone())),
        _ => None,
    }
}
