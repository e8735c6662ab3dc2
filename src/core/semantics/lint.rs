//! Warnings on rules that are allowed but most likely not meant. Only definitions without errors are checked, so that
//! no mistake is reported twice. Only rules of the game's own file and of extensions are checked: its author cannot
//! change inherited rules.

use super::check::{Checker, TEXT_KEYS};
use super::scope::{Act, Entity};
use super::tree::{Pattern, TraitValues};
use crate::diagnostic::Diagnostic;
use crate::ids::Kind;
use crate::source::Span;

impl Checker<'_> {
    /// All warnings.
    pub(super) fn lint(&mut self) {
        self.unused();
        self.unreachable();
        self.effectless();
        self.motionless();
        std::mem::take(&mut self.doubts).into_iter().for_each(|doubt| self.warn(doubt));
    }

    fn is_own(&self, span: Span) -> bool {
        self.def.own.contains(&span.file)
    }

    /// Whether a name is in a rule that is not active now.
    fn is_elsewhere(&self, name: &str) -> bool {
        self.def.elsewhere.binary_search_by(|w| w.as_str().cmp(name)).is_ok()
    }

    fn warn(&mut self, warning: Diagnostic) {
        if self.is_own(warning.span()) {
            self.out.push(warning);
        }
    }

    /// Names that no rule says.
    fn unused(&mut self) {
        let def = self.def;
        let mut found: Vec<(Entity, Span, &str, &str, &str)> = Vec::new();
        for (i, r) in def.relations.iter().enumerate() {
            found.push((Entity::Relation(i), r.name.span, &r.name.text, "relation", "no rule follows it"));
        }
        for (i, d) in def.defines.iter().enumerate() {
            let what = if d.region { "region" } else { "definition" };
            found.push((Entity::Define(i), d.name.span, &d.name.text, what, "no rule names it"));
        }
        for (i, d) in def.effects.iter().enumerate() {
            found.push((Entity::Effect(i), d.name.span, &d.name.text, "effect", "no rule calls it"));
        }
        for (i, d) in def.state.iter().enumerate() {
            let advice = "no rule reads or assigns it";
            found.push((Entity::State(i), d.name.span, &d.name.text, "state variable", advice));
        }
        let traits = self.names.traits.clone();
        for (i, name) in traits.iter().enumerate() {
            let place = self.names.place(name).unwrap_or_default();
            found.push((Entity::Trait(i), place, name, "trait", "no rule names it"));
        }
        for (entity, span, name, what, advice) in found {
            if !self.names.used.contains(&entity) && !self.is_elsewhere(name) {
                let message = format!("{what} `{name}` is never used");
                let warning = Diagnostic::warning("unused", span, message).here(advice);
                let found = match entity {
                    Entity::Trait(_) => {
                        let others = traits.iter().map(String::as_str).filter(|other| *other != name);
                        warning.suggest(name, TEXT_KEYS.iter().copied().chain(others))
                    }
                    _ => warning,
                };
                self.warn(found);
            }
        }
    }

    /// Decisions and flows that no flow names.
    fn unreachable(&mut self) {
        let def = self.def;
        let decisions =
            def.decisions.iter().enumerate().map(|(i, d)| (Act::Decision(i), &d.name, "decision"));
        let flows = def.flows.iter().enumerate().map(|(i, (n, _))| (Act::Flow(i), n, "flow"));
        for (act, name, what) in decisions.chain(flows) {
            if !self.names.used_acts.contains(&act) && !self.is_elsewhere(&name.text) {
                let message = format!("{what} `{}` can never be reached", name.text);
                let found = Diagnostic::warning("unreachable", name.span, message)
                    .here("no flow names it")
                    .help("name it in `[turn] main`, in an opening, or in a flow that they use");
                self.warn(found);
            }
        }
    }

    /// Decisions without effects.
    fn effectless(&mut self) {
        let def = self.def;
        for d in def.decisions.iter().filter(|d| d.effects.is_none()) {
            let message = format!("decision `{}` does nothing", d.name.text);
            let found = Diagnostic::warning("no-effect", d.name.span, message)
                .here("it has no `do`")
                .help("say what happens, if more than the choice is meant");
            self.warn(found);
        }
    }

    /// Kinds without any pattern, in a game whose other kinds have some, that no rule names.
    fn motionless(&mut self) {
        let def = self.def;
        let patterns: Vec<&Vec<Option<Pattern>>> = self
            .traits
            .iter()
            .filter_map(|t| match &t.values {
                TraitValues::Patterns(p) => Some(p),
                _ => None,
            })
            .collect();
        // `"none"` is a pattern too: it says that the kind is meant to stand still.
        let said = |i: usize| patterns.iter().any(|p| p.get(i).is_some_and(Option::is_some));
        if !(0..def.pieces.len()).any(said) {
            return;
        }
        let named = |i: usize| self.names.used.contains(&Entity::Kind(Kind(i as u8)));
        let idle: Vec<usize> = (0..def.pieces.len()).filter(|i| !said(*i) && !named(*i)).collect();
        for p in idle.into_iter().filter_map(|i| def.pieces.get(i)) {
            if self.is_elsewhere(&p.name.text) {
                continue;
            }
            let message = format!("`{}` has no moves", p.name.text);
            let found = Diagnostic::warning("motionless", p.name.span, message)
                .here("none of its traits is a pattern, and no rule names it")
                .help(
                    "the other kinds have patterns; give it one, or `\"none\"` if it is meant to stand still",
                );
            self.warn(found);
        }
    }
}
