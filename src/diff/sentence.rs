//! The sentence of a difference.

use super::model::{Difference, Side};
use crate::outline::Change;

/// The longest text that a sentence quotes, in characters.
const LONGEST: usize = 90;

/// The sentence, for the designer of a game.
pub(super) fn of(d: &Difference) -> String {
    let text = |side: &Option<Side>| side.as_ref().map_or("", |side| side.text.as_str()).to_owned();
    let (left, right) = (text(&d.left), text(&d.right));
    let subject = if d.noun.is_empty() { d.subject.clone() } else { format!("{}: {}", d.subject, d.noun) };
    let side = if matches!(d.change, Change::Added) { &d.right } else { &d.left };
    let inside = side.as_ref().and_then(|side| side.context.as_deref());
    let inside = inside.map_or(String::new(), |context| format!(" in {}", quoted(context)));
    match d.change {
        Change::Added if d.noun.is_empty() => format!("{subject} is new{}", behind(&right)),
        Change::Removed if d.noun.is_empty() => format!("{subject} is gone{}", behind(&left)),
        Change::Added => format!("{subject} {} is new{inside}", quoted(&right)),
        Change::Removed => format!("{subject} {} is gone{inside}", quoted(&left)),
        Change::Changed => {
            let (left, right) = both(&left, &right);
            format!("{subject}: {left} became {right}{inside}")
        }
        Change::Moved => format!("{subject} {} has another place in the order", quoted(&left)),
        Change::Renamed => format!("{subject} is called {} now", quoted(&right)),
    }
}

fn behind(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {}", quoted(text)) }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { format!("`{}`", clipped(text)) }
}

/// Two texts, clipped so that the difference is seen.
fn both(left: &str, right: &str) -> (String, String) {
    let (a, b) = (clipped(left), clipped(right));
    if a != b || left == right {
        return (quoted(left), quoted(right));
    }
    let same = left.chars().zip(right.chars()).take_while(|(a, b)| a == b).count();
    let from = same.saturating_sub(LONGEST / 3);
    let late = |text: &str| format!("`… {}`", clipped(&text.chars().skip(from).collect::<String>()));
    (late(left), late(right))
}

fn clipped(text: &str) -> String {
    let text = &text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 2).collect::<String>().trim_end().to_owned() + " …",
        false => text.to_owned(),
    }
}
