//! Terms: the content of any part of a definition, as trees of one shape, and their keys.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::source::Span;

/// Stands between the name of an option in a rule and its value.
pub const NOW: &str = " (now ";

/// A name that a rule binds, and the number that tells it from others of that name.
pub type Local = (String, u32);

/// A part of a definition.
#[derive(Clone, Debug)]
pub struct Term {
    /// Its label.
    pub label: Label,
    /// Its parts.
    pub kids: Vec<Term>,
    /// The local that it binds.
    pub binds: Option<Local>,
    /// Where it stands; the default span where nothing in the file says it.
    pub span: Span,
    /// How it is printed for people.
    pub shown: String,
}

/// The label of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Label {
    /// A form with kids in fixed places: `if`, `<`, the call of a built-in.
    Form(String),
    /// Any number of kids, joined by one sign.
    Many(Many),
    /// Something that stands for itself: a number, a site, a built-in name.
    Word(String),
    /// Something that the definition defines; with kids it is called or indexed.
    Ref(Class, String),
    /// A local, by its number.
    Local(u32),
}

/// A sign that joins any number of terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Many {
    Or,
    And,
    Union,
    Meet,
    /// The two sides of `+`, `*`, `=`.
    Sides(&'static str),
    Minus,
    Otherwise,
    Choices,
    Effects,
    Steps,
    Either,
    Openings,
    Ways,
    Clauses,
    Directions,
    Pairs,
    Words,
    Pieces,
    Sites,
    Names,
    List,
    Text,
}

impl Many {
    /// Whether the order of the kids has a meaning.
    pub fn ordered(self) -> bool {
        use Many::{Choices, Effects, List, Minus, Openings, Otherwise, Steps, Text};
        matches!(self, Minus | Otherwise | Choices | Effects | Steps | Openings | List | Text)
    }

    /// Whether a kid of the same sign is the same as its kids.
    pub fn flattens(self) -> bool {
        use Many::{And, Effects, Either, Meet, Or, Otherwise, Steps, Union};
        matches!(self, Or | And | Union | Meet | Otherwise | Effects | Steps | Either)
    }

    /// Whether one term without the sign can be seen as the only kid.
    pub fn wraps(self) -> bool {
        use Many::{And, Effects, Either, Meet, Minus, Or, Otherwise, Steps, Union};
        matches!(self, Or | And | Union | Meet | Minus | Otherwise | Effects | Steps | Either)
    }

    /// The noun for a kid.
    pub fn noun(self) -> &'static str {
        match self {
            Many::Or | Many::Union => "the alternative",
            Many::And => "the condition",
            Many::Meet => "the restriction",
            Many::Minus => "the exception",
            Many::Otherwise => "the fallback",
            Many::Choices | Many::Either => "the choice",
            Many::Effects => "the effect",
            Many::Steps => "the step",
            Many::Openings => "the opening turn",
            Many::Ways => "the way to go",
            Many::Clauses => "the clause",
            Many::Directions => "the direction",
            Many::Pairs => "the pair",
            Many::Pieces => "what stands there,",
            Many::Sites => "the site",
            Many::Sides(_) => "the side",
            Many::Words | Many::Names | Many::List => "the entry",
            Many::Text => "the part",
        }
    }
}

/// The classes of things that a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    Player,
    Piece,
    Trait,
    Relation,
    Definition,
    Effect,
    State,
    Option,
    Direction,
    Decision,
    Flow,
    End,
}

impl Term {
    /// A term without kids.
    pub fn leaf(label: Label, span: Span, shown: impl Into<String>) -> Term {
        Term { label, kids: Vec::new(), binds: None, span, shown: shown.into() }
    }

    /// A word that stands for itself.
    pub fn word(text: impl Into<String>, span: Span) -> Term {
        let text = text.into();
        Term::leaf(Label::Word(text.clone()), span, text)
    }

    /// A form.
    pub fn form(name: impl Into<String>, kids: Vec<Term>, span: Span, shown: impl Into<String>) -> Term {
        Term { kids, ..Term::leaf(Label::Form(name.into()), span, shown) }
    }

    /// Terms joined by a sign; kids of the same sign are taken out of their brackets.
    pub fn many(sign: Many, kids: Vec<Term>, span: Span, shown: impl Into<String>) -> Term {
        let mut flat = Vec::with_capacity(kids.len());
        for kid in kids {
            match kid.label {
                Label::Many(inner) if inner == sign && sign.flattens() => flat.extend(kid.kids),
                _ => flat.push(kid),
            }
        }
        Term { kids: flat, ..Term::leaf(Label::Many(sign), span, shown) }
    }

    /// Where it stands, if the file says it.
    pub fn place(&self) -> Option<Span> {
        Some(self.span).filter(|span| span.end > 0)
    }

    /// As it is printed, without the value of an option.
    pub fn says(&self) -> &str {
        self.shown.split(NOW).next().unwrap_or_default()
    }

    /// Terms joined by a sign, printed one after the other.
    pub fn list(sign: Many, kids: Vec<Term>, span: Span, between: &str) -> Term {
        let shown = kids.iter().map(|kid| kid.shown.as_str()).collect::<Vec<_>>().join(between);
        Term::many(sign, kids, span, shown)
    }

    /// Calls `f` with the term and all below it.
    pub fn each<'a>(&'a self, f: &mut dyn FnMut(&'a Term)) {
        f(self);
        for kid in &self.kids {
            kid.each(f);
        }
    }

    /// Renames defined things to the names that `to` has for them, if any.
    pub fn rename(&mut self, to: &dyn Fn(Class, &str) -> Option<String>) {
        if let Label::Ref(class, name) = &mut self.label
            && let Some(new) = to(*class, name)
        {
            *name = new;
        }
        for kid in &mut self.kids {
            kid.rename(to);
        }
    }

    /// How many locals stay bound for the terms after it.
    fn opens(&self) -> u32 {
        match self.label {
            Label::Many(Many::Effects) => self.kids.iter().map(Term::opens).sum(),
            Label::Form(ref name) if name == "let" || name == "choice" => 1,
            _ => 0,
        }
    }
}

/// The known names while two outlines are compared.
#[derive(Clone, Default)]
pub struct Env<'a> {
    /// Locals that have been paired: their numbers to the number of the pair.
    pub locals: BTreeMap<u32, u32>,
    /// Definitions that only one side has and that stand for their bodies.
    pub bodies: BTreeMap<&'a str, &'a Term>,
    /// Numbers that stand for names as long as it is not known which names mean the same.
    pub colours: BTreeMap<(Class, &'a str), u64>,
}

impl<'a> Env<'a> {
    /// Takes two locals for one.
    pub fn pair(&mut self, left: u32, right: u32) {
        self.locals.insert(left, left);
        self.locals.insert(right, left);
    }

    /// The term, or the body of the inlined definition that it names.
    pub fn see<'t>(&self, term: &'t Term) -> &'t Term
    where
        'a: 't,
    {
        let mut term = term;
        while let (Label::Ref(Class::Definition, name), true) = (&term.label, term.kids.is_empty())
            && let Some(body) = self.bodies.get(name.as_str())
        {
            term = body;
        }
        term
    }

    /// The meaning of a term: two terms have the same key exactly if they are equal by meaning.
    pub fn key(&self, term: &Term) -> String {
        let mut out = String::new();
        self.write(term, 0, &mut BTreeMap::new(), &mut out);
        out
    }

    /// `depth` is how many locals are bound around the term, `inner` the depth at which each was bound.
    fn write(&self, term: &Term, depth: u32, inner: &mut BTreeMap<u32, u32>, out: &mut String) {
        let term = self.see(term);
        let mut depth = depth;
        if let Some((_, local)) = &term.binds {
            inner.insert(*local, depth);
            depth += 1;
        }
        match &term.label {
            Label::Word(word) => *out += &format!("{word:?}"),
            Label::Ref(class, name) => match self.colours.get(&(*class, name.as_str())) {
                Some(colour) => *out += &format!("{class:?}#{colour:x}"),
                None => *out += &format!("{class:?}:{name}"),
            },
            Label::Local(id) => match (inner.get(id), self.locals.get(id)) {
                (Some(depth), _) => *out += &format!("#{depth}"),
                (None, Some(pair)) => *out += &format!("={pair}"),
                (None, None) => *out += &format!("?{id}"),
            },
            Label::Form(name) => *out += &format!("{name:?}"),
            Label::Many(sign) => *out += &format!("{sign:?}"),
        }
        if term.kids.is_empty() && !matches!(term.label, Label::Many(_)) {
            return;
        }
        let mut kids: Vec<String> = Vec::new();
        for kid in self.kids(term) {
            let mut text = String::new();
            self.write(kid, depth, inner, &mut text);
            depth += kid.opens();
            kids.push(text);
        }
        if matches!(term.label, Label::Many(sign) if !sign.ordered()) {
            kids.sort();
        }
        *out += &format!("({})", kids.join(","));
    }

    /// Calls `f` with each name in a term and a number for the place where it stands: the position in an order that has
    /// a meaning, else the meaning of the part around it.
    pub fn places<'t>(&self, term: &'t Term, at: u64, f: &mut dyn FnMut(Class, &'t str, u64)) {
        self.places_in(term, (at, 0), &mut BTreeMap::new(), f);
    }

    fn places_in<'t>(
        &self,
        term: &'t Term,
        (at, mut depth): (u64, u32),
        inner: &mut BTreeMap<u32, u32>,
        f: &mut dyn FnMut(Class, &'t str, u64),
    ) {
        if let Some((_, local)) = &term.binds {
            inner.insert(*local, depth);
            depth += 1;
        }
        if let Label::Ref(class, name) = &term.label {
            f(*class, name, at);
        }
        let ordered = !matches!(term.label, Label::Many(sign) if !sign.ordered());
        for (i, kid) in term.kids.iter().enumerate() {
            let mut place = String::new();
            if ordered {
                place = i.to_string()
            } else {
                self.write(kid, depth, inner, &mut place)
            }
            self.places_in(kid, (hash(&(at, place)), depth), inner, f);
            depth += kid.opens();
        }
    }

    /// The kids, with those of inlined definitions.
    fn kids<'t>(&self, term: &'t Term) -> Vec<&'t Term>
    where
        'a: 't,
    {
        let Label::Many(sign) = term.label else { return term.kids.iter().collect() };
        let mut out = Vec::new();
        for kid in &term.kids {
            let seen = self.see(kid);
            match seen.label {
                Label::Many(inner) if inner == sign && sign.flattens() => out.extend(self.kids(seen)),
                _ => out.push(kid),
            }
        }
        out
    }
}

/// A number for something, the same in every run.
pub fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
