//! What a race found, in sentences, for the terminal and the page.

use crate::compare::model::{Estimate, Metric, Tuned, TunedVariant};
use crate::compare::numbers::alone;
use crate::wording::{count, many};

/// A figure with its interval and unit.
pub fn figure(figure: Option<&Estimate>, m: &Metric) -> String {
    let unit = if m.unit == "share" { " %" } else { " plies" };
    figure.map_or_else(|| "-".to_owned(), |e| alone(e, &m.unit).whole(unit))
}

/// What is said first: which variant is nearest, and its figures.
pub fn lead(t: &Tuned) -> String {
    let figures = |one: &TunedVariant| {
        let told =
            t.metrics.iter().zip(&one.figures).map(|(m, e)| format!("{} {}", m.name, figure(e.as_ref(), m)));
        told.collect::<Vec<_>>().join(", ")
    };
    let goals = t.goals.join(" and ");
    let front: Vec<&TunedVariant> = t.front().collect();
    match &front[..] {
        [] => "No variant took part.".to_owned(),
        [best] => format!("Nearest to {goals} is `{}`: {}.", best.name(), figures(best)),
        [first, ..] => format!(
            "Of {} no other surpasses {} in {goals}; nearest to the first is `{}`: {}.",
            many(t.candidates.len() as u64, "variant"),
            count(front.len() as u64),
            first.name(),
            figures(first)
        ),
    }
}

/// How many raced, and what that cost.
pub fn raced(t: &Tuned) -> String {
    let tried = t.candidates.len() as u64;
    let drawn = match t.possible > tried + t.left_out {
        true => format!(" of {} possible ones", count(t.possible)),
        false => String::new(),
    };
    let not = match t.left_out {
        0 => String::new(),
        n => format!(" {} the game does not allow.", many(n, "combination")),
    };
    format!(
        "{}{drawn} raced in {}; all of them in {} each would be {}.{not}",
        many(tried, "variant"),
        many(t.games, "game"),
        count(t.even / tried.max(1)),
        count(t.even)
    )
}
