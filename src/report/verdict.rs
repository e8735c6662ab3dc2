//! What the figures say, in sentences with intervals: what was found, and what is not known yet.

use super::html::{Html, escape, list};
use super::numbers::{count, effect, figure, many, set, told, unit_of_change};
use super::view::short_names;
use crate::compare::model::{Comparison, Difference, Effect, Estimate, Metric, VariantResult};
use crate::compare::numbers::Change;
use crate::compare::words::{first_move, phrase};

/// How many sentences of a kind are told of one variant or option; tables have all.
const TOLD: usize = 8;

/// So many pairs have a list each; more have a sentence each.
const PAIRS: usize = 3;

/// How many differences such a sentence has.
const BRIEFLY: usize = 3;

/// `games are 12 plies shorter (95 % interval 10 to 14)`
pub(super) fn change(m: &Metric, change: &Change, confidence: f64) -> String {
    let told = change.size().map(set);
    let level = if told.is_between() { level(confidence) } else { String::new() };
    let amount =
        if m.unit == "share" { format!("{} percentage points", told.value) } else { told.value.clone() };
    format!("{} ({level}{})", phrase(m, change.grows(), &amount), told.interval())
}

/// What stands before an interval.
fn level(confidence: f64) -> String {
    format!("{:.0}\u{a0}% interval ", confidence * 100.0)
}

/// `With switch-move`, `In hex`
pub(super) fn subject(name: &str) -> String {
    let plain = |rest: &str| !rest.contains(['+', '~', ':']);
    match (name.strip_prefix('+'), name.strip_prefix('~'), name.strip_prefix(':')) {
        (Some(option), ..) => format!("With {}", option.replace('+', " and ")),
        (_, Some(option), _) if plain(option) => format!("Without {option}"),
        (.., Some(value)) if plain(value) => format!("With {}", value.replace('=', " ")),
        _ => format!("In {name}"),
    }
}

fn metric<'c>(c: &'c Comparison, key: &str) -> Option<&'c Metric> {
    c.metrics.iter().find(|m| m.key == key)
}

fn item(strong: &str, rest: &str) -> Html {
    Html(format!("<strong>{}</strong> {}", escape(strong), escape(rest)))
}

/// What is not significant, in one sentence; `variants` is how what is played is called.
fn unknown(c: &Comparison, m: &Metric, whose: &str, e: &Change, needed: Option<u64>, each: &str) -> Html {
    let t = e.signed().map(set);
    let unit = unit_of_change(m);
    let seen = format!("{}{unit} ({})", t.value, t.interval());
    let played = if m.key == "strength" && c.settings.strength_games > 0 {
        c.settings.strength_games
    } else {
        c.settings.games
    };
    let kind = if m.key == "strength" { "strength games" } else { "games" };
    let rest = match needed {
        Some(n) if n > played => format!(
            "{seen} so far. If it is really so much, {} {kind} {each} would show it: {} more.",
            count(n),
            count(n - played)
        ),
        Some(_) => format!("{seen} so far: on the edge, and some more {kind} should tell."),
        None => format!("{seen}: no number of games within reach would show so little."),
    };
    item(&format!("{}, {whose}:", capital(&m.name)), &rest)
}

/// The part with what is not known: the nearest to being known first.
fn open(c: &Comparison, mut all: Vec<(&Metric, String, Change, Option<u64>)>, each: &str) -> String {
    // What shows nothing at all (no draws anywhere) is not a question.
    all.retain(|(_, _, e, _)| !e.is_none());
    all.sort_by_key(|(_, _, _, needed)| needed.unwrap_or(u64::MAX));
    let rest = all.len().saturating_sub(TOLD);
    let items = all.iter().take(TOLD).map(|(m, whose, e, needed)| unknown(c, m, whose, e, *needed, each));
    let items: Vec<Html> = items.collect();
    if items.is_empty() {
        return String::new();
    }
    let after = if rest > 0 {
        format!("<p class=\"small\">The tables have {} more.</p>\n", count(rest as u64))
    } else {
        String::new()
    };
    format!("<h3>What is not known yet</h3>\n{}{after}", list("open", &items))
}

/// The verdict of a comparison of variants.
pub(super) fn variants(c: &Comparison) -> String {
    let names = short_names(&c.variants);
    let name = |variant: &str| {
        let at = c.variants.iter().position(|v| v.variant == variant);
        at.and_then(|i| names.get(i)).map_or("", String::as_str)
    };
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for d in &c.differences {
        if !pairs.contains(&(d.a.as_str(), d.b.as_str())) {
            pairs.push((&d.a, &d.b));
        }
    }
    let mut out = String::new();
    if pairs.len() > PAIRS {
        out += &briefly(c, &pairs, &name);
    }
    for (a, b) in pairs.iter().filter(|_| pairs.len() <= PAIRS) {
        let all: Vec<&Difference> = c.differences.iter().filter(|d| d.a == *a && d.b == *b).collect();
        out += &pair(c, (a, b), (name(a), name(b)), &all);
    }
    let open_ones =
        c.differences.iter().filter(|d| !d.significant && !c.is_same(&d.a, &d.b)).filter_map(|d| {
            let whose = if pairs.len() > 1 {
                format!("{} against {}", name(&d.b), name(&d.a))
            } else {
                name(&d.b).to_owned()
            };
            let m = metric(c, &d.metric)?;
            Some((m, whose, Change::of(c, m, d), d.games_needed))
        });
    out += &open(c, open_ones.collect(), "of each variant");
    out
}

/// The significant differences of a pair, the greatest first.
fn found<'d>(all: &[&'d Difference]) -> Vec<&'d Difference> {
    let mut found: Vec<&Difference> = all.iter().copied().filter(|d| d.significant).collect();
    found.sort_by(|x, y| {
        let size = |d: &Difference| d.effect.unwrap_or(0.0).abs();
        size(y).total_cmp(&size(x))
    });
    found
}

/// Many pairs: one sentence each, with the greatest differences.
fn briefly<'c>(c: &'c Comparison, pairs: &[(&str, &str)], name: &dyn Fn(&str) -> &'c str) -> String {
    let with_first = c.variants.first().is_some_and(|v| pairs.iter().all(|(a, _)| *a == v.variant));
    let mut items = Vec::new();
    let (mut same, mut twins) = (Vec::new(), Vec::new());
    for (a, b) in pairs {
        let all: Vec<&Difference> = c.differences.iter().filter(|d| d.a == *a && d.b == *b).collect();
        let found = found(&all);
        let who =
            if with_first { subject(name(b)) } else { format!("{} against {}", subject(name(b)), name(a)) };
        if c.is_same(a, b) {
            twins.push(format!("{} and {}", name(a), name(b)));
            continue;
        }
        if found.is_empty() {
            same.push(who);
            continue;
        }
        let told = found.iter().take(BRIEFLY).filter_map(|d| {
            let m = metric(c, &d.metric)?;
            let said = change(m, &Change::of(c, m, d), c.settings.confidence);
            // That these are intervals, and of which level, is said once, above.
            Some(said.replace(&level(c.settings.confidence), ""))
        });
        let told = told.collect::<Vec<_>>().join("; ");
        let more = found.len().saturating_sub(BRIEFLY);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        items.push(item(&format!("{who}:"), &format!("{told}{more}.")));
    }
    let lead = format!(
        "<p>What differs significantly{}, the greatest differences first, with {:.0}\u{a0}% intervals.</p>\n",
        if with_first {
            format!(" from {}", escape(c.variants.first().map_or("", |v| name(&v.variant))))
        } else {
            String::new()
        },
        c.settings.confidence * 100.0
    );
    let same = match &same[..] {
        [] => String::new(),
        all => format!("<p>No difference was found: {}.</p>\n", escape(&all.join("; "))),
    };
    let twins = match &twins[..] {
        [] => String::new(),
        all => format!("<p>The same game, whatever it is called: {}.</p>\n", escape(&all.join("; "))),
    };
    lead + &list("found", &items) + &same + &twins
}

fn pair(c: &Comparison, words: (&str, &str), names: (&str, &str), all: &[&Difference]) -> String {
    let found = found(all);
    let title = format!("<h3>{} against {}</h3>\n", escape(names.1), escape(names.0));
    if c.is_same(words.0, words.1) {
        let alarms = match found.len() {
            0 => "No metric came out as different.".to_owned(),
            n => format!("{} came out as different by chance.", many(n as u64, "metric")),
        };
        return format!(
            "{title}<p><strong>Both are the same game</strong>: they mean the same program. {alarms}</p>\n"
        );
    }
    if found.is_empty() {
        return format!(
            "{title}<p>No difference was found in {} metrics: none is larger than chance makes them in so many games.</p>\n",
            all.len()
        );
    }
    let value = |variant: &str, m: &Metric| {
        let e = c.variants.iter().find(|v| v.variant == variant)?.estimates.get(&m.key)?;
        Some(figure(c, m, e).value)
    };
    let unit = |m: &Metric| super::numbers::unit(&m.unit);
    let items = found.iter().take(TOLD).filter_map(|d| {
        let m = metric(c, &d.metric)?;
        let change = change(m, &Change::of(c, m, d), c.settings.confidence);
        let said = format!("{} {change}", subject(names.1));
        let (said, interval) = said.rsplit_once(" (").unwrap_or((&said, ""));
        let both = match (value(words.0, m), value(words.1, m)) {
            (Some(a), Some(b)) => format!(" {b}{} instead of {a}{}.", unit(m), unit(m)),
            _ => String::new(),
        };
        Some(item(said, &format!("({interval}.{both}")))
    });
    let items: Vec<Html> = items.collect();
    let rest = found.len().saturating_sub(TOLD);
    let after = if rest > 0 {
        format!("<p class=\"small\">And {rest} more, in the tables.</p>\n")
    } else {
        String::new()
    };
    let lead = format!("<p>{} of {} metrics differ significantly.</p>\n", found.len(), all.len());
    title + &lead + &list("found", &items) + &after
}

/// Whether moving first is an advantage, variant by variant.
pub(super) fn balance(v: &VariantResult, name: &str) -> Option<Html> {
    let (says, who) = first_move(v)?;
    let share = told(v.estimates.get("first-wins")?, "share").whole("\u{a0}%");
    Some(item(&format!("In {name} {says}:"), &format!("{who} wins {share} of the decided games.")))
}

/// What the options that are not at their defaults did.
pub(super) fn options(v: &VariantResult, name: &str) -> Vec<Html> {
    let share = |e: &Estimate| format!("{}\u{a0}%", told(e, "share").value);
    let one = |o: &crate::compare::model::OptionUse| {
        let mut said = Vec::new();
        if let (Some(used), Some(games)) = (&o.used, &o.games_used) {
            let t = told(used, "times");
            said.push(format!(
                "its moves ({}) are made {} times a game ({}), in {} of games",
                o.adds.join(", "),
                t.value,
                t.interval(),
                share(games)
            ));
        }
        match &o.beside {
            Some(b) if b.differs.value == 0.0 => {
                said.push("in these games it never changed what may be done".to_owned())
            }
            Some(b) => {
                let first = b
                    .first
                    .map(|p| format!(" (in half of them by ply {})", count(u64::from(p) + 1)))
                    .unwrap_or_default();
                said.push(format!("it changes what may be done in {} of games{first}", share(&b.differs)));
                said.push(format!("{} have a move that is not legal without it", share(&b.used)));
            }
            None => {}
        }
        let named = if o.value == "on" { o.option.clone() } else { format!("{} = {}", o.option, o.value) };
        item(
            &if name.strip_prefix('+') == Some(named.as_str()) {
                format!("{named}:")
            } else {
                format!("{named} in {name}:")
            },
            &format!("{}.", said.join("; ")),
        )
    };
    let worth = |o: &&crate::compare::model::OptionUse| o.used.is_some() || o.beside.is_some();
    v.option_uses.iter().filter(worth).map(one).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

/// The verdict of a matrix.
pub(super) fn matrix(c: &Comparison) -> String {
    let Some(matrix) = &c.matrix else { return String::new() };
    let mut out = String::new();
    for option in &matrix.options {
        let mine = |e: &&Effect| matches!(&e.options[..], [one] if *one == option.name);
        let mut found: Vec<&Effect> = matrix.effects.iter().filter(mine).filter(|e| e.significant).collect();
        found.sort_by(|x, y| x.p.total_cmp(&y.p));
        let with = if option.on == "on" { String::new() } else { format!(" {}", option.on) };
        out += &format!("<h3>With {}{}</h3>\n", escape(&option.name), escape(&with));
        if found.is_empty() {
            out += "<p>No effect of its own was found.</p>\n";
            continue;
        }
        let items = found.iter().take(TOLD).filter_map(|e| {
            let m = metric(c, &e.metric)?;
            let said = change(m, &Change::effect(c, m, e), c.settings.confidence);
            let (said, interval) = said.rsplit_once(" (").unwrap_or((&said, ""));
            Some(item(&capital(said), &format!("({interval}.")))
        });
        out += &list("found", &items.collect::<Vec<_>>());
    }
    let mut pairs: Vec<&Effect> =
        matrix.effects.iter().filter(|e| e.options.len() == 2 && e.significant).collect();
    pairs.sort_by(|x, y| x.p.total_cmp(&y.p));
    out += "<h3>Together</h3>\n";
    let items = pairs.iter().take(TOLD).filter_map(|e| {
        let (m, [a, b]) = (metric(c, &e.metric)?, &e.options[..]) else { return None };
        let t = effect(c, m, e);
        Some(item(
            &format!("{a} and {b}:"),
            &format!(
                "with {b}, what {a} does to {} is shifted by {}{} ({}).",
                m.name,
                t.value,
                unit_of_change(m),
                t.interval()
            ),
        ))
    });
    let items: Vec<Html> = items.collect();
    if items.is_empty() {
        out += "<p>No two options were found to change each other's effects.</p>\n";
    }
    out += &list("found", &items);
    if pairs.len() > TOLD {
        out += &format!("<p class=\"small\">And {} more, in the tables.</p>\n", pairs.len() - TOLD);
    }
    let open_ones = matrix.effects.iter().filter(|e| !e.significant).filter_map(|e| {
        let m = metric(c, &e.metric)?;
        Some((m, e.options.join(" with "), Change::effect(c, m, e), e.games_needed))
    });
    out + &open(c, open_ones.collect(), "of each combination")
}
