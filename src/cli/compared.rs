//! A comparison as text for people, and as a table for programs.

use super::{Stop, text};
use crate::compare::model::{
    Comparison, Difference, Effect, EndShare, Estimate, Matrix, MatrixOption, Metric, VariantResult,
};
use crate::compare::numbers::{Change, Digits, alone, chance, name};
use crate::compare::words;
use crate::wording::distinct;

/// The widest a sentence is printed.
const WIDTH: usize = 100;

/// The whole text: the findings in words, then the tables.
pub(super) fn text(c: &Comparison) -> String {
    let s = &c.settings;
    let agents = s.agents.join(" and ");
    let mut out = String::new();
    if let Some(m) = &c.matrix {
        out +=
            &format!("{}: {} of options\n", m.game, text::many(m.combinations.len() as u64, "combination"));
    }
    let each = if c.variants.len() > 1 { " of each" } else { "" };
    out += &format!("{}{each}, played by {agents}, seed {}\n\n", text::many(s.games, "game"), s.seed);
    for sentence in &c.verdict {
        out += &format!("{}\n", paragraph(sentence, "  "));
    }
    out += "\n";
    out += &c.matrix.as_ref().map_or_else(|| variants(c), |matrix| effects(c, matrix));
    out += &format!("{}\n", paragraph(&words::legend(c), ""));
    for note in &c.notes {
        out += &format!("{}\n", paragraph(&format!("note: {note}"), ""));
    }
    text::plain(&out)
}

fn paragraph(sentence: &str, indent: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in sentence.split(' ') {
        match (word.starts_with('%'), words.last_mut()) {
            // The sign stays with its number.
            (true, Some(number)) => *number += &format!(" {word}"),
            _ => words.push(word.to_owned()),
        }
    }
    text::wrapped(&words, indent, WIDTH)
}

/// `A`, `B`, ... `Z`, `A1`, ...
fn letter(place: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(place % 26).unwrap_or(0));
    if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26) }
}

/// The sign behind a figure of a metric.
pub(super) fn sign(m: &Metric) -> &'static str {
    if m.unit == "share" { " %" } else { "" }
}

/// The name of a metric with its unit, but for shares: their figures have a sign.
fn name_of(m: &Metric) -> String {
    name(m, "")
}

/// A figure with its interval.
fn estimate(c: &Comparison, e: Option<&Estimate>, m: &Metric) -> String {
    e.map_or_else(|| "-".to_owned(), |e| Digits::metric(c, m).told(e).whole(sign(m)))
}

fn variants(c: &Comparison) -> String {
    let mut out = String::new();
    let place = |variant: &str| c.place(variant).unwrap_or(0);
    for (i, v) in c.variants.iter().enumerate() {
        out += &format!("  {}  {}\n", letter(i), v.variant);
    }
    out += "\n";
    let one = c.variants.len() == 2;
    let mut head = vec!["  metric".to_owned()];
    head.extend((0..c.variants.len()).map(letter));
    if one {
        head.extend(["B - A".to_owned(), "p (Holm)".to_owned(), String::new()]);
    }
    let rows = c.metrics.iter().map(|m| {
        let mut row = vec![format!("  {}", name_of(m))];
        row.extend(c.variants.iter().map(|v| estimate(c, v.estimates.get(&m.key), m)));
        if one {
            let d = c.differences.iter().find(|d| d.metric == m.key);
            row.extend(d.map_or_else(|| vec![String::new(); 3], |d| difference(c, d, m).to_vec()));
        }
        row
    });
    out += &table(&head, rows.collect());
    if c.variants.len() > 2 {
        let head = ["  difference", "metric", "", "p (Holm)", ""].map(str::to_owned);
        let rows = c.differences.iter().filter_map(|d| {
            let m = c.metric(&d.metric)?;
            let [change, p, says] = difference(c, d, m);
            let pair = format!("  {} - {}", letter(place(&d.b)), letter(place(&d.a)));
            Some(vec![pair, name_of(m), change, p, says])
        });
        out += &table(&head, rows.collect());
    }
    out + &ends(c) + &decisions(c) + &openings(c)
}

/// Why games ended: the watched ones, and those at the strongest level.
fn ends(c: &Comparison) -> String {
    let watched = c.variants.iter().map(|v| &v.ends[..]).collect();
    let strongest = c.variants.iter().map(|v| v.levels.last().map_or(&[][..], |level| &level.ends)).collect();
    ends_of("watched games", watched) + &ends_of("strongest level", strongest)
}

/// The ends of each variant.
fn ends_of(games: &str, all: Vec<&[EndShare]>) -> String {
    let names = distinct(all.iter().copied().flatten().map(|end| end.end.as_str()));
    if names.is_empty() {
        return String::new();
    }
    let mut head = vec![format!("  why games end ({games})")];
    head.extend((0..all.len()).map(letter));
    let rows = names.into_iter().map(|name| {
        let mut row = vec![format!("  {name}")];
        row.extend(all.iter().map(|ends| match ends.iter().find(|end| end.end == name) {
            Some(end) => {
                let plies = alone(&end.length, "plies").value;
                format!("{}, {plies} plies", alone(&end.share, "share").whole(" %"))
            }
            None => "-".to_owned(),
        }));
        row
    });
    table(&head, rows.collect())
}

fn difference(c: &Comparison, d: &Difference, m: &Metric) -> [String; 3] {
    [Change::of(c, m, d).signed().whole(""), chance(d.p_adjusted), words::outcome(c, m, d)]
}

/// How often the decisions are used, where the variants have more than one.
fn decisions(c: &Comparison) -> String {
    let names = c.decisions();
    if names.len() < 2 {
        return String::new();
    }
    let mut head = vec!["  moves a game".to_owned()];
    head.extend((0..c.variants.len()).map(letter));
    head.push("of option".to_owned());
    let rows = names.into_iter().map(|(name, option)| {
        let mut row = vec![format!("  {name}")];
        row.extend(c.variants.iter().map(|v| {
            let used = v.decisions.iter().find(|d| d.decision == name);
            used.map_or("-".to_owned(), |d| alone(&d.per_game, "times").whole(""))
        }));
        row.push(option.unwrap_or_default().to_owned());
        row
    });
    table(&head, rows.collect())
}

/// The most frequent openings, where somebody thinks, and how new rules begin to be used.
fn openings(c: &Comparison) -> String {
    let mut out = String::new();
    for (i, v) in c.variants.iter().enumerate().filter(|_| !c.settings.is_random()) {
        let Some(depth) = v.openings.depths.iter().find(|d| d.plies == v.openings.plies) else { continue };
        let top = v.openings.top.iter().take(3);
        let top = top.map(|o| format!("{} {}", o.moves.join(" "), alone(&o.share, "share").value + " %"));
        out += &format!(
            "  openings of {}: {} different in {} of {}, most often {}\n",
            text::many(u64::from(v.openings.plies), "ply"),
            text::count(depth.distinct),
            text::many(depth.games, "game"),
            letter(i),
            top.collect::<Vec<_>>().join(", ")
        );
    }
    out += &first_uses(c);
    if out.is_empty() { out } else { out + "\n" }
}

/// How the decisions that options add are used for the first time.
fn first_uses(c: &Comparison) -> String {
    let of = |(i, v): (usize, &VariantResult)| {
        let first = v.option_uses.iter().flat_map(|o| &o.first_uses);
        let told = first.map(|first| {
            let top = first.top.iter().take(3);
            let top = top.map(|f| format!("{} {}", f.text, alone(&f.share, "share").value + " %"));
            format!(
                "  first {} of {}{}: at ply {} (median), most often {}\n",
                first.decision,
                letter(i),
                c.settings.strongest_play(),
                first.ply + 1,
                top.collect::<Vec<_>>().join(", ")
            )
        });
        told.collect::<String>()
    };
    c.variants.iter().enumerate().map(of).collect()
}

fn effects(c: &Comparison, matrix: &Matrix) -> String {
    let mut out = String::new();
    let head = ["  tried", "from", "to", "what the option does"].map(str::to_owned);
    let row =
        |o: &MatrixOption| vec![format!("  {}", o.name), o.off.clone(), o.on.clone(), o.summary.clone()];
    out += &table(&head, matrix.options.iter().map(row).collect());
    for (title, many) in [("effect of one option", 1), ("effect on each other", 2)] {
        let head = [&format!("  {title}"), "metric", "effect", "p (Holm)", ""].map(str::to_owned);
        // Only significant effects of pairs: there are many pairs, and most do nothing.
        let told = |e: &&Effect| e.options.len() == many && (many == 1 || e.significant);
        let rows = matrix_rows(c, matrix.effects.iter().filter(told));
        if !rows.is_empty() {
            out += &table(&head, rows);
        }
    }
    let mut head = vec!["  combination".to_owned()];
    let is_shown = |m: &&Metric| {
        COMBINATION_METRICS.iter().any(|key| m.key == *key || key.ends_with('@') && m.key.starts_with(key))
    };
    let shown: Vec<&Metric> = c.metrics.iter().filter(is_shown).collect();
    head.extend(shown.iter().map(|m| name_of(m)));
    let rows = c.variants.iter().map(|v| {
        let mut row = vec![format!("  {}", v.variant)];
        row.extend(shown.iter().map(|m| {
            let told = v.estimates.get(&m.key).map(|e| Digits::metric(c, m).told(e).value + sign(m));
            told.unwrap_or_else(|| "-".to_owned())
        }));
        row
    });
    out += &table(&head, rows.collect());
    for (variant, reason) in &matrix.left_out {
        out += &format!("  not played: {variant} ({reason})\n");
    }
    if !matrix.aliased.is_empty() {
        let pairs: Vec<String> = matrix.aliased.iter().map(|[a, b]| format!("{a} with {b}")).collect();
        out += &format!("{}\n", paragraph(&format!("cannot be told: {}", pairs.join(", ")), "  "));
    }
    if matrix.left_out.is_empty() && matrix.aliased.is_empty() { out } else { out + "\n" }
}

/// The metrics that are shown of each combination.
const COMBINATION_METRICS: [&str; 5] = ["length", "branching", "first-wins", "draws", "first-points@"];

fn matrix_rows<'e>(c: &Comparison, told: impl Iterator<Item = &'e Effect>) -> Vec<Vec<String>> {
    let rows = told.filter_map(|e| {
        let m = c.metric(&e.metric)?;
        let says = words::outcome_of_effect(c, m, e);
        let change = Change::effect(c, m, e).signed().whole("");
        Some(vec![format!("  {}", e.options.join(" & ")), name_of(m), change, chance(e.p_adjusted), says])
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    // One option after the other, as people ask.
    rows.sort_by(|a, b| a.first().cmp(&b.first()));
    rows
}

/// A table that is not broken, and an empty line.
pub(super) fn table(head: &[String], rows: Vec<Vec<String>>) -> String {
    let wide = |i: usize| {
        let cells = rows.iter().filter_map(|r| r.get(i)).chain(head.get(i));
        cells.map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(wide).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).map(|(cell, wide)| format!("{cell:wide$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    line(head) + &rows.iter().map(|row| line(row)).collect::<String>() + "\n"
}

/// All estimates, differences and effects, a row each.
pub(super) fn csv(c: &Comparison) -> Result<Vec<u8>, Stop> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let failed = |e: csv::Error| Stop::input(format!("the table cannot be written: {e}"));
    let head = "kind metric unit a b value low high n effect p p_adjusted significant games_needed";
    out.write_record(head.split(' ')).map_err(failed)?;
    let unit_of = |key: &str| c.metric(key).map_or("", |m| m.unit.as_str());
    let mut row = |kind: &str, metric: &str, a: &str, b: &str, e: &Estimate, rest: [String; 5]| {
        // A lower bound has no upper end.
        let high = if e.at_least { String::new() } else { e.high.to_string() };
        let about = [kind, metric, unit_of(metric), a, b].map(str::to_owned);
        let figures = [e.value.to_string(), e.low.to_string(), high, e.n.to_string()];
        out.write_record(about.iter().chain(&figures).chain(&rest)).map_err(failed)
    };
    for v in &c.variants {
        for (metric, e) in &v.estimates {
            row("estimate", metric, &v.variant, "", e, Default::default())?;
        }
    }
    let needed = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    for d in &c.differences {
        let rest = [
            d.effect.map(|e| e.to_string()).unwrap_or_default(),
            d.p.to_string(),
            d.p_adjusted.to_string(),
            d.significant.to_string(),
            needed(d.games_needed),
        ];
        row("difference", &d.metric, &d.a, &d.b, &d.estimate, rest)?;
    }
    for e in c.matrix.iter().flat_map(|m| &m.effects) {
        let rest = [
            String::new(),
            e.p.to_string(),
            e.p_adjusted.to_string(),
            e.significant.to_string(),
            needed(e.games_needed),
        ];
        let (a, b) = (e.options.first().cloned().unwrap_or_default(), e.options.get(1).cloned());
        row("effect", &e.metric, &a, &b.unwrap_or_default(), &e.estimate, rest)?;
    }
    out.into_inner().map_err(|e| Stop::input(format!("the table cannot be written: {e}")))
}
