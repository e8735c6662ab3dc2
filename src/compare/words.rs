//! What the figures say, in sentences.

use super::lead;
use super::model::{Comparison, Difference, Effect, Estimate, Metric, VariantResult};
use super::numbers::{Change, Digits, alone};

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

/// The same of a change.
fn changed(m: &Metric, change: &Change) -> String {
    let unit = if m.unit == "share" { " percentage points" } else { "" };
    phrase(m, change.grows(), &(change.size().value + unit))
}

/// The unit after a figure, with a blank before.
pub fn unit(unit: &str) -> String {
    match unit {
        "share" => " %".to_owned(),
        "times" | "ratio" => String::new(),
        other => format!(" {other}"),
    }
}

/// A share that stands alone, as per cent.
fn percent(e: &Estimate) -> String {
    alone(e, "share").value + " %"
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
    let value = |variant: &str, m: &Metric| {
        let e = c.variants.iter().find(|v| v.variant == variant)?.estimates.get(&m.key)?;
        Some(Digits::metric(c, m).told(e).value + if m.unit == "share" { " %" } else { "" })
    };
    let tested = text_count(all.len(), "metric");
    let mut out = vec![format!("`{b}` differs from `{a}` in {} of {tested}.", found.len())];
    let more = found.len().saturating_sub(TOLD);
    for d in found.into_iter().take(TOLD) {
        let Some(m) = metric(c, &d.metric) else { continue };
        let (Some(x), Some(y)) = (value(a, m), value(b, m)) else { continue };
        out.push(format!("{}: {y} instead of {x}.", capital(&changed(m, &Change::of(c, m, d)))));
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
                        percent(games),
                        alone(used, "times").value
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
                        percent(&beside.differs)
                    );
                    if let Some(first) = beside.first {
                        text += &format!(" (first at ply {}, the median)", first + 1);
                    }
                    text += &format!(
                        ", and {} of games have a move that is not legal without it",
                        percent(&beside.used)
                    );
                }
                None => {}
            }
            text + "."
        })
        .collect()
}

/// What is to be said of the first move, and whose it is: `In X`, the finding, the player.
pub fn first_move(variant: &VariantResult) -> Option<(&'static str, String)> {
    let share = variant.estimates.get("first-wins")?;
    let even = variant.first_move?;
    let says = match (even.significant, share.value > 0.5) {
        (true, true) => "moving first is an advantage",
        (true, false) => "moving first is a disadvantage",
        (false, _) => "no advantage of moving first was found",
    };
    Some((says, variant.first.clone().unwrap_or_else(|| "who begins".to_owned())))
}

fn balance(variant: &VariantResult) -> Option<String> {
    let (says, who) = first_move(variant)?;
    let share = alone(variant.estimates.get("first-wins")?, "share");
    Some(format!("In `{}` {who} wins {} of the decided games: {says}.", variant.variant, share.whole(" %")))
}

/// The sentences of a matrix.
pub(super) fn matrix(c: &Comparison) -> Vec<String> {
    let Some(matrix) = &c.matrix else { return Vec::new() };
    let mut out = Vec::new();
    let change = |e: &Effect, m: &Metric| {
        let change = Change::effect(c, m, e);
        let unit = match m.unit.as_str() {
            "share" => " percentage points".to_owned(),
            own if m.name == own => String::new(),
            other => unit(other),
        };
        format!("{}{unit} {}", change.size().value, if change.grows() { "more" } else { "less" })
    };
    for option in &matrix.options {
        let mine = |e: &&Effect| e.options.len() == 1 && e.options[0] == option.name;
        let mut found: Vec<&Effect> = matrix.effects.iter().filter(mine).filter(|e| e.significant).collect();
        found.sort_by(|x, y| x.p.total_cmp(&y.p));
        if found.is_empty() {
            out.push(format!("No effect of {} by itself was found.", option.name));
            continue;
        }
        let told = found.iter().take(TOLD).filter_map(|e| {
            let m = metric(c, &e.metric)?;
            Some(changed(m, &Change::effect(c, m, e)))
        });
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

/// What must be known to read the figures rightly; `leads` says whether it is asked who is ahead.
pub(super) fn notes(c: &Comparison, unlooked: &[u64], leads: bool) -> Vec<String> {
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
        for option in &variant.option_uses {
            let Some(why) = &option.apart else { continue };
            out.push(format!(
                "What {} does in `{}` is not seen move by move: without it {why}.",
                option.option, variant.variant
            ));
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
    if c.settings.leads > 0 && c.variants.iter().any(|v| v.margins.is_none() && !v.leads.is_empty()) {
        out.push(format!(
            "Where no score is counted, {} random games from each position say who is ahead, for all agents alike: \
             who would get at least {} points of 1 more than any other.",
            c.settings.leads,
            lead::LEAD
        ));
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
