//! The conclusions in sentences: one text for the terminal, the page and programs. Names of variants and input to type
//! stand in backticks.
//!
//! - [`lead`]: the first sentence: the effect of a variant on who begins, or whether there is a difference.
//! - [`findings`]: the other findings, the largest first, no more than a reader takes in.
//! - [`uses`]: the use of the options in the games.
//! - [`verdict`]: all that, in this order.
//! - [`open`]: open questions, and the differences that would have been seen.
//! - [`legend`]: an explanation of intervals, chances and numbers of games.
//!
//! The phrase for a change of a metric stands in its row of the table `metric`. [`numbers`](super::numbers) rounds
//! the figures.

use super::metric::{FIRST_POINTS, FIRST_WINS, at_level, phrase};
use super::model::{
    Comparison, Difference, Effect, Estimate, Matrix, MatrixOption, Metric, OptionUse, RestrictedPlay,
    TRIVIAL, VariantResult,
};
use super::numbers::{Change, Digits, alone, percent, unit_of_change};
use crate::statistics::wilson;
use crate::wording::{capital, count, many};

/// How many sentences a pair of variants, or an option, is worth. The tables have all.
const MAX_SENTENCES: usize = 5;

/// Up to so many pairs have several sentences each; of more, each has one.
const MAX_TOLD_PAIRS: usize = 3;

/// How many changes a pair's only sentence has.
const MAX_BRIEF_CHANGES: usize = 3;

/// Up to so many variants have sentences of their own; of more, only the first has.
const MAX_TOLD_VARIANTS: usize = 6;

/// All that was found.
pub fn verdict(c: &Comparison) -> Vec<String> {
    [lead(c), findings(c), uses(c)].concat()
}

/// The first sentences: one for each pair, of few pairs.
pub fn lead(c: &Comparison) -> Vec<String> {
    told(c).0
}

/// The other findings.
pub fn findings(c: &Comparison) -> Vec<String> {
    told(c).1
}

/// The first sentences, and the rest. Where nothing is known of the balance, the first finding is said first.
fn told(c: &Comparison) -> (Vec<String>, Vec<String>) {
    let balanced: Vec<String> = match (&c.matrix, &c.variants[..]) {
        (Some(m), _) => vec![balance_of_options(c, m).unwrap_or_else(|| options_that_do(m))],
        (None, [one]) => balance_alone(c, one).into_iter().collect(),
        (None, _) => c.pairs().iter().take(MAX_TOLD_PAIRS).filter_map(|(a, b)| balance_of(c, a, b)).collect(),
    };
    let mut found = match (&c.matrix, &c.variants[..]) {
        (Some(m), _) => matrix(c, m),
        (None, [one]) => [variants(c), thought(c, one).into_iter().collect()].concat(),
        (None, _) => variants(c),
    };
    if balanced.is_empty() && !found.is_empty() {
        let rest = found.split_off(1);
        return (found, rest);
    }
    (balanced, found)
}

/// The use of the options in the games.
pub fn uses(c: &Comparison) -> Vec<String> {
    let some = few(c).filter(|_| c.matrix.is_none());
    some.flat_map(|v| [options(v), worths(v)].concat()).collect()
}

/// The variants that have sentences of their own.
fn few(c: &Comparison) -> impl Iterator<Item = &VariantResult> {
    c.variants.iter().take(if c.variants.len() > MAX_TOLD_VARIANTS { 1 } else { MAX_TOLD_VARIANTS })
}

/// `games are 12 plies shorter (10 to 14)`
fn changed(m: &Metric, change: &Change) -> String {
    let told = change.size();
    let unit = if m.unit == "share" { " percentage points" } else { "" };
    format!("{} ({})", phrase(m, change.grows(), &(told.value.clone() + unit)), told.interval())
}

/// A share that stands alone, as per cent.
fn share(e: &Estimate) -> String {
    alone(e, "share").value + " %"
}

/// `; and 3 more`, of those that are not told.
fn more(all: usize, told: usize) -> String {
    match all.saturating_sub(told) {
        0 => String::new(),
        n => format!("; and {n} more"),
    }
}

fn variants(c: &Comparison) -> Vec<String> {
    let pairs = c.pairs();
    let mut out: Vec<String> = match pairs.len() > MAX_TOLD_PAIRS {
        true => briefly(c, &pairs),
        false => pairs.iter().flat_map(|(a, b)| pair(c, a, b)).collect(),
    };
    // Where better play says who is ahead, random play is left to the figures.
    if c.settings.levels.is_empty() && c.variants.len() > 1 {
        out.extend(few(c).filter_map(balance));
    }
    out
}

/// The effect of a variant on the balance between the first player and the others in the strongest play, and whether
/// random play agrees.
fn balance_of(c: &Comparison, a: &str, b: &str) -> Option<String> {
    let agent = c.settings.levels.last().filter(|_| !c.is_same(a, b))?;
    let change = |key: &str| {
        let m = c.metric(key)?;
        Some((m, c.of_pair(a, b).find(|d| d.metric == key)?))
    };
    let (m, d) = change(&at_level(FIRST_POINTS, agent))?;
    let share = |variant: &str| Some(Digits::metric(c, m).told(c.estimate(variant, m)?).value + " %");
    let (before, after) = (share(a)?, share(b)?);
    let plain = change(FIRST_POINTS).or_else(|| change(FIRST_WINS)).filter(|_| c.settings.is_random());
    if !d.significant {
        let seen = d.seen.map(|seen| {
            let size = Digits::metric(c, m).size(seen);
            format!("; a change of {size} percentage points would have been seen")
        });
        let random = plain.filter(|(_, d)| d.significant);
        let random = random.map(|_| ". In random play there is one");
        return Some(format!(
            "In play by {agent} no change of balance was found: who begins gets {after} of the points in `{b}` and \
             {before} in `{a}`{}{}.",
            seen.unwrap_or_default(),
            random.unwrap_or_default()
        ));
    }
    let off = |variant: &str| Some((c.estimate(variant, m)?.value - 0.5).abs());
    let sense = if off(b)? < off(a)? { "nearer to even" } else { "farther from even" };
    let random = match plain {
        Some((_, d)) if !d.significant => ". Random play does not show it",
        Some((_, r)) if (r.estimate.value > 0.0) != (d.estimate.value > 0.0) => {
            ". Random play shows the opposite"
        }
        Some(_) => ". Random play shows it too",
        None => "",
    };
    let told = Change::of(c, m, d).signed();
    Some(format!(
        "In play by {agent} `{b}` is {sense} than `{a}`: who begins gets {after} of the points instead of {before} \
         ({} percentage points, {}){random}.",
        told.value,
        told.interval()
    ))
}

/// The significant differences of a pair, the greatest first.
fn found<'c>(c: &'c Comparison, a: &'c str, b: &'c str) -> Vec<&'c Difference> {
    let mut found: Vec<&Difference> = c.of_pair(a, b).filter(|d| d.significant).collect();
    let size = |d: &Difference| d.effect.unwrap_or(0.0).abs();
    found.sort_by(|x, y| size(y).total_cmp(&size(x)));
    found
}

/// Why the same game comes out as different from itself.
fn alarm(c: &Comparison, a: &str, b: &str) -> &'static str {
    let [a, b] = [a, b].map(|name| c.place(name).and_then(|place| c.variants[place].weights.as_ref()));
    if a == b { "by chance" } else { "by chance or by other weights" }
}

fn pair(c: &Comparison, a: &str, b: &str) -> Vec<String> {
    let found = found(c, a, b);
    if c.is_same(a, b) {
        let alarms = match found.len() as u64 {
            0 => "no metric came out as different".to_owned(),
            n => format!("{} came out as different {}", many(n, "metric"), alarm(c, a, b)),
        };
        return vec![format!("`{b}` is the same game as `{a}`: both mean the same program; {alarms}.")];
    }
    let tested = many(c.of_pair(a, b).count() as u64, "metric");
    if found.is_empty() {
        return vec![format!(
            "No difference between `{a}` and `{b}` was found in {tested}: none is larger than chance makes them \
             in so many games."
        )];
    }
    let mut out = vec![format!("`{b}` differs from `{a}` in {} of {tested}.", found.len())];
    // The first sentence says this.
    let told = c.settings.levels.last().map(|agent| at_level(FIRST_POINTS, agent));
    let rest: Vec<&&Difference> = found.iter().filter(|d| Some(&d.metric) != told.as_ref()).collect();
    for d in rest.iter().take(MAX_SENTENCES) {
        let trivial = if d.is_trivial() { " This is trivial." } else { "" };
        let Some(m) = c.metric(&d.metric) else { continue };
        let sign = if m.unit == "share" { " %" } else { "" };
        let value = |variant| Some(Digits::metric(c, m).told(c.estimate(variant, m)?).value + sign);
        let both = match (value(a), value(b)) {
            (Some(x), Some(y)) => format!(": {y} instead of {x}"),
            _ => String::new(),
        };
        out.push(format!("{}{both}.{trivial}", capital(&changed(m, &Change::of(c, m, d)))));
    }
    if rest.len() > MAX_SENTENCES {
        let more = many((rest.len() - MAX_SENTENCES) as u64, "more difference");
        out.push(format!("The tables have {more}."));
    }
    out
}

/// Of many pairs one sentence each, with the greatest differences.
fn briefly(c: &Comparison, pairs: &[(&str, &str)]) -> Vec<String> {
    let (mut out, mut alike, mut same) = (Vec::new(), Vec::new(), Vec::new());
    for (a, b) in pairs {
        let found = found(c, a, b);
        if c.is_same(a, b) {
            same.push(format!("`{a}` and `{b}`"));
        } else if found.is_empty() {
            alike.push(format!("`{b}` against `{a}`"));
        } else {
            let told = found.iter().take(MAX_BRIEF_CHANGES).filter_map(|d| {
                let m = c.metric(&d.metric)?;
                Some(changed(m, &Change::of(c, m, d)))
            });
            let told = told.collect::<Vec<_>>().join("; ");
            out.push(format!("`{b}` against `{a}`: {told}{}.", more(found.len(), MAX_BRIEF_CHANGES)));
        }
    }
    for (what, pairs) in
        [("No difference was found", alike), ("These are the same game, whatever they are called", same)]
    {
        if !pairs.is_empty() {
            out.push(format!("{what}: {}.", pairs.join("; ")));
        }
    }
    out
}

fn options(variant: &VariantResult) -> Vec<String> {
    let one = |o: &OptionUse| {
        let mut text = match (&o.used, &o.games_used) {
            (Some(used), Some(games)) => format!(
                "adds {} {}: used in {} of games, {} times a game",
                if o.adds.len() == 1 { "the decision" } else { "the decisions" },
                o.adds.join(", "),
                share(games),
                alone(used, "times").value
            ),
            _ => "adds no decision of its own".to_owned(),
        };
        if let Some(beside) = &o.beside {
            if beside.differs.value == 0.0 {
                text += "; in these games it never made a difference to what is offered";
            } else {
                let first = beside.first.map(|p| format!(" (first at ply {}, the median)", p + 1));
                text += &format!(
                    "; it makes a difference to what is offered in {} of games{}, and {} of games have a move \
                     that is not legal otherwise",
                    share(&beside.differs),
                    first.unwrap_or_default(),
                    share(&beside.used)
                );
            }
        }
        format!("In `{}` the option {} {text}.", variant.variant, o.option)
    };
    variant.option_uses.iter().map(one).collect()
}

/// Whether more thought wins more.
fn thought(c: &Comparison, variant: &VariantResult) -> Option<String> {
    let score = variant.strength.as_ref()?.score;
    let got = alone(&score, "share").whole(" %");
    let who = match c.settings.ladder() {
        [stronger, weaker] => format!("{stronger} gets {got} of the points against {weaker}"),
        all => format!("of {} each gets {got} of the points against the next", all.join(", ")),
    };
    let says = match (score.low > 0.5, score.high < 0.5) {
        (true, _) => "more thought wins more",
        (_, true) => "more thought wins less",
        _ => "more thought was not found to win more",
    };
    Some(format!("In `{}` {says}: {who}.", variant.variant))
}

/// The worth of rules to a player who goes without them.
fn worths(variant: &VariantResult) -> Vec<String> {
    let one = |r: &RestrictedPlay| {
        let got = alone(&r.points, "share").whole(" %");
        let even = percent(r.points.value + r.worth().value, 0);
        let says = match (r.significant, r.worth().value > 0.0) {
            (true, true) => "that is what it is worth".to_owned(),
            (true, false) => "to have it is a burden".to_owned(),
            (false, _) => {
                let seen = r.seen.map(|seen| {
                    format!("; {} percentage points less would have been seen", (seen * 100.0).ceil())
                });
                format!("it was not found to be worth anything{}", seen.unwrap_or_default())
            }
        };
        format!(
            "In `{}`, played by {}, who goes without {} gets {got} of the points against who has it, where {even} is \
             even: {says}.",
            variant.variant, r.agent, r.what
        )
    };
    variant.restricted.iter().map(one).collect()
}

/// The phrase for the effect of moving first, whether it is significant or not.
fn first_move(significant: bool, more: bool) -> &'static str {
    match (significant, more) {
        (true, true) => "moving first is an advantage",
        (true, false) => "moving first is a disadvantage",
        (false, _) => "no advantage of moving first was found",
    }
}

/// Whether moving first is an advantage.
fn balance(variant: &VariantResult) -> Option<String> {
    let wins = variant.estimates.get("first-wins")?;
    let even = variant.first_move?;
    let says = first_move(even.significant, wins.value > 0.5);
    let who = variant.first.as_deref().unwrap_or("who begins");
    let share = alone(wins, "share").whole(" %");
    Some(format!("In `{}` {who} wins {share} of the decided games: {says}.", variant.variant))
}

/// Whether moving first is an advantage in the strongest play of the only variant; without levels, in all games.
fn balance_alone(c: &Comparison, variant: &VariantResult) -> Option<String> {
    let strongest = c.settings.levels.last();
    let points =
        strongest.and_then(|agent| Some((agent, variant.estimates.get(&at_level(FIRST_POINTS, agent))?)));
    let Some((agent, points)) = points else { return balance(variant) };
    let sides = if variant.sides > 0 { variant.sides } else { variant.players.len() };
    let even = 1.0 / sides.max(1) as f64;
    let says = first_move(points.low > even || points.high < even, points.value > even);
    let share = alone(points, "share").whole(" %");
    Some(format!(
        "In play by {agent} who begins gets {share} of the points in `{}`: {says}.",
        variant.variant
    ))
}

/// The option that is tried: `twice`, `~pie-rule` and `size=9` say what is done with it.
pub fn option_named(tried: &str) -> &str {
    let tried = tried.strip_prefix('~').unwrap_or(tried);
    tried.split_once('=').map_or(tried, |(name, _)| name)
}

/// `With twice`, `Without pie-rule`, `With size=9`
fn with(option: &MatrixOption) -> String {
    match option.name.strip_prefix('~') {
        Some(name) => format!("Without {name}"),
        None => format!("With {}", option.name),
    }
}

/// The effect of options on the balance between the first player and the others in the strongest play.
fn balance_of_options(c: &Comparison, matrix: &Matrix) -> Option<String> {
    let agent = c.settings.levels.last()?;
    let key = at_level(FIRST_POINTS, agent);
    let m = c.metric(&key)?;
    let found: Vec<String> = (matrix.effects.iter())
        .filter(|e| e.significant && e.metric == key && e.options.len() == 1)
        .map(|e| {
            let told = Change::effect(c, m, e).signed();
            format!("{} by {} percentage points ({})", e.options.join(""), told.value, told.interval())
        })
        .collect();
    Some(match found.is_empty() {
        true => format!("In play by {agent} no option was found to change what who begins gets."),
        false => {
            format!("In play by {agent} the share of points of who begins is changed: {}.", found.join("; "))
        }
    })
}

/// Which options change something by themselves.
fn options_that_do(matrix: &Matrix) -> String {
    let does = |name: &str| {
        let mut effects = matrix.effects.iter();
        effects.any(|e| e.significant && matches!(&e.options[..], [one] if one == name))
    };
    let names: Vec<&str> = matrix.options.iter().map(|o| o.name.as_str()).filter(|name| does(name)).collect();
    match names.len() {
        0 => "No option was found to change anything.".to_owned(),
        n => {
            let (all, names) = (many(matrix.options.len() as u64, "option"), names.join(", "));
            let were = if n == 1 { "was" } else { "were" };
            format!("Of {all} {n} {were} found to change the games: {names}.")
        }
    }
}

fn matrix(c: &Comparison, matrix: &Matrix) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let found = |of: &dyn Fn(&[String]) -> bool| {
        let mut found: Vec<&Effect> =
            matrix.effects.iter().filter(|e| e.significant && of(&e.options)).collect();
        found.sort_by(|x, y| x.p.total_cmp(&y.p));
        found
    };
    for option in &matrix.options {
        let found = found(&|options| matches!(options, [one] if *one == option.name));
        if found.is_empty() {
            out.push(format!("No effect of {} by itself was found.", option.name));
            continue;
        }
        let told = found.iter().take(MAX_SENTENCES).filter_map(|e| {
            let m = c.metric(&e.metric)?;
            Some(changed(m, &Change::effect(c, m, e)))
        });
        let told = told.collect::<Vec<_>>().join("; ");
        out.push(format!("{} {told}{}.", with(option), more(found.len(), MAX_SENTENCES)));
    }
    let pairs = found(&|options| options.len() == 2);
    for e in pairs.iter().take(MAX_SENTENCES) {
        let (Some(m), [a, b]) = (c.metric(&e.metric), &e.options[..]) else { continue };
        let told = Change::effect(c, m, e).signed();
        let (name, by, interval) = (&m.name, told.value.clone() + &unit_of_change(m), told.interval());
        out.push(format!(
            "{a} and {b} change each other's effect: with {b}, what {a} does to {name} is shifted by {by} ({interval})."
        ));
    }
    if pairs.len() > MAX_SENTENCES {
        out.push(format!("The tables have {} more effects of pairs.", pairs.len() - MAX_SENTENCES));
    }
    if pairs.is_empty() && matrix.options.len() > 1 {
        out.push("No two options were found to change each other's effects.".to_owned());
    }
    out
}

/// The result of the test of a difference, in a word or two for tables.
pub fn outcome(c: &Comparison, m: &Metric, d: &Difference) -> String {
    match (d.significant && c.is_same(&d.a, &d.b), d.significant && d.is_trivial()) {
        (true, _) => format!("{}: the same game", alarm(c, &d.a, &d.b)),
        (_, true) => "differs, trivial".to_owned(),
        _ if d.significant => "differs".to_owned(),
        _ => unseen(c, m, d.seen),
    }
}

/// The same of an effect.
pub fn outcome_of_effect(c: &Comparison, m: &Metric, e: &Effect) -> String {
    if e.significant { "found".to_owned() } else { unseen(c, m, e.seen) }
}

/// The largest difference that may have been missed.
fn unseen(c: &Comparison, m: &Metric, seen: Option<f64>) -> String {
    seen.map(|size| format!("less than {}", Digits::metric(c, m).size(size))).unwrap_or_default()
}

/// Open questions. Those that need the fewest games come first.
pub fn open(c: &Comparison) -> Vec<String> {
    let several = c.pairs().len() > 1;
    let differences =
        c.differences.iter().filter(|d| !d.significant && !c.is_same(&d.a, &d.b)).filter_map(|d| {
            let m = c.metric(&d.metric)?;
            let whose = if several { format!("`{}` against `{}`", d.b, d.a) } else { format!("`{}`", d.b) };
            Some((m, whose, Change::of(c, m, d), d.games_needed, d.seen))
        });
    let effects = c.matrix.iter().flat_map(|m| &m.effects).filter(|e| !e.significant).filter_map(|e| {
        let m = c.metric(&e.metric)?;
        Some((m, e.options.join(" with "), Change::effect(c, m, e), e.games_needed, e.seen))
    });
    // Where nothing was observed at all (no draws anywhere) there is no question.
    let mut all: Vec<_> = differences.chain(effects).filter(|(_, _, change, ..)| !change.is_none()).collect();
    all.sort_by_key(|(_, _, _, needed, _)| needed.unwrap_or(u64::MAX));
    let told = all.iter().take(MAX_SENTENCES).map(|(m, whose, change, needed, seen)| {
        let (told, unit) = (change.signed(), unit_of_change(m));
        let kind = if m.key == "strength" { "strength games" } else { "games" };
        let played = c.settings.games_of(&m.key);
        let size = seen.map(|seen| Digits::metric(c, m).size(seen) + &unit);
        let seen = size.map(|size| format!(" {} or more would have been seen.", size));
        let rest = match (needed, seen) {
            (Some(n), Some(seen)) if *n > played => {
                format!(" so far.{seen} To find so little takes {} {kind} of each {}.", count(*n), each(c))
            }
            (Some(_), _) => format!(" so far. It is on the edge: some more {kind} should tell."),
            (None, seen) => format!(".{}", seen.unwrap_or_default()),
        };
        format!("{}, {whose}: {}{unit} ({}){rest}", capital(&m.name), told.value, told.interval())
    });
    let mut out: Vec<String> = told.collect();
    if all.len() > MAX_SENTENCES {
        out.push(format!("The tables have {} more of these.", count((all.len() - MAX_SENTENCES) as u64)));
    }
    out
}

/// The noun for one of the played games.
pub(super) fn each(c: &Comparison) -> &'static str {
    if c.matrix.is_some() { "combination" } else { "variant" }
}

/// An explanation of intervals, chances and numbers of games.
pub fn legend(c: &Comparison) -> String {
    let s = &c.settings;
    let mut out = format!("In brackets: {} intervals, each by itself.", percent(s.confidence, 0));
    if c.matrix.is_some() || !c.differences.is_empty() {
        if c.metrics.iter().any(|m| m.unit == "share") {
            out += " Differences of shares are in percentage points.";
        }
        out += &format!(
            " p is corrected for the number of tests (Holm): at most {} is more than chance. What is not found is \
             less than what would have been seen, with a chance of {}.",
            s.alpha,
            percent(s.power, 0)
        );
        if c.differences.iter().any(|d| d.significant && d.is_trivial()) {
            out += &format!(" Trivial is a difference below {TRIVIAL} standard deviations of a game.");
        }
    }
    let estimates = c.variants.iter().flat_map(|v| v.estimates.values());
    let alike = estimates.filter(|e| e.is_alike() && e.n > 1).map(|e| e.n).min();
    if let Some(others) = alike.and_then(|n| wilson(0, n, s.confidence)) {
        out += &format!(
            " What was the same in all games has no interval: up to {} % of games may be otherwise.",
            alone(&others, "share").high
        );
    }
    out
}
