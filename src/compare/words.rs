//! What the figures say, in sentences.

use super::model::{Comparison, Difference, Effect, Metric, VariantResult};

/// How many sentences a pair of variants, or an option, is worth.
const TOLD: usize = 6;

/// How a metric that grew, or shrank, by `{}` is spoken of. Every metric should be here; what is not has a
/// sentence too, a clumsier one.
const PHRASES: [(&str, &str, &str); 17] = [
    ("length", "games are {} plies longer", "games are {} plies shorter"),
    ("turns", "games have {} more turns", "games have {} fewer turns"),
    ("branching", "there are {} more moves to choose from", "there are {} fewer moves to choose from"),
    ("forced", "the share of forced plies is {} greater", "the share of forced plies is {} smaller"),
    (
        "first-wins",
        "the first player's share of wins is {} greater",
        "the first player's share of wins is {} smaller",
    ),
    ("draws", "the share of draws is {} greater", "the share of draws is {} smaller"),
    (
        "decisive",
        "the share of games with a winner is {} greater",
        "the share of games with a winner is {} smaller",
    ),
    (
        "cut",
        "the share of games that do not end in time is {} greater",
        "the share of games that do not end in time is {} smaller",
    ),
    ("margin", "scores are {} points further apart", "scores are {} points closer"),
    ("lead-changes", "the lead changes {} times more in a game", "the lead changes {} times less in a game"),
    ("drama", "drama is {} greater", "drama is {} smaller"),
    (
        "settled",
        "the part of a game after it is settled is {} greater",
        "the part of a game after it is settled is {} smaller",
    ),
    (
        "coverage",
        "the part of the board that is used is {} greater",
        "the part of the board that is used is {} smaller",
    ),
    ("only-wins", "there are {} more only wins in a game", "there are {} fewer only wins in a game"),
    (
        "last-defence",
        "the share of losses with one last defence is {} greater",
        "the share of losses with one last defence is {} smaller",
    ),
    ("opening", "openings are {} bits more diverse", "openings are {} bits less diverse"),
    (
        "strength",
        "the stronger player's share of points is {} greater",
        "the stronger player's share of points is {} smaller",
    ),
];

/// What is said of a metric that grew, or shrank, by an amount, which is a figure without a sign; of shares
/// with its unit, `2.1 percentage points`.
pub fn phrase(m: &Metric, grows: bool, amount: &str) -> String {
    match PHRASES.iter().find(|(key, ..)| *key == m.key) {
        Some((_, more, less)) => if grows { *more } else { *less }.replace("{}", amount),
        None => {
            let unit = if m.unit == "share" || m.unit == m.name { String::new() } else { unit(&m.unit) };
            format!("{} is {amount}{unit} {}", m.name, if grows { "greater" } else { "smaller" })
        }
    }
}

/// The same of an estimate of the change.
fn changed(m: &Metric, change: f64) -> String {
    let amount = match m.unit.as_str() {
        "share" => format!("{:.1} percentage points", change.abs() * 100.0),
        _ => number(change.abs()),
    };
    phrase(m, change > 0.0, &amount)
}

/// A figure as people read it: shares as per cent.
pub fn figure(value: f64, unit: &str) -> String {
    if unit == "share" {
        return format!("{:.1} %", value * 100.0);
    }
    number(value)
}

/// A number with as many digits as help.
pub fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.01 => format!("{value:.4}"),
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The unit after a figure, with a blank before; shares have theirs in the figure.
pub fn unit(unit: &str) -> String {
    match unit {
        "share" | "times" | "ratio" => String::new(),
        other => format!(" {other}"),
    }
}

fn metric<'c>(c: &'c Comparison, key: &str) -> Option<&'c Metric> {
    c.metrics.iter().find(|m| m.key == key)
}

/// The sentences of a comparison without a matrix.
pub(super) fn comparison(c: &Comparison) -> Vec<String> {
    let mut out = Vec::new();
    let Some(base) = c.variants.first() else { return out };
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for d in &c.differences {
        if !pairs.contains(&(&d.a, &d.b)) {
            pairs.push((&d.a, &d.b));
        }
    }
    for (a, b) in pairs {
        let of_pair: Vec<&Difference> = c.differences.iter().filter(|d| d.a == a && d.b == b).collect();
        out.extend(pair(c, a, b, &of_pair));
    }
    for variant in &c.variants {
        out.extend(options(variant));
    }
    if let [only] = &c.variants[..] {
        out.extend(balance(only));
    } else {
        out.extend(balance(base));
    }
    out
}

fn pair(c: &Comparison, a: &str, b: &str, all: &[&Difference]) -> Vec<String> {
    let mut found: Vec<&&Difference> = all.iter().filter(|d| d.significant).collect();
    found.sort_by(|x, y| {
        let size = |d: &Difference| d.effect.unwrap_or(0.0).abs();
        size(y).total_cmp(&size(x))
    });
    if c.is_same(a, b) {
        let alarms = match found.len() {
            0 => "no metric came out as different".to_owned(),
            n => format!("{} came out as different by chance", text_count(n, "metric")),
        };
        return vec![format!("`{b}` is the same game as `{a}`: both mean the same program; {alarms}.")];
    }
    if found.is_empty() {
        let tests = text_count(all.len(), "metric");
        return vec![format!(
            "No difference between `{a}` and `{b}` was found in {tests}: none is larger than chance makes them \
             in so many games."
        )];
    }
    let value = |variant: &str, key: &str| {
        c.variants.iter().find(|v| v.variant == variant).and_then(|v| v.estimates.get(key)).map(|e| e.value)
    };
    let tested = text_count(all.len(), "metric");
    let mut out = vec![format!("`{b}` differs from `{a}` in {} of {tested}.", found.len())];
    let more = found.len().saturating_sub(TOLD);
    for d in found.into_iter().take(TOLD) {
        let Some(m) = metric(c, &d.metric) else { continue };
        let (Some(x), Some(y)) = (value(a, &m.key), value(b, &m.key)) else { continue };
        out.push(format!(
            "{}: {} instead of {}.",
            capital(&changed(m, d.estimate.value)),
            figure(y, &m.unit),
            figure(x, &m.unit),
        ));
    }
    if more > 0 {
        out.push(format!("The table has the other {more}."));
    }
    out
}

/// `1 metric`, `2 metrics`.
fn text_count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

fn options(variant: &VariantResult) -> Vec<String> {
    let percent = |share: f64| figure(share, "share");
    variant
        .option_uses
        .iter()
        .map(|o| {
            let mut text = format!("In `{}` the option {}", variant.variant, o.option);
            match (&o.used, &o.games_used) {
                (Some(used), Some(games)) => {
                    let moves = if o.adds.len() == 1 { "the decision" } else { "the decisions" };
                    text += &format!(
                        " adds {moves} {}: used in {} of games, {} times a game",
                        o.adds.join(", "),
                        percent(games.value),
                        number(used.value)
                    );
                }
                _ => text += " adds no decision of its own",
            }
            match &o.beside {
                Some(beside) if beside.differs.value == 0.0 => {
                    text += "; in these games it never made a difference to what is offered";
                }
                Some(beside) => {
                    text += &format!(
                        "; it makes a difference to what is offered in {} of games",
                        percent(beside.differs.value)
                    );
                    if let Some(first) = beside.first {
                        text += &format!(" (first at ply {}, the median)", first + 1);
                    }
                    text += &format!(
                        ", and {} of games have a move that is not legal without it",
                        percent(beside.used.value)
                    );
                }
                None => {}
            }
            text + "."
        })
        .collect()
}

fn balance(variant: &VariantResult) -> Option<String> {
    let first = variant.estimates.get("first-wins")?;
    let [name, _] = &variant.players[..] else { return None };
    let says = if first.low > 0.5 {
        "moving first is an advantage"
    } else if first.high < 0.5 {
        "moving first is a disadvantage"
    } else {
        "no advantage of moving first is seen"
    };
    Some(format!(
        "In `{}` {name} wins {} of the decided games ({} to {}): {says}.",
        variant.variant,
        figure(first.value, "share"),
        figure(first.low, "share"),
        figure(first.high, "share"),
    ))
}

/// The sentences of a matrix.
pub(super) fn matrix(c: &Comparison) -> Vec<String> {
    let Some(matrix) = &c.matrix else { return Vec::new() };
    let mut out = Vec::new();
    let change = |e: &Effect, m: &Metric| {
        let size = e.estimate.value.abs();
        let amount = match m.unit.as_str() {
            "share" => format!("{:.1} percentage points", size * 100.0),
            _ if m.name == m.unit => number(size),
            _ => format!("{}{}", number(size), unit(&m.unit)),
        };
        format!("{amount} {}", if e.estimate.value > 0.0 { "more" } else { "less" })
    };
    for option in &matrix.options {
        let mine = |e: &&Effect| e.options.len() == 1 && e.options[0] == option.name;
        let mut found: Vec<&Effect> = matrix.effects.iter().filter(mine).filter(|e| e.significant).collect();
        found.sort_by(|x, y| x.p.total_cmp(&y.p));
        if found.is_empty() {
            out.push(format!("No effect of {} by itself was found.", option.name));
            continue;
        }
        let told =
            found.iter().take(TOLD).filter_map(|e| Some(changed(metric(c, &e.metric)?, e.estimate.value)));
        let told: Vec<String> = told.collect();
        let more = match found.len().saturating_sub(TOLD) {
            0 => String::new(),
            n => format!("; and {n} more"),
        };
        out.push(format!("With {} {}{more}.", option.name, told.join("; ")));
    }
    let mut pairs: Vec<&Effect> =
        matrix.effects.iter().filter(|e| e.options.len() == 2 && e.significant).collect();
    pairs.sort_by(|x, y| x.p.total_cmp(&y.p));
    for e in pairs.iter().take(TOLD) {
        let (Some(m), [a, b]) = (metric(c, &e.metric), &e.options[..]) else { continue };
        out.push(format!(
            "{a} and {b} change each other's effect: what {a} does to {} is {} where {b} is on.",
            m.name,
            change(e, m)
        ));
    }
    if pairs.len() > TOLD {
        out.push(format!("{} more pairs of options change each other's effects.", pairs.len() - TOLD));
    }
    if pairs.is_empty() && matrix.options.len() > 1 {
        out.push("No two options were found to change each other's effects.".to_owned());
    }
    out
}

/// What must be known to read the figures rightly.
pub(super) fn notes(c: &Comparison, unlooked: &[u64]) -> Vec<String> {
    let mut out = Vec::new();
    if c.settings.agents.iter().all(|a| a == "random") {
        out.push(
            "The games are random: they show what the rules allow, not what good players do; `--agents flat:100` \
             thinks a little."
                .to_owned(),
        );
    }
    for (variant, unlooked) in c.variants.iter().zip(unlooked) {
        let cut = variant.outcomes.iter().find(|o| o.outcome == "unfinished").map_or(0, |o| o.games);
        if cut > 0 {
            out.push(format!(
                "{cut} games of `{}` were cut at {} plies: its lengths are at least what stands here.",
                variant.variant, c.settings.plies
            ));
        }
        if *unlooked > 0 {
            out.push(format!(
                "In {unlooked} games of `{}` looking ahead would have taken too long: they do not count for \
                 only wins and only defences.",
                variant.variant
            ));
        }
        for option in variant.option_uses.iter().filter(|o| o.beside.is_none()) {
            out.push(format!(
                "There is no game like `{}` without {}: what that option does is not seen move by move.",
                variant.variant, option.option
            ));
        }
    }
    let many = c.variants.iter().filter(|v| {
        let opening = v.openings.depths.iter().find(|d| d.plies == v.openings.plies);
        opening.is_some_and(|d| d.games > 1 && d.distinct * 4 > d.games)
    });
    let many: Vec<String> = many.map(|v| format!("`{}`", v.variant)).collect();
    if !many.is_empty() {
        out.push(format!(
            "So many of the openings of {} were seen only once or twice that their diversity is higher than it \
             shows: a smaller `--opening` or more games help.",
            listed(&many)
        ));
    }
    if !c.variants.iter().any(|v| v.estimates.contains_key("drama")) {
        out.push(
            "Nothing says who is ahead (no score, and the agents expect nothing), so there are no lead changes \
             and no drama."
                .to_owned(),
        );
    }
    out
}

/// The first of some words, and how many more there are.
fn listed(words: &[String]) -> String {
    match words.len().saturating_sub(3) {
        0 => words.join(", "),
        more => format!("{} and {more} more", words.get(..3).unwrap_or(words).join(", ")),
    }
}
