//! From two games to their differences.

mod players;
mod pure;
mod sides;

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Diff, Difference, Side};
use super::pairs::{self, Pair, meaning};
use super::sentence;
use crate::diagnostic::nearest;
use crate::game::Game;
use crate::outline::{
    self, Change, Class, Env, Field, FilePlaces, Found, Item, Label, Section, Spot, Term, pair_items, walk,
};
use crate::source::Sources;
use sides::Sides;

/// A pair of names that cannot be taken for one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapError {
    /// The mistake, in one sentence.
    pub message: String,
    /// The nearest name.
    pub help: Option<String>,
}

impl std::fmt::Display for MapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        crate::diagnostic::with_help(f, &self.message, self.help.as_deref())
    }
}

impl std::error::Error for MapError {}

/// How `right` differs from `left`. `map` has pairs of names, the left one first: players, and things that have
/// another name on the right and do not quite mean the same. `sources` are those that both were loaded with.
///
/// ```
/// use farrier::diff::diff;
/// use farrier::shipped::Shipped;
/// use farrier::source::Sources;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut sources = Sources::default();
/// let mut load = |word: &str| -> Result<_, Box<dyn std::error::Error>> {
///     let (game, found) = word.parse::<Variant>()?.load(&Shipped, &mut sources);
///     Ok(game.ok_or(found)?)
/// };
/// let (left, right) = (load("knights-and-pawns")?, load("knights-and-pawns+single-pawn-blocks")?);
/// let found = diff(&left, &right, &[], &sources)?;
/// assert!(!found.is_equal() && !found.same_program);
/// # Ok(())
/// # }
/// ```
///
/// There are several ways to pair the things of both. The one with the fewest differences is told.
pub fn diff(
    left: &Game,
    right: &Game,
    map: &[(String, String)],
    sources: &Sources,
) -> Result<Diff, MapError> {
    let (mut lefts, mut rights) = outline::both(left, right);
    let (mut known, mut named) = (Vec::new(), BTreeMap::new());
    for (from, to) in map {
        let player = |game: &Game, name: &String| game.rules.players.contains(name);
        match pairs::mapped(&lefts, &rights, from, to) {
            Some(pair) => known.push(pair),
            None if player(left, from) && player(right, to) => drop(named.insert(from.as_str(), to.as_str())),
            None => return Err(no_map((left, &lefts), (right, &rights), from, to)),
        }
    }
    if left.prints_players() || right.prints_players() {
        let mapped = |at: usize| {
            let (l, r) = (left.player(at), right.player(at));
            named.get(l) == Some(&r)
        };
        players::print(&mut lefts, &mapped);
        players::print(&mut rights, &mapped);
    }
    let seats = right.players_in(left, |name| named.get(name).copied().unwrap_or(name));
    let both = Both { left, right, sources };
    let mut best: Option<(usize, Diff)> = None;
    for (seats, exchanged) in players::ways(left, seats) {
        let rights = players::seated(&rights, &seats, exchanged);
        let lefts = players::seated(&lefts, &[], exchanged);
        // The exchange of the players is one difference with any pairs.
        let least = usize::from(exchanged.is_some());
        for pair in [pairs::by_names, pairs::by_content] {
            if best.as_ref().is_some_and(|(cost, _)| *cost <= least) {
                break;
            }
            let pairs = pair(&lefts, &rights, &known);
            let diff = both.told(&lefts, &pairs::renamed(&lefts, &rights, &pairs), &pairs, exchanged);
            // That a name stands for something else is told too.
            let crossed = |pair: &&Pair| {
                pair.left != pair.right && pairs::names(&rights, pair.class).contains(&pair.left.as_str())
            };
            let cost = match diff.differences.len() {
                n if n <= least => n,
                n => n + pairs.iter().filter(crossed).count(),
            };
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, diff));
            }
        }
    }
    Ok(best.map(|(_, diff)| diff).unwrap_or_default())
}

/// The two games.
struct Both<'g> {
    left: &'g Game,
    right: &'g Game,
    sources: &'g Sources,
}

impl Both<'_> {
    /// The differences of two outlines in which paired things have one name.
    fn told(&self, lefts: &[Item], rights: &[Item], pairs: &[Pair], exchanged: Option<&'static str>) -> Diff {
        let mut env = Env::default();
        pure::definitions(lefts, rights, self.left, &mut env);
        pure::definitions(rights, lefts, self.right, &mut env);
        let mut report = Report {
            env,
            left: Sides(FilePlaces { def: &self.left.definition, sources: self.sources }),
            right: Sides(FilePlaces { def: &self.right.definition, sources: self.sources }),
            found: Vec::new(),
            notes: Vec::new(),
        };
        for (l, r) in pairs_of(lefts, rights) {
            match (l, r) {
                (Some(l), Some(r)) => report.items(l, r),
                (Some(l), None) => report.one(l, Change::Removed),
                (None, Some(r)) => report.one(r, Change::Added),
                (None, None) => {}
            }
        }
        if let Some(what) = exchanged {
            report.players(what, lefts, rights);
        }
        report.order_of_ends(lefts, rights);
        report.renames(pairs, lefts, rights);
        Diff { same_program: self.left.is_same_as(self.right), ..report.done() }
    }
}

fn no_map(left: (&Game, &[Item]), right: (&Game, &[Item]), from: &str, to: &str) -> MapError {
    let known = |(game, items): (&Game, &[Item])| -> Vec<String> {
        let things = pairs::mappable(items).into_iter().map(str::to_owned);
        things.chain(game.rules.players.iter().cloned()).collect()
    };
    let (known_left, known_right) = (known(left), known(right));
    let (name, known, side) = match known_left.iter().any(|name| name == from) {
        true => (to, known_right, "right"),
        false => (from, known_left, "left"),
    };
    let near = nearest(name, known.iter().map(String::as_str));
    let message = match known.iter().any(|known| known == name) {
        true => format!("`{from}={to}` maps nothing: the two are not of one sort"),
        false => format!("`{from}={to}` maps nothing: `{name}` is no name that the {side} variant defines"),
    };
    MapError { message, help: near.map(|near| format!("did you mean `{near}`?")) }
}

/// The items of both, those of one thing together: by section, the left one's order first.
fn pairs_of<'i>(lefts: &'i [Item], rights: &'i [Item]) -> Vec<(Option<&'i Item>, Option<&'i Item>)> {
    let same = |a: &Item, b: &Item| {
        // A definition may have become a region: only its content counts.
        a.section == b.section
            && a.class == b.class
            && a.id == b.id
            && (a.class.is_some() || a.path == b.path)
    };
    let old = lefts.iter().map(|l| (Some(l), rights.iter().find(|r| same(l, r))));
    let new = rights.iter().filter(|r| !lefts.iter().any(|l| same(l, r))).map(|r| (None, Some(r)));
    old.chain(new).collect()
}

/// A difference and the terms that it is about.
struct Told<'t> {
    difference: Difference,
    terms: Vec<&'t Term>,
    /// A whole item, where it is a name for rules: only a name as long as no difference uses it.
    name: Option<(Class, &'t str)>,
}

/// Gathers differences.
struct Report<'a, 'g> {
    env: Env<'a>,
    left: Sides<'g>,
    right: Sides<'g>,
    found: Vec<Told<'a>>,
    notes: Vec<Difference>,
}

impl<'a> Report<'a, '_> {
    /// Two items that are the same thing.
    fn items(&mut self, l: &'a Item, r: &'a Item) {
        let equal = meaning(&self.env, l) == meaning(&self.env, r);
        let mut env = self.env.clone();
        pair_items(&mut env, l, r);
        let (lefts, rights) = by_player(&l.fields, &r.fields);
        for (a, b) in fields(&mut env, lefts, rights) {
            if equal && !a.or(b).is_some_and(|field| field.note) {
                continue;
            }
            match (a, b) {
                (Some(a), Some(b)) => {
                    for found in walk(&mut env, &a.term, &b.term) {
                        self.part(l, r, (a, b), &found);
                    }
                }
                (Some(a), None) => self.field(l, r, a, Change::Removed),
                (None, Some(b)) => self.field(l, r, b, Change::Added),
                (None, None) => {}
            }
        }
    }

    /// A part of a field that differs.
    fn part(&mut self, l: &'a Item, r: &'a Item, (a, b): (&'a Field, &'a Field), found: &Found<'a>) {
        let subject = |item: &Item, field: &Field| match field.title.is_empty() {
            true => item.called(),
            false => format!("{}, {}", item.called(), field.title),
        };
        let sides = [self.left.part(l, a, found.left), self.right.part(r, b, found.right)];
        let noun = if found.change == Change::Changed { "" } else { found.noun };
        let (here, there) = ((l.path(a), subject(l, a)), (r.path(b), subject(r, b)));
        let terms = [found.left.term, found.right.term].into_iter().flatten().collect();
        let difference = difference(l.section, found.change, (here, there), noun, sides.map(Some));
        self.tell(Told { difference, terms, name: None }, l.note || a.note);
    }

    /// A field that only one of two items has.
    fn field(&mut self, l: &'a Item, r: &'a Item, field: &'a Field, change: Change) {
        let whole = Spot { term: Some(&field.term), around: None };
        let sides = match change {
            Change::Removed => [self.left.part(l, field, whole), self.right.lacking(r, &r.path(field))],
            _ => [self.left.lacking(l, &l.path(field)), self.right.part(r, field, whole)],
        };
        let subject = |item: &Item| match field.title.is_empty() {
            true => item.called(),
            false => format!("{}: {}", item.called(), field.title),
        };
        let names = ((l.path(field), subject(l)), (r.path(field), subject(r)));
        let difference = difference(l.section, change, names, "", sides.map(Some));
        self.tell(Told { difference, terms: vec![&field.term], name: None }, l.note || field.note);
    }

    /// An item that only one side has.
    fn one(&mut self, item: &'a Item, change: Change) {
        let sides = match change {
            Change::Removed => [Some(self.left.whole(item)), self.right.dropped(&item.path)],
            _ => [self.left.dropped(&item.path), Some(self.right.whole(item))],
        };
        let name = match item.class {
            Some(class @ (Class::Definition | Class::Relation | Class::Effect | Class::Direction)) => {
                Some((class, item.id.as_str()))
            }
            _ => None,
        };
        let called = (item.path.clone(), item.called());
        let found = difference(item.section, change, (called.clone(), called), "", sides);
        let difference = Difference { whole: true, ..found };
        self.tell(Told { difference, terms: item.terms().collect(), name }, item.note);
    }

    fn tell(&mut self, told: Told<'a>, note: bool) {
        if note { self.notes.push(told.difference) } else { self.found.push(told) }
    }

    /// The order of the ends: where several hold at once, the first one counts.
    fn order_of_ends(&mut self, lefts: &'a [Item], rights: &'a [Item]) {
        let ends = |items: &'a [Item], others: &[Item]| -> Vec<&'a Item> {
            let end = |item: &&Item| item.class == Some(Class::End);
            let known = |item: &&Item| others.iter().any(|o| o.class == item.class && o.id == item.id);
            items.iter().filter(end).filter(known).collect()
        };
        let (left, right) = (ends(lefts, rights), ends(rights, lefts));
        let (Some(first), Some(other)) = (left.first(), right.first()) else { return };
        if left.iter().map(|end| &end.id).eq(right.iter().map(|end| &end.id)) {
            return;
        }
        let names = |list: &[&Item]| list.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", ");
        let sides = self.renamed((first, names(&left)), (other, names(&right)));
        self.changed(Section::Ends, "end", "the order in which the ends are looked at", sides);
    }

    /// Both sides of two whole items, with other texts.
    fn renamed(&self, left: (&Item, String), right: (&Item, String)) -> [Option<Side>; 2] {
        let side = |sides: &Sides<'_>, (item, text)| Some(Side { text, ..sides.whole(item) });
        [side(&self.left, left), side(&self.right, right)]
    }

    /// Something that both call the same is not the same in both.
    fn changed(&mut self, section: Section, path: &str, subject: &str, sides: [Option<Side>; 2]) {
        let called = (path.to_owned(), subject.to_owned());
        let difference = difference(section, Change::Changed, (called.clone(), called), "", sides);
        self.tell(Told { difference, terms: Vec::new(), name: None }, false);
    }

    /// The players have each other's names or places.
    fn players(&mut self, what: &str, lefts: &'a [Item], rights: &'a [Item]) {
        let number = |items: &'a [Item]| items.iter().find(|item| item.section == Section::Players);
        let (Some(l), Some(r)) = (number(lefts), number(rights)) else { return };
        let names = |sides: &Sides<'_>| {
            sides.0.def.players.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join(", ")
        };
        let sides = self.renamed((l, names(&self.left)), (r, names(&self.right)));
        self.changed(Section::Players, &l.path, what, sides);
    }

    /// Things that have another name on the right.
    fn renames(&mut self, pairs: &[Pair], lefts: &'a [Item], rights: &'a [Item]) {
        for one in pairs.iter().filter(|pair| pair.left != pair.right) {
            let item = |items: &'a [Item]| {
                let class = if one.class == Class::Trait { Class::Piece } else { one.class };
                items.iter().find(|item| {
                    let of_trait = one.class == Class::Trait && item.fields.iter().any(|f| f.id == one.left);
                    item.class == Some(class) && (of_trait || item.id == one.left)
                })
            };
            let (Some(l), Some(r)) = (item(lefts), item(rights)) else { continue };
            let sides = self.renamed((l, one.left.clone()), (r, one.right.clone()));
            let named = |item: &Item, name: &str| match one.class {
                Class::Trait => (format!("pieces.*.{name}"), format!("trait `{name}`")),
                _ => (item.path.clone(), format!("{} `{name}`", item.noun)),
            };
            let names = (named(l, &one.left), named(r, &one.right));
            self.notes.push(difference(l.section, Change::Renamed, names, "", sides));
        }
    }

    /// All differences by section. A definition that no difference uses is only a name.
    fn done(mut self) -> Diff {
        let mut used: BTreeSet<(Class, &str)> = BTreeSet::new();
        let mut differences: Vec<Difference> = Vec::new();
        loop {
            let is_used = |told: &Told<'a>| told.name.is_none_or(|name| used.contains(&name));
            let (more, names): (Vec<_>, Vec<_>) = self.found.into_iter().partition(is_used);
            self.found = names;
            if more.is_empty() {
                break;
            }
            more.iter().for_each(|told| mention(&told.terms, &mut used));
            differences.extend(more.into_iter().map(|told| told.difference));
        }
        self.notes.extend(self.found.into_iter().map(|told| told.difference));
        // Changes come before things that are gone or new, each by path. So a mirrored comparison has the same
        // order.
        differences.sort_by_cached_key(|d| (d.section, d.whole, either_path(d)));
        self.notes.sort_by_cached_key(|d| (d.section, d.change == Change::Renamed, either_path(d)));
        Diff { differences, notes: self.notes, same_program: false }
    }
}

/// The path by which a difference is ordered, whichever side is the left one.
fn either_path(d: &Difference) -> String {
    let other = d.also.as_ref().map_or(&d.path, |(path, _)| path);
    d.path.clone().min(other.clone())
}

/// The names in terms.
fn mention<'t>(terms: &[&'t Term], used: &mut BTreeSet<(Class, &'t str)>) {
    for term in terms {
        term.each(&mut |term| {
            if let Label::Ref(class, name) = &term.label {
                used.insert((*class, name.as_str()));
            }
        });
    }
}

/// A path and the subject there.
type Called = (String, String);

fn difference(
    section: Section,
    change: Change,
    (left_name, right_name): (Called, Called),
    noun: &str,
    [left, right]: [Option<Side>; 2],
) -> Difference {
    let also = (left_name != right_name).then_some(right_name);
    let (path, subject) = left_name;
    let (noun, sentence, whole) = (noun.to_owned(), String::new(), false);
    let mut found = Difference { section, path, change, whole, subject, also, noun, sentence, left, right };
    found.sentence = sentence::of(&found);
    found
}

/// Fields with the id that each is matched by.
type Fields<'i> = Vec<(String, &'i Field)>;

/// A field that one side has for all players, and the other for each, becomes one for each player on both.
fn by_player<'i>(lefts: &'i [Field], rights: &'i [Field]) -> (Fields<'i>, Fields<'i>) {
    let spread = |fields: &'i [Field], others: &[Field]| -> Fields<'i> {
        let mut out = Vec::new();
        for field in fields {
            let each =
                others.iter().filter(|other| other.id.split_once('@').is_some_and(|(k, _)| k == field.id));
            let each: Vec<String> = each.map(|other| other.id.clone()).collect();
            match each.is_empty() {
                true => out.push((field.id.clone(), field)),
                false => out.extend(each.into_iter().map(|id| (id, field))),
            }
        }
        out
    };
    (spread(lefts, rights), spread(rights, lefts))
}

/// The fields of both, those of one thing together. Values that are only named differently belong together.
fn fields<'i>(
    env: &mut Env<'_>,
    lefts: Fields<'i>,
    rights: Fields<'i>,
) -> Vec<(Option<&'i Field>, Option<&'i Field>)> {
    let mut free = rights;
    let named = lefts.into_iter().map(|(id, l)| {
        let other = free.iter().position(|(other, _)| *other == id);
        (l, other.map(|at| free.remove(at).1))
    });
    let mut pairs: Vec<(&Field, Option<&Field>)> = named.collect();
    let local = |field: &Field| field.local.as_ref().map(|(_, id)| *id);
    loop {
        let unpaired = pairs.iter().enumerate().filter(|(_, (_, other))| other.is_none());
        let found = unpaired.map(|(at, (l, _))| (at, *l)).find_map(|(at, l)| {
            let (id, key) = (local(l)?, env.key(&l.term));
            let other = free.iter().position(|(_, r)| local(r).is_some() && env.key(&r.term) == key)?;
            Some((at, other, id, local(free[other].1)?))
        });
        let Some((at, other, l, r)) = found else { break };
        env.pair(l, r);
        pairs[at].1 = Some(free.remove(other).1);
    }
    let new = free.into_iter().map(|(_, r)| (None, Some(r)));
    pairs.into_iter().map(|(l, r)| (Some(l), r)).chain(new).collect()
}
