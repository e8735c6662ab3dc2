//! Decisions: all choices by nested loops, each tried on a copy of the position.

use farrier::ids::Site;
use farrier::semantics::{Decision, Domain, MovePart};

use super::Naive;
use super::eval::View;
use super::position::NaivePosition;
use super::value::{Env, Value};

/// A choice.
#[derive(Clone, PartialEq, Debug)]
pub enum Choice {
    /// A pass.
    Pass,
    /// A decision, with what was chosen for each of its vars.
    Decision(usize, Vec<Value>),
}

impl Naive<'_> {
    /// The legal choices of a decision with me as mover, in order. Its `when` is not asked.
    pub fn choices(&self, view: View<'_>, number: usize) -> Vec<Choice> {
        let decision = &self.rules.decisions[number];
        let mut found = Vec::new();
        self.choose(view, decision, Vec::new(), &mut |values| {
            if self.is_legal(view, decision, &values) {
                found.push(Choice::Decision(number, values));
            }
        });
        found
    }

    /// Calls `leaf` with every way to choose the vars that are left.
    fn choose(
        &self,
        view: View<'_>,
        decision: &Decision,
        chosen: Vec<Value>,
        leaf: &mut dyn FnMut(Vec<Value>),
    ) {
        let Some(var) = decision.vars.get(chosen.len()) else {
            leaf(chosen);
            return;
        };
        let mut env = bind(decision, &chosen);
        let mut values = self.domain(view, &mut env, &var.domain);
        if values.is_empty() && var.optional {
            values.push(match var.domain {
                Domain::Sites(_) => Value::Site(None),
                Domain::Kinds(_) => Value::Kind(None),
                Domain::Range(..) | Domain::Players | Domain::Directions(_) => {
                    panic!("an optional number, player or direction")
                }
            });
        }
        for value in values {
            let longer = chosen.iter().cloned().chain([value]).collect();
            self.choose(view, decision, longer, leaf);
        }
    }

    /// What a decision's rules see once it is chosen: the vars and, in order, the lets.
    fn scope(&self, view: View<'_>, decision: &Decision, values: &[Value]) -> Env {
        let mut env = bind(decision, values);
        for (local, value) in &decision.lets {
            let value = self.eval(view, &mut env, value);
            env.insert(*local, value);
        }
        env
    }

    fn is_legal(&self, view: View<'_>, decision: &Decision, values: &[Value]) -> bool {
        let mut env = self.scope(view, decision, values);
        if let Some(test) = &decision.where_
            && !self.bool(view, &mut env, test)
        {
            return false;
        }
        let Some(keeps) = &decision.keeps else {
            return true;
        };
        let mut copy = view.pos.clone();
        self.run(&mut copy, view.me, &mut env, &decision.effects);
        let after = View { pos: &copy, me: view.me };
        self.bool(after, &mut env, keeps)
    }

    /// The position after a choice's effects, before anything else happens.
    pub fn done(&self, view: View<'_>, choice: &Choice) -> NaivePosition {
        // A copy of many entries takes its time.
        self.burn(view.pos.state.iter().map(Vec::len).sum::<usize>() / 8);
        let mut copy = view.pos.clone();
        if let Choice::Decision(number, values) = choice {
            let decision = &self.rules.decisions[*number];
            let mut env = self.scope(view, decision, values);
            self.run(&mut copy, view.me, &mut env, &decision.effects);
        }
        copy
    }

    /// The text of a choice.
    pub fn text(&self, choice: &Choice) -> String {
        match choice {
            Choice::Decision(number, values) => self.filled_in(&self.rules.decisions[*number].text, values),
            Choice::Pass => "pass".to_owned(),
        }
    }

    /// How a choice is written right behind the ply before it in the turn; none where a blank stands there.
    pub fn joined(&self, choice: &Choice) -> Option<String> {
        let Choice::Decision(number, values) = choice else { return None };
        let parts = self.rules.decisions[*number].joined.as_ref()?;
        Some(self.filled_in(parts, values))
    }

    fn filled_in(&self, parts: &[MovePart], values: &[Value]) -> String {
        let text_of = |part: &MovePart| match part {
            MovePart::Literal(text) => text.clone(),
            MovePart::Var(i, width) => self.value_text(&values[*i], *width),
        };
        parts.iter().map(text_of).collect()
    }

    fn value_text(&self, value: &Value, width: usize) -> String {
        match value {
            Value::Site(Some(x)) => self.board().name(Site(*x as u16)).to_owned(),
            Value::Kind(Some(k)) => self.rules.kinds[*k].letter.clone(),
            Value::Player(Some(p)) => self.rules.players[*p].clone(),
            Value::Direction(Some(d)) => self.board().directions()[*d].name.clone(),
            Value::Int(n) => format!("{n:0width$}"),
            Value::Site(None) | Value::Kind(None) | Value::Player(None) | Value::Direction(None) => {
                String::new()
            }
            other => panic!("{other:?} was chosen"),
        }
    }
}

/// The vars chosen so far.
fn bind(decision: &Decision, values: &[Value]) -> Env {
    let locals = decision.vars.iter().map(|var| var.local);
    locals.zip(values.iter().cloned()).collect()
}
