//! Rules that make a game slow, by what random play was seen to cost.
//!
//! A counting machine says how many operations each rule took ([`Machine::work_by`]); no clock is asked, so that the
//! same definition is always told the same. In compiled code an operation takes about half a nanosecond, and some
//! more where moves are very many. Which part of the rule costs so much is read off its bounds ([`Dear`]).

use crate::diagnostic::Diagnostic;
use crate::game::Game;
use crate::play::{Asker, Machine};
use crate::semantics::Dear;
use crate::wording::count;

/// A ply of more operations is worth a warning: they are three times those of the slowest shipped game with
/// all its options, which makes some 24,000 plies a second.
pub const SLOW_PLY: u64 = 250_000;

/// A warning where so many plies of random play took very long, on the rule that took most of it.
pub(super) fn finding(game: &Game, machine: &Machine, plies: u64) -> Option<Diagnostic> {
    let each = |work: u64| work / plies.max(1);
    let (asker, most) = machine.work_by().max_by_key(|(_, work)| *work)?;
    let all = each(machine.work());
    if all < SLOW_PLY {
        return None;
    }
    let rules = &game.rules;
    let (what, span, dear) = match asker {
        Asker::Decision(number) => {
            let d = rules.decisions.get(number)?;
            (format!("decision `{}`", d.name), d.span, Dear::of_decision(rules, d))
        }
        Asker::End(number) => {
            let end = rules.ends.get(number)?;
            (format!("end `{}`", end.name), end.span, Dear::of_end(rules, end))
        }
        Asker::Finish => {
            let finish = &rules.turn.finish;
            let span = finish.first().map_or(game.definition.turn.span, |e| e.span);
            ("`finish`".to_owned(), span, Dear::of_effects(rules, finish))
        }
        Asker::Turn => ("the flow of the turn".to_owned(), game.definition.turn.span, None),
    };
    let message = format!("a ply takes {} operations on average in random games", count(all));
    let mut d = Diagnostic::warning("cost", span, message)
        .here(format!("{what} takes {} of them", count(each(most).min(all))));
    if let Some(dear) = dear {
        d = d.and(
            dear.span,
            match dear.loops.is_empty() {
                true => "most of that may be this".to_owned(),
                false => format!("most of that may be this, for {}", dear.loops),
            },
        );
    }
    Some(d.help(
        "ask something cheaper before it, narrow the domains around it, or work out once in state what many plies ask",
    ))
}
