//! The pictures of a comparison, each a figure with its title and description.

use super::curves::{self, Curve, Curves};
use super::dots::{Dot, Dots, Row};
use super::html::{figure, grid};
use super::svg::{SERIES, key};
use super::view::View;
use crate::compare::model::{
    Comparison, Difference, Estimate, Histogram, LeadAt, Metric, Offers, OptionUse, VariantResult,
};
use crate::compare::numbers::{self, Change, alone, scale};
use crate::wording::{distinct, many};

/// The variants, with their short names.
pub(super) struct Named<'c> {
    pub c: &'c Comparison,
    pub names: Vec<String>,
}

impl Named<'_> {
    /// Whether each variant has a mark of its own.
    pub(super) fn few(&self) -> bool {
        self.c.variants.len() <= SERIES
    }

    /// The variants with their names.
    pub(super) fn all(&self) -> impl Iterator<Item = (&VariantResult, &String)> {
        self.c.variants.iter().zip(&self.names)
    }

    /// The share of points in an even game, where all variants have two players.
    fn even(&self) -> Option<f64> {
        self.c.variants.iter().all(|v| v.players.len() == 2).then_some(0.5)
    }

    fn place(&self, variant: &str) -> usize {
        self.c.place(variant).unwrap_or(0)
    }
}

/// The differences of all metrics in standard deviations, in one picture.
pub(super) fn effects(n: &Named<'_>) -> String {
    if !n.few() {
        return by_metric(n);
    }
    let pairs = n.c.pairs();
    match pairs.len() {
        0 => return String::new(),
        SERIES.. => return by_metric(n),
        _ => {}
    }
    // With one variant compared, or all against the first, a variant keeps its colour.
    let with_first = n.c.variants.first().is_some_and(|v| pairs.iter().all(|(a, _)| *a == v.variant));
    let series = |d: &Difference| {
        let pair = pairs.iter().position(|(a, b)| d.a == *a && d.b == *b).unwrap_or(0);
        if with_first { n.place(&d.b) } else { pair }
    };
    let dot = |d: &&Difference| Some(Dot { series: series(d), at: standard(d)?, full: d.significant });
    let row = |m: &Metric| {
        let all: Vec<&Difference> = n.c.differences.iter().filter(|d| d.metric == m.key).collect();
        let dots: Vec<Dot> = all.iter().filter_map(dot).collect();
        let told = match &all[..] {
            [one] if pairs.len() == 1 => Change::of(n.c, m, one).signed().value + &short_unit(m),
            _ => String::new(),
        };
        // A metric that is the same in every game (no draws anywhere) gets no row.
        let moves = all.iter().any(|d| d.estimate.low != 0.0 || d.estimate.high != 0.0);
        (moves && !dots.is_empty()).then(|| Row { name: m.name.clone(), dots, told })
    };
    let rows: Vec<Row> = n.c.metrics.iter().filter_map(row).collect();
    let title = "How large the differences are";
    let says = format!(
        "Differences in standard deviations of a game, with {:.0}\u{a0}% intervals, each by itself: 0.2 is called \
         small, 0.5 medium, 0.8 large (Cohen 1988). Filled: significant, after correction. The tables have all in \
         their own units.",
        n.c.settings.confidence * 100.0
    );
    let name_of = |variant: &str| n.names.get(n.place(variant)).cloned().unwrap_or_default();
    let names: Vec<String> = if with_first {
        n.names.clone()
    } else {
        pairs.iter().map(|(a, b)| format!("{} less {}", name_of(b), name_of(a))).collect()
    };
    let axis = match &pairs[..] {
        [(a, b)] => format!("{} less {}, standard deviations", name_of(b), name_of(a)),
        _ => "standard deviations".to_owned(),
    };
    let described = described(&rows, 1.0);
    let picture = Dots { title: title.to_owned(), says: described, axis, rows, scale: 1.0, zero: Some(0.0) };
    let key = if pairs.len() > 1 { key(&names) } else { String::new() };
    figure(title, &key, &picture.draw(), &says)
}

fn short_unit(m: &Metric) -> String {
    match m.unit.as_str() {
        "share" => " %-points".to_owned(),
        other => numbers::unit(other),
    }
}

/// A difference in standard deviations, with the interval scaled alike.
fn standard(d: &Difference) -> Option<Estimate> {
    let effect = d.effect?;
    let e = d.estimate;
    if e.value == 0.0 || effect == 0.0 {
        return Some(Estimate::new(0.0, 0.0, 0.0, e.n));
    }
    let by = effect / e.value;
    Some(Estimate::new(effect, e.low * by, e.high * by, e.n))
}

/// The rows of a picture in words.
fn described(rows: &[Row], scale: f64) -> String {
    let one = |r: &Row| {
        let dots = r.dots.iter().map(|d| {
            let by = |value: f64| value * scale;
            let e = Estimate { value: by(d.at.value), low: by(d.at.low), high: by(d.at.high), ..d.at };
            alone(&e, "").whole("")
        });
        format!("{}: {}.", r.name, dots.collect::<Vec<_>>().join("; "))
    };
    // Longer pictures have tables.
    rows.iter().take(24).map(one).collect::<Vec<_>>().join(" ")
}

/// For many variants: each metric its picture, each variant its row.
fn by_metric(n: &Named<'_>) -> String {
    let mut out = String::new();
    for m in &n.c.metrics {
        let values: Vec<f64> =
            n.c.variants.iter().filter_map(|v| v.estimates.get(&m.key)).map(|e| e.value).collect();
        // A metric that is the same everywhere (no draws anywhere) shows nothing.
        if values.windows(2).all(|w| w[0] == w[1]) {
            continue;
        }
        let row = |(v, name): (&VariantResult, &String)| {
            let found = |d: &Difference| d.metric == m.key && d.b == v.variant && d.significant;
            let full = n.c.differences.iter().any(found);
            Some(Row::of(name, vec![Dot { series: 0, at: *v.estimates.get(&m.key)?, full }]))
        };
        let rows = n.all().filter_map(row).collect();
        let zero = n.c.variants.first().and_then(|v| v.estimates.get(&m.key)).map(|e| e.value);
        out += &panel(&m.name, &numbers::name(m, " (%)"), rows, &m.unit, zero, "", "");
    }
    let says = format!(
        "Each variant with its {:.0}\u{a0}% interval, each by itself; the line is the first variant. Filled: differs \
         significantly, after correction.",
        n.c.settings.confidence * 100.0
    );
    if out.is_empty() { out } else { super::html::paragraph(&says) + &grid(&out) }
}

/// A figure of dots.
pub(super) fn panel(
    title: &str,
    axis: &str,
    rows: Vec<Row>,
    unit: &str,
    zero: Option<f64>,
    key: &str,
    says: &str,
) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let scale = scale(unit);
    let dots = Dots {
        title: title.to_owned(),
        says: described(&rows, scale),
        axis: axis.to_owned(),
        rows,
        scale,
        zero,
    };
    figure(title, key, &dots.draw(), says)
}

/// A dot for each variant in one row, or a row for each variant where they are many.
fn row_of_all(n: &Named<'_>, title: &str, of: &dyn Fn(&VariantResult) -> Option<Estimate>) -> Vec<Row> {
    if !n.few() {
        return each(n, of);
    }
    let dot = |(series, v): (usize, &VariantResult)| Some(Dot { series, at: of(v)?, full: true });
    let dots: Vec<Dot> = n.c.variants.iter().enumerate().filter_map(dot).collect();
    if dots.is_empty() { Vec::new() } else { vec![Row::of(title, dots)] }
}

fn key_of(n: &Named<'_>) -> String {
    if n.few() { key(&n.names) } else { String::new() }
}

/// How games end, and the worth of moving first.
pub(super) fn ends(n: &Named<'_>) -> String {
    let outcomes = n.c.variants.iter().flat_map(|v| &v.outcomes).filter(|o| o.games > 0);
    let kinds = distinct(outcomes.map(|o| o.outcome.as_str()));
    let share =
        |kind: &str, v: &VariantResult| v.outcomes.iter().find(|o| o.outcome == kind).map(|o| o.share);
    let mut out = String::new();
    let axis = "share of all games (%)";
    if n.few() {
        let rows = kinds.iter().flat_map(|kind| row_of_all(n, &outcome(kind), &|v| share(kind, v))).collect();
        out += &panel("How games end", axis, rows, "share", None, &key_of(n), "");
    } else {
        for kind in kinds {
            let title = format!("Games that end: {}", outcome(kind));
            out += &panel(&title, axis, each(n, &|v| share(kind, v)), "share", None, "", "");
        }
    }
    let first = |v: &VariantResult| v.estimates.get("first-wins").copied();
    let rows = each(n, &first);
    let says = "Of the games that somebody won. The line is an even game.";
    out += &panel("The first player's wins", "share of decided games (%)", rows, "share", n.even(), "", says);
    out
}

/// The points of the first player, by the strength of play: the compared games, then each level of thought.
pub(super) fn strengths(n: &Named<'_>) -> String {
    let settings = &n.c.settings;
    let main = (settings.agents.join(" and "), "first-points".to_owned());
    let levels = settings.levels.iter().map(|agent| (agent.clone(), format!("first-points@{agent}")));
    let all = [main].into_iter().chain(levels);
    let told: Vec<(String, String)> =
        all.filter(|(_, key)| n.c.variants.iter().any(|v| v.estimates.contains_key(key))).collect();
    let [.., (strongest, _)] = &told[..] else { return String::new() };
    if settings.levels.is_empty() {
        return String::new();
    }
    let even = n.even();
    let axis = "share of points (%)";
    let says = "Points of who makes the first ply, by who plays: the best play stands last. The line is an even game.";
    if n.few() {
        let row = |(agent, key): &(String, String)| row_of_all(n, agent, &|v| v.estimates.get(key).copied());
        let rows = told.iter().flat_map(row).collect();
        return panel("What who begins gets", axis, rows, "share", even, &key_of(n), says);
    }
    let key = format!("first-points@{strongest}");
    let rows = each(n, &|v| v.estimates.get(&key).copied());
    panel(&format!("What who begins gets, in play by {strongest}"), axis, rows, "share", even, "", says)
}

/// A row for each variant, in its colour where it has one.
fn each(n: &Named<'_>, of: &dyn Fn(&VariantResult) -> Option<Estimate>) -> Vec<Row> {
    let row = |(i, (v, name)): (usize, (&VariantResult, &String))| {
        let series = if n.few() { i } else { 0 };
        Some(Row::of(name, vec![Dot { series, at: of(v)?, full: true }]))
    };
    n.all().enumerate().filter_map(row).collect()
}

fn outcome(kind: &str) -> String {
    match kind {
        "draw" => "draw".to_owned(),
        "unfinished" => "cut off".to_owned(),
        player => format!("{player} wins"),
    }
}

/// Distributions over each other, or for many variants where their quantiles lie.
pub(super) fn distribution(title: &str, axis: &str, all: &[(String, &Histogram)]) -> String {
    if all.len() > SERIES {
        let row = |(name, h): &(String, &Histogram)| {
            let q = h.quantiles?;
            let at = Estimate::new(q.median as f64, q.p5 as f64, q.p95 as f64, 0);
            let told = format!("{}", q.median);
            Some(Row { name: name.clone(), dots: vec![Dot { series: 0, at, full: true }], told })
        };
        let rows = all.iter().filter_map(row).collect();
        let says = "The dot is the median, the line goes from 5 % to 95 % of games.";
        return panel(title, axis, rows, "", None, "", says);
    }
    let histograms: Vec<&Histogram> = all.iter().map(|(_, h)| *h).collect();
    let Some(end) = curves::end(&histograms) else { return String::new() };
    let beyond: u64 = histograms.iter().flat_map(|h| &h.bins).filter(|b| b.from > end).map(|b| b.count).sum();
    let lines: Vec<Curve> = histograms.iter().enumerate().map(|(i, h)| curves::steps(i, h, end)).collect();
    let medians = lines.iter().any(|l| l.marked.is_some());
    let width = histograms.iter().flat_map(|h| &h.bins).map(|b| b.to - b.from + 1).next().unwrap_or(1);
    let mut says = if medians { "The mark on the axis is the median.".to_owned() } else { String::new() };
    if beyond > 0 {
        says += &format!(
            " {} beyond {end} {} not drawn.",
            many(beyond, "game"),
            if beyond == 1 { "is" } else { "are" }
        );
    }
    let described = all.iter().filter_map(|(name, h)| match h.quantiles {
        Some(q) => {
            Some(format!("{name}: half of the games from {} to {}, median {}.", q.p25, q.p75, q.median))
        }
        None => {
            let most = h.bins.iter().max_by_key(|b| b.count)?;
            Some(format!("{name}: most games, {}, from {} to {}.", most.count, most.from, most.to))
        }
    });
    let picture = Curves {
        title: title.to_owned(),
        says: described.collect::<Vec<_>>().join(" "),
        across: axis.to_owned(),
        along: if width == 1 {
            "share of games (%)".to_owned()
        } else {
            format!("share of games (%) per {width} {axis}")
        },
        curves: lines,
        level: None,
    };
    let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
    figure(title, &key(&names), &picture.draw(), says.trim())
}

/// The number of legal moves by ply.
pub(super) fn branching(views: &[View]) -> String {
    let title = "How much there is to choose from";
    let views: Vec<&View> = views.iter().take(SERIES).collect();
    let jagged = views.iter().any(|v| {
        let line: Vec<(f64, f64)> = v.branching.iter().map(|b| (f64::from(b.ply), b.mean)).collect();
        curves::is_jagged(&line)
    });
    let round = if jagged { views.iter().map(|v| v.round).max().unwrap_or(1) } else { 1 };
    let lines: Vec<Curve> =
        views.iter().enumerate().map(|(i, v)| curves::bands(i, &v.branching, round)).collect();
    let mut says =
        "Legal moves at each ply: the mean, and the band between the lowest and the highest tenth of games."
            .to_owned();
    if round > 1 {
        says += &format!(" Averaged over a round of {round} plies; the thin line is each ply by itself.");
    }
    let described = views.iter().filter_map(|v| {
        let (first, last) = (v.branching.first()?, v.branching.last()?);
        Some(format!("{}: {:.1} at ply 1, {:.1} at ply {}.", v.name, first.mean, last.mean, last.ply + 1))
    });
    let picture = Curves {
        title: title.to_owned(),
        says: described.collect::<Vec<_>>().join(" "),
        across: "ply".to_owned(),
        along: "legal moves".to_owned(),
        curves: lines,
        level: None,
    };
    let names: Vec<String> = views.iter().map(|v| v.name.clone()).collect();
    figure(title, &key(&names), &picture.draw(), &says)
}

/// How much there is to choose from of each decision: a picture for each variant that has more than one.
pub(super) fn offers(n: &Named<'_>) -> String {
    let one = |(v, name): (&VariantResult, &String)| {
        let mut offers: Vec<&Offers> = v.offers.iter().collect();
        // Those that are offered most often, where there are too many.
        if offers.len() > SERIES {
            offers.sort_by_key(|o| o.means.iter().filter(|mean| mean.is_none()).count());
            offers.truncate(SERIES);
        }
        let round = View::one(name, v).round;
        let line = |o: &Offers| {
            let plies = v.branching.iter().map(|band| f64::from(band.ply) + 1.0);
            plies.zip(&o.means).filter_map(|(ply, mean)| Some((ply, (*mean)?))).collect()
        };
        let curves = offers.iter().enumerate().map(|(i, o)| Curve::averaged(i, line(o), round)).collect();
        let title = format!("How much there is to choose from in {name}");
        let says = "Legal moves of each decision at each ply, where it has any: the mean over games.";
        let picture = Curves {
            title: title.clone(),
            says: says.to_owned(),
            across: "ply".to_owned(),
            along: "legal moves".to_owned(),
            curves,
            level: None,
        };
        let names: Vec<String> = offers.iter().map(|o| o.decision.clone()).collect();
        figure(&title, &key(&names), &picture.draw(), says)
    };
    n.all().filter(|(v, _)| v.offers.len() > 1).take(SERIES).map(one).collect()
}

/// The player who is ahead at each ply: one picture for each variant.
pub(super) fn leads(n: &Named<'_>) -> String {
    let mut out = String::new();
    for (v, name) in n.all().take(SERIES).filter(|(v, _)| v.leads.len() > 1) {
        let line = |player: usize| -> Vec<(f64, f64)> {
            let point = |l: &LeadAt| Some((f64::from(l.ply) + 1.0, l.ahead.get(player)? * 100.0));
            v.leads.iter().filter_map(point).collect()
        };
        let players = v.players.iter().enumerate().take(SERIES);
        let round = View::one(name, v).round;
        let curves = players.map(|(i, _)| Curve::averaged(i, line(i), round)).collect();
        let by = n.c.settings.strongest_play();
        let title = format!("Who is ahead in {name}{by}");
        let picture = Curves {
            title: title.clone(),
            says: "The share of games in which each player is ahead alone, ply by ply.".to_owned(),
            across: "ply".to_owned(),
            along: "share of games (%)".to_owned(),
            curves,
            level: Some(50.0),
        };
        let mut says = "The share of games in which a player is ahead alone".to_owned();
        if round > 1 {
            says += &format!(", averaged over a round of {round} plies; the thin line is each ply by itself");
        }
        out += &figure(&title, &key(&v.players), &picture.draw(), &(says + "."));
    }
    out
}

/// How often decisions are used.
pub(super) fn decisions(n: &Named<'_>) -> String {
    let names = n.c.decisions();
    let of =
        |name: &str, v: &VariantResult| v.decisions.iter().find(|d| d.decision == name).map(|d| d.per_game);
    if !n.few() || names.len() < 2 && n.c.variants.len() < 2 {
        return String::new();
    }
    let rows = names.iter().flat_map(|(name, option)| {
        let title = option.map_or((*name).to_owned(), |o| format!("{name} ({o})"));
        row_of_all(n, &title, &|v| of(name, v))
    });
    let says = "How often a move of each decision is made; in brackets the option that adds the decision.";
    panel("What players do", "moves a game", rows.collect(), "times", None, &key_of(n), says)
}

/// How much the options that are on change.
pub(super) fn options(n: &Named<'_>) -> String {
    if !n.few() {
        return String::new();
    }
    let names = distinct(n.c.variants.iter().flat_map(|v| &v.option_uses).map(|o| o.option.as_str()));
    let of = |name: &str, v: &VariantResult, what: fn(&OptionUse) -> Option<Estimate>| {
        v.option_uses.iter().find(|o| o.option == name).and_then(what)
    };
    let rows = names.iter().flat_map(|name| {
        let differs = |v: &VariantResult| of(name, v, |o| o.beside.as_ref().map(|b| b.differs));
        let used = |v: &VariantResult| of(name, v, |o| o.beside.as_ref().map(|b| b.used).or(o.games_used));
        let matters = row_of_all(n, &format!("{name} matters"), &differs);
        [matters, row_of_all(n, &format!("{name} is used"), &used)].concat()
    });
    let says = "In how many games an option changes what may be done (matters), and in how many a move is made \
                that is not legal otherwise (is used).";
    panel("What options do", "share of games (%)", rows.collect(), "share", None, &key_of(n), says)
}

/// The worth of rules.
pub(super) fn worths(n: &Named<'_>) -> String {
    let rules = distinct(n.c.variants.iter().flat_map(|v| &v.restricted).map(|worth| worth.what.as_str()));
    let Some(agent) = n.c.settings.levels.last() else { return String::new() };
    let rows = rules.iter().flat_map(|what| {
        let of = |v: &VariantResult| Some(v.restricted.iter().find(|w| w.what == *what)?.points);
        row_of_all(n, &format!("without {what}"), &of)
    });
    let says = format!(
        "Points of a player who goes without a rule, against one who has it, in play by {agent}. What is missing to an \
         even share is what the rule is worth; the line is an even share."
    );
    panel("What rules are worth", "points (%)", rows.collect(), "share", n.even(), &key_of(n), &says)
}

/// Whether thinking more wins more.
pub(super) fn strength(n: &Named<'_>) -> String {
    let ladder = n.c.settings.ladder();
    let of = |v: &VariantResult| v.strength.as_ref().map(|s| s.score);
    let rows: Vec<Row> = if n.few() {
        let seat = |i: usize| move |v: &VariantResult| v.strength.as_ref().and_then(|s| s.by_seat[i]);
        let steps = ladder.windows(2).enumerate().rev().filter(|_| ladder.len() > 2).flat_map(|(i, pair)| {
            let step = |v: &VariantResult| v.strength.as_ref().and_then(|s| s.steps.get(i)).map(|s| s.score);
            row_of_all(n, &pair.join(" against "), &step)
        });
        let all = [
            row_of_all(n, "all games", &of),
            row_of_all(n, "moving first", &seat(0)),
            row_of_all(n, "moving later", &seat(1)),
        ];
        steps.chain(all.concat()).collect()
    } else {
        each(n, &of)
    };
    let title = match ladder {
        [stronger, weaker] => format!("Does thought win? {stronger} against {weaker}"),
        _ => "Does thought win? The stronger of two agents".to_owned(),
    };
    let says = "Points of the one that thinks more: 1 for a win, one half for a draw. The line is where thought does not help.";
    panel(&title, "points (%)", rows, "share", Some(0.5), &key_of(n), says)
}
