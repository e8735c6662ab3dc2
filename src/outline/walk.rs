//! The smallest parts in which two terms differ.

use serde::Serialize;

use super::Item;
use super::align::{Alignment, align, alike_terms};
use super::term::{Env, Label, Local, Many, Term};

/// A list that differs in more places than this is told as a whole.
const MAX_KIDS: usize = 4;

/// A rule that differs in more places than this is told as a whole.
const MAX_PLACES: usize = 6;

/// A term that has at least so much in common with a kid of another is taken for that kid.
const INSIDE: f64 = 0.6;

/// In what way something differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only the right one has it.
    Added,
    /// Only the left one has it.
    Removed,
    /// Both have it, with different meanings.
    Changed,
    /// Both have it, at different places of an order that has a meaning.
    Moved,
    /// Both have it, with the same meaning and different names.
    Renamed,
}

impl Change {
    /// Its word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
            Change::Moved => "moved",
            Change::Renamed => "renamed",
        }
    }

    /// Its mark: `+`, `-` or `~`.
    pub fn mark(self) -> char {
        match self {
            Change::Added => '+',
            Change::Removed => '-',
            _ => '~',
        }
    }

    /// The change from the other side.
    #[must_use]
    pub fn mirrored(self) -> Change {
        match self {
            Change::Added => Change::Removed,
            Change::Removed => Change::Added,
            other => other,
        }
    }
}

/// A part in which two terms differ.
#[derive(Clone, Copy, Debug)]
pub struct Found<'t> {
    /// How.
    pub change: Change,
    /// Its noun.
    pub noun: &'static str,
    /// On the left, with the term around it.
    pub left: Spot<'t>,
    /// On the right.
    pub right: Spot<'t>,
}

/// One side of a part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot<'t> {
    /// The part, where this side has it.
    pub term: Option<&'t Term>,
    /// The term in which it stands, or would stand.
    pub around: Option<&'t Term>,
}

/// The smallest parts in which two terms differ; none exactly if they are equal by meaning.
pub fn walk<'t>(env: &mut Env<'_>, left: &'t Term, right: &'t Term) -> Vec<Found<'t>> {
    let mut walker = Walker { env, found: Vec::new() };
    let whole =
        changed("", Spot { term: Some(left), around: None }, Spot { term: Some(right), around: None });
    if walker.env.key(left) == walker.env.key(right) {
        return Vec::new();
    }
    walker.pair(whole.left, whole.right);
    match walker.found.len() {
        0 => vec![whole],
        n if n > MAX_PLACES => vec![whole],
        _ => walker.found,
    }
}

fn changed<'t>(noun: &'static str, left: Spot<'t>, right: Spot<'t>) -> Found<'t> {
    Found { change: Change::Changed, noun, left, right }
}

struct Walker<'e, 'a, 't> {
    env: &'e mut Env<'a>,
    found: Vec<Found<'t>>,
}

impl<'t> Walker<'_, '_, 't> {
    /// Two terms that belong together.
    fn pair(&mut self, left: Spot<'t>, right: Spot<'t>) {
        let (Some(l), Some(r)) = (left.term, right.term) else { return };
        if let (Some((_, a)), Some((_, b))) = (&l.binds, &r.binds)
            && !self.env.locals.contains_key(a)
            && !self.env.locals.contains_key(b)
        {
            self.env.pair(*a, *b);
        }
        if self.env.key(l) == self.env.key(r) {
            return;
        }
        let before = self.found.len();
        let known = match (&l.label, &r.label) {
            (Label::Many(a), Label::Many(b)) if a == b => self.lists(*a, l, r),
            (Label::Form(a), Label::Form(b)) if a == b && l.kids.len() == r.kids.len() => self.forms(l, r),
            _ => self.wrapped(l, r),
        };
        if !known || self.found.len() == before {
            self.found.truncate(before);
            self.found.push(changed("", left, right));
        }
    }

    /// Forms with kids in the same places. Whether there is something smaller to tell.
    fn forms(&mut self, l: &'t Term, r: &'t Term) -> bool {
        let same = |(a, b): (&Term, &Term)| self.env.key(a) == self.env.key(b);
        let (key, other) = (self.env.key(l), self.env.key(r));
        let within = |term: &Term, key: &str| term.kids.iter().any(|kid| self.env.key(kid) == key);
        if within(l, &other) || within(r, &key) {
            return false;
        }
        let several = l.kids.len() > 1;
        if several && !l.kids.iter().zip(&r.kids).any(same) && alike_terms(self.env, l, r) < 0.5 {
            return false;
        }
        for (a, b) in l.kids.iter().zip(&r.kids) {
            let (a, b) = (Spot { term: Some(a), around: Some(l) }, Spot { term: Some(b), around: Some(r) });
            self.pair(a, b);
        }
        true
    }

    /// Lists with one sign.
    fn lists(&mut self, sign: Many, l: &'t Term, r: &'t Term) -> bool {
        if let (Many::Minus, [first, ..], [other, ..]) = (sign, &l.kids[..], &r.kids[..]) {
            // The others are taken from the first kid.
            let at = |term, around| Spot { term: Some(term), around: Some(around) };
            self.pair(at(first, l), at(other, r));
            return self.aligned(sign, (l, &kids(l)[1..]), (r, &kids(r)[1..]), true);
        }
        self.aligned(sign, (l, &kids(l)), (r, &kids(r)), false)
    }

    /// One term against a list that has it among its kids.
    fn wrapped(&mut self, l: &'t Term, r: &'t Term) -> bool {
        let sign = |term: &Term| match term.label {
            Label::Many(sign) if sign.wraps() => Some(sign),
            _ => None,
        };
        let best = |sign: Many, one: &Term, list: &Term| -> f64 {
            let kids =
                if sign == Many::Minus { &list.kids[..1.min(list.kids.len())] } else { &list.kids[..] };
            let key = self.env.key(one);
            let score = |kid: &Term| match self.env.key(kid) == key {
                true => 2.0,
                false => alike_terms(self.env, one, kid),
            };
            kids.iter().map(score).fold(0.0, f64::max)
        };
        let in_right = sign(r).map(|sign| (best(sign, l, r), sign, true));
        let in_left = sign(l).map(|sign| (best(sign, r, l), sign, false));
        let mut ways: Vec<(f64, Many, bool)> = [in_right, in_left].into_iter().flatten().collect();
        ways.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let Some((_, sign, right)) = ways.into_iter().find(|(score, ..)| *score >= INSIDE) else {
            return false;
        };
        match right {
            true => self.aligned(sign, (l, &[l]), (r, &kids(r)), false),
            false => self.aligned(sign, (l, &kids(l)), (r, &[r]), false),
        }
    }

    fn aligned(
        &mut self,
        sign: Many,
        (l, lefts): (&'t Term, &[&'t Term]),
        (r, rights): (&'t Term, &[&'t Term]),
        inside: bool,
    ) -> bool {
        // Locals that two lists bind one after the other are the same where their names are.
        let locals =
            |terms: &[&Term]| -> Vec<Local> { terms.iter().filter_map(|term| term.binds.clone()).collect() };
        pair_names(self.env, &locals(lefts), &locals(rights));
        let Alignment { equal, moved, changed, left, right } = align(self.env, sign, lefts, rights);
        let both = !lefts.is_empty() && !rights.is_empty();
        let nothing = equal.is_empty() && moved.is_empty() && changed.is_empty();
        // A piece that goes nowhere is told as `none`.
        let nowhere = sign == Many::Ways && !both;
        if nowhere || !inside && both && (nothing || left.len() + right.len() > MAX_KIDS) {
            return false;
        }
        let spot = |terms: &[&'t Term], i: usize, around: &'t Term| Spot {
            term: terms.get(i).copied(),
            // A term that stands for a list with one kid is not around itself.
            around: terms.get(i).filter(|term| !std::ptr::eq(**term, around)).map(|_| around),
        };
        let place = |around: &'t Term| Spot { term: None, around: Some(around) };
        let noun = sign.noun();
        // The order is that of the places, on either side.
        let mut steps: Vec<(usize, usize, Found<'t>)> = Vec::new();
        let add = |steps: &mut Vec<_>, i: usize, class, change, left, right| {
            steps.push((i, class, Found { change, noun, left, right }));
        };
        for (i, j) in moved {
            add(&mut steps, i.min(j), 1, Change::Moved, spot(lefts, i, l), spot(rights, j, r));
        }
        for (i, j) in changed {
            add(&mut steps, i.min(j), 0, Change::Changed, spot(lefts, i, l), spot(rights, j, r));
        }
        for i in left {
            add(&mut steps, i, 2, Change::Removed, spot(lefts, i, l), place(r));
        }
        for j in right {
            add(&mut steps, j, 2, Change::Added, place(l), spot(rights, j, r));
        }
        steps.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| shown(&a.2).cmp(&shown(&b.2))));
        for (_, _, step) in steps {
            match step.change {
                Change::Changed => self.pair(step.left, step.right),
                _ => self.found.push(step),
            }
        }
        true
    }
}

fn kids(term: &Term) -> Vec<&Term> {
    term.kids.iter().collect()
}

/// Pairs the locals that fields of two items share: choices, parameters, and values of one name.
pub fn pair_items(env: &mut Env<'_>, left: &Item, right: &Item) {
    pair_names(env, &left.locals, &right.locals);
    for field in &left.fields {
        let other = right.fields.iter().find(|other| other.id == field.id);
        if let (Some((_, l)), Some((_, r))) = (&field.local, other.and_then(|other| other.local.as_ref())) {
            env.pair(*l, *r);
        }
    }
}

/// Takes locals for the same that are called the same, then the others in their order.
fn pair_names(env: &mut Env<'_>, lefts: &[Local], rights: &[Local]) {
    let free = |env: &Env<'_>, id: &u32| !env.locals.contains_key(id);
    for (name, l) in lefts {
        let named = rights.iter().find(|(other, r)| other == name && free(env, r));
        if let Some((_, r)) = named.filter(|_| free(env, l)) {
            env.pair(*l, *r);
        }
    }
    let rest = |locals: &[Local]| -> Vec<u32> {
        locals.iter().map(|(_, id)| *id).filter(|id| free(env, id)).collect()
    };
    let (left, right) = (rest(lefts), rest(rights));
    left.into_iter().zip(right).for_each(|(l, r)| env.pair(l, r));
}

/// Orders parts at one place, on either side.
fn shown<'t>(found: &Found<'t>) -> (&'t str, &'t str) {
    let text = |spot: Spot<'t>| spot.term.map_or("", |term| term.shown.as_str());
    let (left, right) = (text(found.left), text(found.right));
    (left.min(right), left.max(right))
}
