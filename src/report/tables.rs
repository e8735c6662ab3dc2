//! The tables: all metrics with intervals, differences, effects, combinations, openings, and how it was measured.

use super::html::{Cell, Html, escape, more, much_more, table};
use super::panels::Named;
use super::svg::SERIES;
use crate::compare::model::{Comparison, Estimate, Metric, VariantResult};
use crate::compare::numbers::{self, Change, Digits, alone, chance, fixed, percent, unit};
use crate::compare::words;
use crate::wording::{count, many};

/// The heads of columns that hold words; the others hold figures, at the right.
const WORD_COLUMNS: &str =
    "metric, variant, of option, changed by, what it does, adds, changes, to move, asked, the one move";

/// The heads of columns, with commas between them. The first one holds words.
fn head(columns: &str) -> Vec<Cell> {
    let cell =
        |(i, column): (usize, &str)| match i == 0 || WORD_COLUMNS.split(", ").any(|word| word == column) {
            true => Cell::text(column),
            false => Cell::number(column),
        };
    columns.split(", ").enumerate().map(cell).collect()
}

/// A cell for a figure that does not exist.
fn none() -> Cell {
    Cell::number("\u{2013}")
}

fn words(list: &[String]) -> Cell {
    if list.is_empty() { Cell::text("\u{2013}") } else { Cell::text(&list.join(", ")) }
}

/// The name of a metric with its unit.
fn name(m: &Metric) -> String {
    numbers::name(m, " (%)")
}

/// The same as the head of a row, with the definition below.
fn explained(m: &Metric) -> Cell {
    Cell::html(Html(format!("{} <small>{}</small>", Html::text(&name(m)), Html::text(&m.definition))))
}

fn estimate(c: &Comparison, e: Option<&Estimate>, m: &Metric) -> Cell {
    e.map_or_else(none, |e| Cell::interval(&Digits::metric(c, m).told(e)))
}

/// Every metric of every variant, with intervals. Few variants are columns, many are rows.
pub(super) fn metrics(n: &Named<'_>) -> String {
    let c = n.c;
    if c.variants.len() > SERIES - 2 {
        let mut top = vec![Cell::text("variant")];
        top.extend(c.metrics.iter().map(|m| Cell::number(&name(m))));
        let row = |(v, name): (&VariantResult, &String)| {
            let mut row = vec![Cell::text(name)];
            row.extend(c.metrics.iter().map(|m| estimate(c, v.estimates.get(&m.key), m)));
            row
        };
        return table("All metrics, with intervals", &top, n.all().map(row));
    }
    let mut top = vec![Cell::text("metric")];
    top.extend(n.names.iter().map(|name| Cell::number(name)));
    let row = |m: &Metric| {
        let mut row = vec![explained(m)];
        row.extend(c.variants.iter().map(|v| estimate(c, v.estimates.get(&m.key), m)));
        row
    };
    table("All metrics, with intervals", &top, c.metrics.iter().map(row))
}

/// The result of a test: strong where it is significant.
fn found(says: &str, significant: bool) -> Cell {
    match (significant, says) {
        (true, says) => Cell::html(Html(format!("<strong>{}</strong>", escape(says)))).class("n"),
        (false, "") => none(),
        (false, says) => Cell::number(says),
    }
}

/// Every difference with its test.
pub(super) fn differences(n: &Named<'_>) -> String {
    let c = n.c;
    let short = |variant: &str| {
        c.place(variant).and_then(|i| n.names.get(i)).cloned().unwrap_or_else(|| variant.to_owned())
    };
    let top = head("metric, difference, effect, test, p, p adjusted, found");
    let mut out = String::new();
    for (a, b) in c.pairs() {
        let rows = c.of_pair(a, b).filter_map(|d| {
            let m = c.metric(&d.metric)?;
            Some(vec![
                Cell::text(&name(m)),
                Cell::interval(&Change::of(c, m, d).signed()),
                d.effect.map_or_else(none, |e| Cell::number(&fixed(e, 2))),
                Cell::number(&d.test),
                Cell::number(&chance(d.p)),
                Cell::number(&chance(d.p_adjusted)),
                found(&words::outcome(c, m, d), d.significant && !d.is_trivial() && !c.is_same(a, b)),
            ])
        });
        out += &table(&format!("{} less {}", short(b), short(a)), &top, rows);
    }
    out
}

/// Every effect of a matrix with its test.
pub(super) fn effects(c: &Comparison) -> String {
    let Some(matrix) = &c.matrix else { return String::new() };
    let top = head("options, metric, effect, p, p adjusted, found");
    let mut out = String::new();
    for (title, many) in [("What each option does", 1), ("What two options do to each other", 2)] {
        let told_ones = matrix.effects.iter().filter(|e| e.options.len() == many);
        let rows = told_ones.filter_map(|e| {
            let m = c.metric(&e.metric)?;
            Some(vec![
                Cell::text(&e.options.join(" & ")),
                Cell::text(&name(m)),
                Cell::interval(&Change::effect(c, m, e).signed()),
                Cell::number(&chance(e.p)),
                Cell::number(&chance(e.p_adjusted)),
                found(&words::outcome_of_effect(c, m, e), e.significant),
            ])
        });
        out += &table(title, &top, rows);
    }
    out
}

/// Every combination of a matrix, with its options and all metrics.
pub(super) fn combinations(c: &Comparison) -> String {
    let Some(matrix) = &c.matrix else { return String::new() };
    let mut top = vec![Cell::text("no.")];
    top.extend(matrix.options.iter().map(|o| Cell::text(&o.name).class("c")));
    top.extend(c.metrics.iter().map(|m| Cell::number(&name(m))));
    let rows = matrix.combinations.iter().zip(&c.variants).enumerate().map(|(i, (combination, v))| {
        let mut row = vec![Cell::text(&(i + 1).to_string()).class("k")];
        row.extend(matrix.options.iter().zip(&combination.on).map(|(o, on)| match (on, o.on.as_str()) {
            (true, "on") => Cell::text("\u{25cf}").class("c on"),
            (true, value) => Cell::text(value).class("c on"),
            (false, _) if o.off == "off" => Cell::text("\u{b7}").class("c"),
            (false, _) => Cell::text(&o.off).class("c"),
        }));
        row.extend(c.metrics.iter().map(|m| estimate(c, v.estimates.get(&m.key), m)));
        row
    });
    let mut out = table("All combinations, with intervals", &top, rows);
    if !matrix.left_out.is_empty() {
        let rows = matrix.left_out.iter().map(|(v, why)| vec![Cell::text(v), Cell::text(why)]);
        out += &table("Not played", &[Cell::text("combination"), Cell::text("why")], rows);
    }
    if !matrix.aliased.is_empty() {
        let rows = matrix.aliased.iter().map(|pair| pair.iter().map(|option| Cell::text(option)).collect());
        let title = "Pairs that these combinations do not tell apart from others";
        out += &table(title, &[Cell::text("option"), Cell::text("option")], rows);
    }
    out
}

/// How decisions are used.
pub(super) fn decisions(n: &Named<'_>) -> String {
    let top =
        head("decision, variant, of option, changed by, moves a game, games with it (%), taken when offered");
    let rows = n.all().flat_map(|(v, name)| {
        v.decisions.iter().map(move |d| {
            vec![
                Cell::text(&d.decision),
                Cell::text(name),
                Cell::text(d.option.as_deref().unwrap_or("\u{2013}")),
                words(&d.changed_by),
                Cell::interval(&alone(&d.per_game, "times")),
                Cell::interval(&alone(&d.games, "share")),
                d.taken.map_or_else(none, |share| Cell::number(&percent(share, 1))),
            ]
        })
    });
    let out = table("Decisions", &top, rows);
    if n.c.variants.len() > SERIES { much_more("How decisions are used in each variant", &out) } else { out }
}

/// The effects of options that are not at their defaults.
pub(super) fn options(n: &Named<'_>) -> String {
    let top = head(
        "option, variant, what it does, adds, changes, moves a game, matters in games (%), used in games (%), matters from ply",
    );
    let cell = |e: Option<Estimate>, unit: &str| e.map_or_else(none, |e| Cell::interval(&alone(&e, unit)));
    let rows = n.all().flat_map(|(v, name)| {
        v.option_uses.iter().map(move |o| {
            let beside = o.beside.as_ref();
            let first = beside.and_then(|b| b.first).map(|p| Cell::number(&count(u64::from(p) + 1)));
            vec![
                if o.value == "on" {
                    Cell::text(&o.option)
                } else {
                    Cell::text(&format!("{} = {}", o.option, o.value))
                },
                Cell::text(name),
                Cell::text(&o.summary),
                words(&o.adds),
                words(&o.changes),
                cell(o.used, "times"),
                cell(beside.map(|b| b.differs), "share"),
                cell(beside.map(|b| b.used).or(o.games_used), "share"),
                first.unwrap_or_else(none),
            ]
        })
    });
    let out = table("Options that are not at their defaults", &top, rows);
    if n.c.variants.len() > SERIES { much_more("What options do in each variant", &out) } else { out }
}

/// How games begin: which openings are frequent only where somebody thinks.
pub(super) fn openings(n: &Named<'_>) -> String {
    let mut out = String::new();
    for (v, name) in n.all().filter(|_| !n.c.settings.is_random()) {
        let mut top = vec![Cell::text("opening"), Cell::number("games"), Cell::number("share (%)")];
        top.extend(v.players.iter().map(|p| Cell::number(&format!("{p} wins"))));
        let rows = v.openings.top.iter().map(|o| {
            let mut row = vec![
                Cell::text(&o.moves.join(" ")),
                Cell::number(&count(o.games)),
                Cell::interval(&alone(&o.share, "share")),
            ];
            row.extend(o.wins.iter().map(|w| Cell::number(&count(*w))));
            row
        });
        out += &table(&format!("Most frequent openings in {name}"), &top, rows);
    }
    let top = head("variant, plies, games, different, entropy seen (bits)");
    let rows = n.all().flat_map(|(v, name)| {
        v.openings.depths.iter().map(move |d| {
            vec![
                Cell::text(name),
                Cell::number(&d.plies.to_string()),
                Cell::number(&count(d.games)),
                Cell::number(&count(d.distinct)),
                Cell::number(&fixed(d.entropy, 2)),
            ]
        })
    });
    out += &table("How diverse games begin", &top, rows);
    more("Openings", &out)
}

/// How the decisions that options add are used for the first time.
pub(super) fn first_uses(n: &Named<'_>) -> String {
    let by = &n.c.settings.strongest_play();
    let top = &head("first move, games, share (%), won by who made it (%)");
    let tables = n.all().flat_map(|(v, name)| {
        v.option_uses.iter().flat_map(|o| &o.first_uses).map(move |first| {
            let rows = first.top.iter().take(MAX_FIRST_MOVES).map(|use_| {
                vec![
                    Cell::html(Html::code(&use_.text)),
                    Cell::number(&count(use_.games)),
                    Cell::interval(&alone(&use_.share, "share")),
                    Cell::interval(&alone(&use_.won, "share")),
                ]
            });
            let title = format!(
                "How {} begins to be used in {name}{by}: at ply {}, the median",
                first.decision,
                count(u64::from(first.ply) + 1)
            );
            table(&title, top, rows)
        })
    });
    tables.collect()
}

/// How many first moves are told.
const MAX_FIRST_MOVES: usize = 5;

/// Why games end, random and at each level of thought.
pub(super) fn ends(n: &Named<'_>) -> String {
    let top = head("variant, played by, end, games, share (%), plies");
    let rows = n.all().flat_map(|(v, name)| {
        let main = (n.c.settings.agents.join(" and "), &v.ends);
        let levels = v.levels.iter().map(|level| (level.agent.clone(), &level.ends));
        [main].into_iter().chain(levels).flat_map(move |(agent, ends)| {
            ends.iter().map(move |end| {
                vec![
                    Cell::text(name),
                    Cell::text(&agent),
                    Cell::text(&end.end),
                    Cell::number(&count(end.games)),
                    Cell::interval(&alone(&end.share, "share")),
                    Cell::interval(&alone(&end.length, "plies")),
                ]
            })
        })
    });
    more("Why games end", &table("Why games end", &top, rows))
}

/// Positions with one good move.
pub(super) fn puzzles(n: &Named<'_>) -> String {
    let top = head("position, variant, to move, asked, the one move, of, played by, game, ply");
    let rows = n.all().flat_map(|(v, name)| {
        v.puzzles.iter().map(move |p| {
            let asked = match p.kind {
                crate::compare::model::PuzzleKind::OnlyWin => "win at once",
                crate::compare::model::PuzzleKind::OnlyDefence => "do not lose at once",
            };
            vec![
                Cell::html(Html::code(&p.position)),
                Cell::text(name),
                Cell::text(&p.player),
                Cell::text(asked),
                Cell::html(Html::code(&p.solution)),
                Cell::number(&many(p.legal, "move")),
                Cell::text(&p.agent),
                Cell::number(&count(p.game)),
                Cell::number(&count(u64::from(p.ply) + 1)),
            ]
        })
    });
    let out = table("Positions with exactly one good move", &top, rows);
    more("Positions with exactly one good move", &out)
}

/// How it was measured, and the meaning of each metric.
pub(super) fn method(c: &Comparison, command: Option<&str>) -> String {
    let s = &c.settings;
    let mut rows: Vec<(&str, String)> =
        vec![("games", format!("{} of each variant", count(s.games))), ("agents", s.agents.join(" and "))];
    if s.watch > 0 {
        rows.push(("watched move by move", format!("at most {} of them", count(s.watch))));
    }
    if !s.levels.is_empty() {
        let games = many(s.level_games, "game");
        rows.push(("levels of thought", format!("{games} of each variant by {}", s.levels.join(", by "))));
    }
    if !s.strength.is_empty() {
        let games = many(s.strength_games, "game");
        rows.push((
            "strength",
            format!("{games} of each variant and pair, {}", s.strength.join(" against ")),
        ));
    }
    rows.extend([
        ("seed", s.seed.to_string()),
        ("cut after", many(u64::from(s.plies), "ply")),
        (
            "who is ahead",
            match s.leads.max(s.level_leads) {
                0 => "told by score only".to_owned(),
                n => format!("told by score, or by {} from each position", many(u64::from(n), "random game")),
            },
        ),
        (
            "intervals",
            format!("{}, each by itself: not widened for how many there are", percent(s.confidence, 0)),
        ),
        (
            "differs, found",
            format!("significant: adjusted p at most {} (Holm, over all tests of this page)", s.alpha),
        ),
        ("less than", format!("what these games would have shown with a chance of {}", percent(s.power, 0))),
        ("version", format!("Farrier {}", env!("CARGO_PKG_VERSION"))),
    ]);
    let mut rows: Vec<Vec<Cell>> =
        rows.into_iter().map(|(a, b)| vec![Cell::text(a), Cell::text(&b)]).collect();
    if let Some(command) = command {
        rows.push(vec![Cell::text("command"), Cell::html(Html::code(command))]);
    }
    let out = table("How it was measured", &[Cell::text("what"), Cell::text("how")], rows);
    let rows = c.metrics.iter().map(|m| {
        [&m.name, unit(&m.unit).trim(), &m.definition, &m.interval, &m.test].map(Cell::text).to_vec()
    });
    let top = ["metric", "unit", "what is measured", "interval", "test"].map(Cell::text);
    out + &table("What the metrics are", &top, rows)
}
