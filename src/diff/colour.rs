//! Things are told apart without their names, by colour refinement.
//!
//! Each thing that can be renamed gets a colour: a number for all that is known of it. At first that is its
//! class; then, again and again, its content and each place where it is used, with colours instead of
//! names, until no round tells more apart. Things of both variants that have one colour are built alike and
//! used alike. Where several have one, two of them are taken for the same, and the colours are refined
//! anew.
//!
//! A colour is only a reason to pair two things: whether they mean the same is found by comparing them.

use std::collections::{BTreeMap, BTreeSet};

use super::pairs::{Pair, RENAMED, names, naming, number, titled};
use crate::outline::{Class, Env, Item, hash};

/// How often two of several things that look alike are taken for the same. The rest goes by names.
const CHOSEN: usize = 64;

/// Colours of the things of one outline.
type Colours<'i> = BTreeMap<(Class, &'i str), u64>;

/// The things that are built and used alike under any names, after those that are known to be the same.
pub(super) fn pairs(lefts: &[Item], rights: &[Item], known: &[Pair]) -> Vec<Pair> {
    let mut out = known.to_vec();
    for _ in 0..CHOSEN {
        let (left, right) = refine(lefts, rights, &out);
        let mut groups: BTreeMap<(Class, u64), [Vec<&str>; 2]> = BTreeMap::new();
        for (side, (items, colours)) in [(lefts, left), (rights, right)].into_iter().enumerate() {
            // In the order of the file.
            for class in RENAMED {
                for name in names(items, class) {
                    if let Some(colour) = colours.get(&(class, name)) {
                        groups.entry((class, *colour)).or_default()[side].push(name);
                    }
                }
            }
        }
        let paired: BTreeSet<(Class, String)> = out.iter().map(|p| (p.class, p.left.clone())).collect();
        let mut choice = None;
        for ((class, _), [l, r]) in groups {
            match (&l[..], &r[..]) {
                ([l], [r]) if !paired.contains(&(class, (*l).to_owned())) => out.push(Pair::new(class, l, r)),
                ([_], [_]) | ([], _) | (_, []) => {}
                (lefts, rights) if choice.is_none() => {
                    // Names break ties, but for ends: of those that hold at once the first one counts.
                    let named = lefts.iter().find(|name| class != Class::End && rights.contains(name));
                    let pair = named.map_or((lefts[0], rights[0]), |name| (*name, *name));
                    choice = Some(Pair::new(class, pair.0, pair.1));
                }
                _ => {}
            }
        }
        match choice {
            Some(pair) => out.push(pair),
            None => break,
        }
    }
    out
}

/// The finest colours, the same in both outlines for things that look alike.
fn refine<'l, 'r>(lefts: &'l [Item], rights: &'r [Item], known: &[Pair]) -> (Colours<'l>, Colours<'r>) {
    let mut now = (first(lefts, known, 0), first(rights, known, 1));
    let count =
        |(l, r): &(Colours<'l>, Colours<'r>)| l.values().chain(r.values()).collect::<BTreeSet<_>>().len();
    let mut told = count(&now);
    loop {
        let next = (round(lefts, &now.0), round(rights, &now.1));
        let more = count(&next);
        if more == told {
            return now;
        }
        (now, told) = (next, more);
    }
}

/// All things, told apart by class only, and known pairs by their number.
fn first<'i>(items: &'i [Item], known: &[Pair], side: usize) -> Colours<'i> {
    let known: BTreeMap<(Class, &str), usize> =
        known.iter().enumerate().map(|(i, pair)| ((pair.class, pair.name(side)), i)).collect();
    let things =
        RENAMED.into_iter().flat_map(|class| names(items, class).into_iter().map(move |n| (class, n)));
    things.map(|thing| (thing, hash(&(thing.0, known.get(&thing))))).collect()
}

/// One more round: the content of each thing, and its uses.
fn round<'i>(items: &'i [Item], colours: &Colours<'i>) -> Colours<'i> {
    let mut env = Env { colours: colours.clone(), ..Env::default() };
    items.iter().for_each(|item| number(&mut env, item));
    // Sums, since the uses of a thing have no order.
    let mut sums: BTreeMap<(Class, &str), u64> = BTreeMap::new();
    let mut add = |class: Class, name: &'i str, found: u64| {
        let sum = sums.entry((class, name)).or_default();
        *sum = sum.wrapping_add(found);
    };
    for item in items {
        let thing = item.class.map(|class| (class, item.id.as_str()));
        let colour = thing.and_then(|thing| colours.get(&thing));
        let at = colour.copied().unwrap_or_else(|| hash(&item.path));
        for field in item.fields.iter().filter(|field| !field.note) {
            let says = hash(&(titled(&env, item, field), env.key(&field.term)));
            if let Some((class, name)) = thing {
                add(class, name, says);
            }
            if let Some(class) = naming(item, field) {
                add(class, &field.id, hash(&(at, says)));
            }
            env.places(&field.term, hash(&(at, says, "use")), &mut add);
        }
    }
    colours.iter().map(|(thing, old)| (*thing, hash(&(old, sums.get(thing))))).collect()
}
