//! The result of a race in sentences, for the terminal and the page.

use crate::compare::model::{Estimate, Metric, Tuned, TunedVariant};
use crate::compare::numbers::alone;
use crate::wording::{count, many};

/// A figure with its interval and unit.
pub fn figure(figure: Option<&Estimate>, m: &Metric) -> String {
    let unit = if m.unit == "share" { " %" } else { " plies" };
    figure.map_or_else(|| "-".to_owned(), |e| alone(e, &m.unit).whole(unit))
}

/// The first sentence: which variant is nearest, and its figures.
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
        [first, ..] => {
            let (all, front) = (many(t.candidates.len() as u64, "variant"), count(front.len() as u64));
            let (name, figures) = (first.name(), figures(first));
            format!(
                "Of {all} no other surpasses {front} in {goals}; nearest to the first is `{name}`: {figures}."
            )
        }
    }
}

/// The number of variants that raced, and the cost.
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
    let (variants, games) = (many(tried, "variant"), many(t.games, "game"));
    let (each, even) = (count(t.even / tried.max(1)), count(t.even));
    format!("{variants}{drawn} raced in {games}; all of them in {each} each would be {even}.{not}")
}
