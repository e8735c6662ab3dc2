//! Every form of expression against a slow reference, on random sets.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::kit::*;
use farrier::play::{Dealing, Machine, Position, Rng};
use farrier::program::*;

type Sites = BTreeSet<usize>;

fn sites(words: &[u64]) -> Sites {
    (0..words.len() * 64).filter(|s| words[s / 64] >> (s % 64) & 1 == 1).collect()
}

/// What the references see: three random sets, two numbers, and the board.
struct World {
    w: i32,
    h: i32,
    all: Sites,
    a: Sites,
    b: Sites,
    c: Sites,
    x: i32,
    y: i32,
}

const DIRS: [(i32, i32); 8] = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];
const ORTHOGONAL: [usize; 4] = [0, 1, 4, 5];

impl World {
    fn go(&self, s: usize, dir: usize) -> Option<usize> {
        let (x, y) = (s as i32 % self.w + DIRS[dir].0, s as i32 / self.w + DIRS[dir].1);
        ((0..self.w).contains(&x) && (0..self.h).contains(&y))
            .then_some((y * self.w + x) as usize)
            .filter(|s| self.all.contains(s))
    }
    fn near(&self, of: &Sites) -> Sites {
        of.iter().flat_map(|s| ORTHOGONAL.iter().filter_map(|d| self.go(*s, *d))).collect()
    }
    fn flood(&self, seed: &Sites, within: &Sites) -> Sites {
        let mut out: Sites = seed & within;
        loop {
            let more = &out | &(&self.near(&out) & within);
            if more == out {
                return out;
            }
            out = more;
        }
    }
    /// A shortest way from `a` to `b` inside `c`, its sites the lowest from the end on.
    fn path(&self) -> Sites {
        let mut rings = vec![&self.a & &self.c];
        while (&rings[rings.len() - 1] & &self.b).is_empty() {
            let inside = &self.near(&rings[rings.len() - 1]) & &self.c;
            let ring = rings.iter().fold(inside, |ring, seen| &ring - seen);
            if ring.is_empty() {
                return ring;
            }
            rings.push(ring);
        }
        let mut way = Sites::new();
        let mut ends = self.b.clone();
        while let Some(ring) = rings.pop() {
            let site = (&ring & &ends).into_iter().next().expect("a site of the way");
            way.insert(site);
            ends = self.near(&Sites::from([site]));
        }
        way
    }
    /// Of `a`, one after the other: with each the sites near it, and the site itself if it is in `b`.
    fn sieve(&self) -> Sites {
        let (mut rest, mut out) = (self.a.clone(), Sites::new());
        while let Some(site) = rest.pop_first() {
            let one = Sites::from([site]);
            out.extend(&(&self.near(&one) & &rest) | &(&one & &self.b));
            rest = &rest - &out;
        }
        out
    }
    fn ring(&self, of: &Sites, steps: i32) -> Sites {
        if steps < 0 {
            return Sites::new();
        }
        (0..steps)
            .fold((of.clone(), of.clone()), |(edge, seen), _| {
                let next = &self.near(&edge) - &seen;
                (next.clone(), &seen | &next)
            })
            .0
    }
    fn slide(&self, from: &Sites, through: &Sites, over: Option<&Sites>) -> Sites {
        let mut out = Sites::new();
        for origin in from {
            for dir in 0..8 {
                let (mut at, mut hurdles) = (*origin, 0);
                while let Some(next) = self.go(at, dir) {
                    at = next;
                    let hurdle = over.is_some_and(|o| o.contains(&at));
                    // Reached if everything before was passed, and one hurdle among it if there are any.
                    if over.is_none() || hurdles == 1 {
                        out.insert(at);
                    }
                    if hurdle {
                        hurdles += 1;
                        if hurdles > 1 {
                            break;
                        }
                    } else if !through.contains(&at) {
                        break;
                    }
                }
            }
        }
        out
    }
    fn between(&self) -> Sites {
        let mut out = Sites::new();
        for origin in &self.a {
            for dir in 0..8 {
                let ray: Vec<_> =
                    std::iter::successors(self.go(*origin, dir), |s| self.go(*s, dir)).collect();
                for (i, s) in ray.iter().enumerate() {
                    if self.b.contains(s) {
                        out.extend(&ray[..i]);
                    }
                }
            }
        }
        out
    }
    fn line(&self, length: i32) -> Sites {
        let mut out = Sites::new();
        for s in &self.c {
            for dir in 0..4 {
                let count = |d| {
                    std::iter::successors(Some(*s), |s| self.go(*s, d).filter(|s| self.c.contains(s))).count()
                        as i32
                };
                let back = [4, 5, 6, 7][dir];
                if length <= 1 || count(dir) + count(back) > length {
                    out.insert(*s);
                }
            }
        }
        out
    }
    fn distance(&self) -> i32 {
        let none = self.all.len() as i32;
        let site = |n: i32| usize::try_from(n).ok().filter(|s| self.all.contains(s));
        let (Some(from), Some(to)) = (site(self.x), site(self.y)) else {
            return none;
        };
        (0..none).find(|k| self.ring(&Sites::from([from]), *k).contains(&to)).unwrap_or(none)
    }
}

type SetRef = Box<dyn Fn(&World) -> Sites>;
type IntRef = Box<dyn Fn(&World) -> i32>;

/// Forms and their references; form `i` is written to an output by `tidy`.
#[derive(Default)]
struct Lab {
    sets: Vec<(String, SetId, SetRef)>,
    ints: Vec<(String, IntId, IntRef)>,
}

impl Lab {
    fn set(&mut self, k: &mut Kit, op: SetOp, slow: impl Fn(&World) -> Sites + 'static) {
        let name = format!("{op:?}");
        let id = k.set(op);
        self.sets.push((name, id, Box::new(slow)));
    }
    fn int(&mut self, k: &mut Kit, op: IntOp, slow: impl Fn(&World) -> i32 + 'static) {
        let name = format!("{op:?}");
        let id = k.int(op);
        self.ints.push((name, id, Box::new(slow)));
    }
}

fn all_forms(k: &mut Kit, lab: &mut Lab) {
    let (a, b, c) = (k.layer_of(0), k.layer_of(1), k.layer_of(2));
    let x = k.slot_of(slot::COUNT);
    let y = k.slot_of(slot::COUNT + 1);
    let few = k.constant(&[0, 2]);
    lab.set(k, SetOp::And(a, b), |w| &w.a & &w.b);
    lab.set(k, SetOp::Or(a, b), |w| &w.a | &w.b);
    lab.set(k, SetOp::Sub(a, b), |w| &w.a - &w.b);
    lab.set(k, SetOp::Not(a), |w| &w.all - &w.a);
    let ab = k.set(SetOp::And(a, b));
    let abc = k.set(SetOp::And(ab, c));
    lab.set(k, SetOp::Otherwise(abc, b), |w| {
        let first = &(&w.a & &w.b) & &w.c;
        if first.is_empty() { w.b.clone() } else { first }
    });
    lab.set(k, SetOp::Const(0), |_| Sites::from([0, 2]));
    lab.set(k, SetOp::Otherwise(few, a), |_| Sites::from([0, 2]));
    let row = SetOp::LayerRow { base: 1, count: 2, index: x };
    lab.set(k, row, |w| match w.x {
        0 => w.b.clone(),
        1 => w.c.clone(),
        _ => Sites::new(),
    });
    lab.set(k, SetOp::Site(x), |w| w.all.iter().copied().filter(|s| *s as i32 == w.x).collect());
    lab.set(k, SetOp::If(x, a, b), |w| if w.x != 0 { w.a.clone() } else { w.b.clone() });
    lab.set(k, SetOp::Switch(x, [c, a].into()), |w| match w.x {
        0 => w.c.clone(),
        1 => w.a.clone(),
        _ => Sites::new(),
    });
    for relation in [NEAR, NEAR_ROWS] {
        lab.set(k, SetOp::Image { relation, of: a }, |w| w.near(&w.a));
        lab.set(k, SetOp::Row { relation, site: x }, |w| {
            w.near(&w.all.iter().copied().filter(|s| *s as i32 == w.x).collect())
        });
        let flood = SetOp::Flood { relation, seed: a, within: c };
        lab.set(k, flood, |w| w.flood(&w.a, &w.c));
        let path = SetOp::Path { relation, from: a, within: c, to: b };
        lab.set(k, path, World::path);
        let ring = SetOp::Ring { relation, of: b, steps: y };
        lab.set(k, ring, |w| w.ring(&w.b, w.y));
        let distance = IntOp::Distance { relation, from: x, to: y };
        lab.int(k, distance, World::distance);
    }
    let held = k.set(SetOp::Local(0));
    let step = k.set(SetOp::Image { relation: NEAR, of: held });
    let fix = SetOp::Fix { local: 0, seed: a, within: c, step };
    lab.set(k, fix, |w| w.flood(&w.a, &w.c));
    let (from, to) = (k.set(SetOp::Site(x)), k.set(SetOp::Site(y)));
    lab.int(k, IntOp::Steps { local: 0, from, to, step }, World::distance);
    for rays in [0..8, 8..16] {
        let rays: Box<[u32]> = rays.collect();
        let slide = |over| SetOp::Slide { rays: rays.clone(), from: a, through: c, over };
        lab.set(k, slide(None), |w| w.slide(&w.a, &w.c, None));
        lab.set(k, slide(Some(b)), |w| {
            // What is in both must be jumped: it counts as a hurdle only.
            w.slide(&w.a, &(&w.c - &w.b), Some(&w.b))
        });
        let between = SetOp::Between { rays: rays.clone(), from: a, to: b };
        lab.set(k, between, World::between);
    }
    let line = SetOp::Line { steps: [EAST, NORTH, NORTH_EAST, NORTH_WEST].into(), of: c, length: y };
    lab.set(k, line, |w| w.line(w.y));
    let i = k.local(2);
    let in_b = k.int(IntOp::Has(b, i));
    let filter = SetOp::Filter { local: 2, domain: a, cond: in_b };
    lab.set(k, filter, |w| &w.a & &w.b);
    let around = k.set(SetOp::Row { relation: NEAR, site: i });
    let union = SetOp::Union { local: 2, domain: Domain::Set(a), body: around };
    lab.set(k, union, |w| w.near(&w.a));
    let alone = k.set(SetOp::Site(i));
    let alone_in_b = k.set(SetOp::And(alone, b));
    let passing = k.set(SetOp::Or(around, alone_in_b));
    lab.set(k, SetOp::Sieve { local: 2, domain: a, passing }, World::sieve);
    let numbers = SetOp::Union { local: 2, domain: Domain::Range(x, y), body: alone };
    lab.set(k, numbers, |w| {
        // No loop runs through more numbers than this.
        let last = w.y.min(w.x.saturating_add(65_535));
        let listed = |s: &usize| (w.x..=last).contains(&(*s as i32));
        w.all.iter().copied().filter(listed).collect()
    });
    let masked = SetOp::Union { local: 2, domain: Domain::Mask(y), body: alone };
    lab.set(k, masked, |w| {
        let listed = |s: &usize| *s < 32 && w.y as u32 >> s & 1 == 1;
        w.all.iter().copied().filter(listed).collect()
    });
    let local = k.set(SetOp::Local(1));
    let twice = k.set(SetOp::Or(local, b));
    let bound = SetOp::LetSet { local: 1, value: a, body: twice };
    lab.set(k, bound, |w| &w.a | &w.b);
    let three = k.local(3);
    let site = k.set(SetOp::Site(three));
    let bound = SetOp::LetInt { local: 3, value: y, body: site };
    lab.set(k, bound, |w| w.all.iter().copied().filter(|s| *s as i32 == w.y).collect());
    let inner = k.block(vec![Stmt::SetLayer(0, c)]);
    let nested = k.set(SetOp::After(inner, a));
    let outer = k.block(vec![Stmt::SetLayer(2, b)]);
    lab.set(k, SetOp::After(outer, nested), |w| w.b.clone());
    lab.int(k, IntOp::After(inner, x), |w| w.x);
    ints(k, lab, (a, b), (x, y));
}

fn ints(k: &mut Kit, lab: &mut Lab, (a, b): (SetId, SetId), (x, y): (IntId, IntId)) {
    type Slow = fn(i64, i64) -> i64;
    let narrow = |n: i64| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let operators: [(Binary, Slow); 13] = [
        (Binary::Add, |x, y| x + y),
        (Binary::Sub, |x, y| x - y),
        (Binary::Mul, |x, y| x * y),
        (Binary::Div, |x, y| if y == 0 { 0 } else { x / y }),
        (Binary::Rem, |x, y| if y == 0 { 0 } else { x % y }),
        (Binary::Min, i64::min),
        (Binary::Max, i64::max),
        (Binary::BitAnd, |x, y| x & y),
        (Binary::BitOr, |x, y| x | y),
        (Binary::BitSub, |x, y| x & !y),
        (Binary::Eq, |x, y| i64::from(x == y)),
        (Binary::Lt, |x, y| i64::from(x < y)),
        (Binary::Le, |x, y| i64::from(x <= y)),
    ];
    for (op, slow) in operators {
        lab.int(k, IntOp::Binary(op, x, y), move |w| narrow(slow(w.x.into(), w.y.into())));
    }
    lab.int(k, IntOp::And(x, y), |w| i32::from(w.x != 0 && w.y != 0));
    lab.int(k, IntOp::Or(x, y), |w| i32::from(w.x != 0 || w.y != 0));
    lab.int(k, IntOp::Unary(Unary::Abs, x), move |w| narrow(i64::from(w.x).abs()));
    lab.int(k, IntOp::Const(-7), |_| -7);
    lab.int(
        k,
        IntOp::Unary(Unary::Bit, y),
        |w| if (0..32).contains(&w.y) { (1u32 << w.y) as i32 } else { 0 },
    );
    lab.int(k, IntOp::Unary(Unary::BitCount, x), |w| w.x.count_ones() as i32);
    lab.int(k, IntOp::Unary(Unary::BitFirst, x), |w| {
        (0..32).find(|b| w.x as u32 >> b & 1 == 1).unwrap_or(-1)
    });
    lab.int(k, IntOp::Unary(Unary::Not, x), |w| i32::from(w.x == 0));
    lab.int(k, IntOp::If(x, y, x), |w| if w.x != 0 { w.y } else { w.x });
    lab.int(k, IntOp::Switch(x, [y, x].into(), 9), |w| match w.x {
        0 => w.y,
        1 => w.x,
        _ => 9,
    });
    let row = IntOp::SlotRow { base: slot::COUNT as u32, count: 2, index: x, missing: -3 };
    lab.int(k, row, |w| match w.x {
        0 => w.x,
        1 => w.y,
        _ => -3,
    });
    let dealt = IntOp::Dealt { base: 1, count: 2, index: x, missing: 0 };
    lab.int(k, dealt, |w| match w.x {
        0 => 21,
        1 => 22,
        _ => 0,
    });
    k.p.tables.push(vec![5, 6, 7]);
    let lookup = IntOp::Lookup { table: 0, index: x, missing: 8 };
    lab.int(k, lookup, |w| match w.x {
        0..=2 => 5 + w.x,
        _ => 8,
    });
    lab.int(k, IntOp::OfSet(OfSet::Count, a), |w| w.a.len() as i32);
    lab.int(k, IntOp::Some(a), |w| i32::from(!w.a.is_empty()));
    lab.int(k, IntOp::Meets(a, b), |w| i32::from(!w.a.is_disjoint(&w.b)));
    lab.int(k, IntOp::Same(a, b), |w| i32::from(w.a == w.b));
    let first = |s: &Sites| s.first().map_or(-1, |s| *s as i32);
    lab.int(k, IntOp::OfSet(OfSet::First, a), move |w| first(&w.a));
    lab.int(k, IntOp::OfSet(OfSet::Only, a), move |w| if w.a.len() == 1 { first(&w.a) } else { -1 });
    lab.int(k, IntOp::Has(a, x), |w| i32::from(w.a.iter().any(|s| *s as i32 == w.x)));
    let i = k.local(2);
    let in_b = k.int(IntOp::Has(b, i));
    let any = IntOp::Any { local: 2, domain: Domain::Set(a), cond: in_b };
    lab.int(k, any, |w| i32::from(!w.a.is_disjoint(&w.b)));
    let sum = IntOp::Sum { local: 2, domain: Domain::Set(a), body: i };
    lab.int(k, sum, |w| w.a.iter().sum::<usize>() as i32);
    let one = k.num(1);
    let range = IntOp::Sum { local: 2, domain: Domain::Range(x, y), body: one };
    lab.int(k, range, |w| (i64::from(w.y) - i64::from(w.x) + 1).clamp(0, 65_536) as i32);
    let held = k.local(3);
    let more = k.int(IntOp::Binary(Binary::Add, held, one));
    let bound = IntOp::LetInt { local: 3, value: x, body: more };
    lab.int(k, bound, |w| w.x.saturating_add(1));
    let local = k.set(SetOp::Local(1));
    let count = k.int(IntOp::OfSet(OfSet::Count, local));
    let bound = IntOp::LetSet { local: 1, value: a, body: count };
    lab.int(k, bound, |w| w.a.len() as i32);
}

/// A random set: empty, sparse or dense.
fn random(rng: &mut Rng, all: &Sites) -> Sites {
    let bar = [0, 1, 1, 3, 6, 9][rng.pick(6)];
    all.iter().copied().filter(|_| rng.pick(10) < bar).collect()
}

fn random_int(rng: &mut Rng, sites: usize) -> i32 {
    match rng.pick(8) {
        0 => [i32::MIN, i32::MAX, -1, 31, 32, 1 << 30][rng.pick(6)],
        1 => rng.bits() as i32,
        2 | 3 => rng.pick(sites) as i32,
        _ => rng.pick(5) as i32,
    }
}

fn check(w: i32, h: i32, holes: &[usize]) {
    let mut k = Kit::with_holes(w, h, 2, holes);
    for name in ["a", "b", "c"] {
        k.layer(name);
    }
    for name in ["x", "y"] {
        k.slot(name, 0);
    }
    k.p.layout.dealt = 4;
    k.p.layout.deals.push(Deal {
        name: "deal".to_owned(),
        sites: (0..4).collect(),
        low: 20,
        high: 23,
        to: DealTo::Dealt(0),
        inverse: None,
    });
    let mut lab = Lab::default();
    all_forms(&mut k, &mut lab);
    let mut tidy = vec![];
    let sets_at = k.p.layout.layers.len();
    for (name, id, _) in &lab.sets {
        let layer = k.layer(name);
        tidy.push(Stmt::SetLayer(layer, *id));
    }
    let ints_at = k.p.layout.slots.len();
    for (name, id, _) in &lab.ints {
        let slot = k.slot(name, 0);
        tidy.push(Stmt::SetSlot(slot, *id));
    }
    k.p.tidy = k.block(tidy);
    let mut m = Machine::new(Arc::new(k.p.clone())).unwrap();
    let layout = k.p.layout.clone();
    let all = sites(&k.p.all);
    let mut rng = Rng::new(u64::from(w.unsigned_abs()));
    for _ in 0..300 {
        let world = World {
            w,
            h,
            a: random(&mut rng, &all),
            b: random(&mut rng, &all),
            c: random(&mut rng, &all),
            x: random_int(&mut rng, all.len()),
            y: random_int(&mut rng, all.len()),
            all: all.clone(),
        };
        // A ring far off is empty; the slow one would take its time to say so.
        if world.y > 10_000 {
            continue;
        }
        let mut pos: Position = m.blank(Dealing::InOrder);
        for (layer, set) in [&world.a, &world.b, &world.c].into_iter().enumerate() {
            let mut words = vec![0; layout.width];
            set.iter().for_each(|s| words[s / 64] |= 1 << (s % 64));
            pos.set_layer(&layout, layer, &words);
        }
        pos.set_slot(&layout, slot::COUNT, world.x);
        pos.set_slot(&layout, slot::COUNT + 1, world.y);
        m.tidy(&mut pos);
        for (i, (name, _, slow)) in lab.sets.iter().enumerate() {
            let fast = sites(pos.layer(&layout, sets_at + i));
            assert_eq!(fast, slow(&world), "{name} with {} {}", world.x, world.y);
        }
        for (i, (name, _, slow)) in lab.ints.iter().enumerate() {
            let fast = pos.slot(&layout, ints_at + i);
            assert_eq!(fast, slow(&world), "{name} with {} {}", world.x, world.y);
        }
    }
}

#[test]
fn expressions_agree_with_slow_ones_on_one_word() {
    check(5, 5, &[]);
}

#[test]
fn expressions_agree_with_slow_ones_on_two_words_with_holes() {
    check(9, 9, &[1, 40, 63, 64, 80]);
}

#[test]
fn expressions_agree_with_slow_ones_on_three_words() {
    check(12, 12, &[]);
}
