//! Conditions of filters that stand in several places.
//!
//! A filter asks its condition of each member of a set. Where choices are made for one kind of piece after the other,
//! the same condition stands behind each: alike but for the numbers of the locals bound in it, and for the kind that is
//! known to move. Written out each time, that is most of a large program. So where a program is too large, a large
//! condition that stands in several places is a function. Its parameters are the integers that it is about.

use std::collections::{HashMap, HashSet};

use cranelift_codegen::ir::{InstBuilder, Value};

use super::emit::Emit;
use super::values::WorkingPosition;
use crate::program::{BlockId, Hole, IntId, IntOp, Local, Part, Program, SetId, SetOp, Stmt};

/// The fewest pieces of code of a condition that is a function.
const MIN_PIECES: usize = 100;

/// The fewest places of such a condition.
const MIN_PLACES: usize = 3;

/// The most pieces.
const MAX_PIECES: usize = 10_000;

/// The conditions that are functions.
#[derive(Default)]
pub(super) struct Asked {
    /// Each where it stands first.
    pub conditions: Vec<Condition>,
    /// Which of them a condition is, and what it is about there.
    places: HashMap<IntId, (usize, Vec<u32>)>,
}

pub(super) struct Condition {
    pub id: IntId,
    /// The integer locals that it names and does not bind.
    pub about: Vec<u32>,
}

/// A piece of code without its parts and the number of the local that it binds.
#[derive(PartialEq, Eq, Hash)]
enum Piece {
    Set(SetOp),
    Int(IntOp),
    Statement(Stmt),
    /// A local, by how many were bound before it.
    Bound(usize),
    /// What the code is about, by how many such were named before it.
    About(usize),
    End,
}

impl Asked {
    pub fn new(program: &Program) -> Asked {
        let mut filters = Filters { program, seen: HashSet::new(), conditions: Vec::new() };
        program.decisions.iter().for_each(|decision| filters.part(Part::Block(decision.generate)));
        let mut alike: HashMap<Vec<Piece>, Vec<Condition>> = HashMap::new();
        for id in filters.conditions {
            let mut spelling =
                Spelling { program, bound: Vec::new(), about: Vec::new(), pieces: Vec::new(), fits: true };
            spelling.part(Part::Int(id));
            if spelling.fits && spelling.pieces.len() >= MIN_PIECES {
                alike.entry(spelling.pieces).or_default().push(Condition { id, about: spelling.about });
            }
        }
        let mut asked = Asked::default();
        let mut alike: Vec<_> = alike.into_values().filter(|places| places.len() >= MIN_PLACES).collect();
        alike.sort_unstable_by_key(|places| places.first().map(|place| place.id));
        for (number, mut places) in alike.into_iter().enumerate() {
            asked.places.extend(places.iter().map(|place| (place.id, (number, place.about.clone()))));
            asked.conditions.push(places.swap_remove(0));
        }
        asked
    }

    /// The function that a condition is; none where it is written out.
    pub fn number(&self, id: IntId) -> Option<usize> {
        self.places.get(&id).map(|(number, _)| *number)
    }
}

/// Finds the conditions of filters outside copies of the position, which are no memory.
struct Filters<'p> {
    program: &'p Program,
    seen: HashSet<Part>,
    /// Once for each filter.
    conditions: Vec<IntId>,
}

impl Filters<'_> {
    fn part(&mut self, part: Part) {
        if !self.seen.insert(part) {
            return;
        }
        let program = self.program;
        match part {
            Part::Set(id) => {
                let op = &program.sets[id.0 as usize];
                if let SetOp::Filter { cond, .. } = op {
                    self.conditions.push(*cond);
                }
                if !matches!(op, SetOp::After(..)) {
                    op.each(&mut |part| self.part(part));
                }
            }
            Part::Int(id) => {
                let op = &program.ints[id.0 as usize];
                if !matches!(op, IntOp::After(..)) {
                    op.each(&mut |part| self.part(part));
                }
            }
            Part::Block(id) | Part::After(id) => {
                program.blocks[id.0 as usize].iter().for_each(|s| s.each(&mut |part| self.part(part)));
            }
        }
    }
}

/// A part, taken out of the piece that it is a part of.
fn taken(hole: Hole<'_>) -> Part {
    match hole {
        Part::Set(set) => Part::Set(std::mem::replace(set, SetId(0))),
        Part::Int(int) => Part::Int(std::mem::replace(int, IntId(0))),
        Part::Block(block) => Part::Block(std::mem::replace(block, BlockId(0))),
        Part::After(block) => Part::After(std::mem::replace(block, BlockId(0))),
    }
}

/// Spells code so that what is alike but for the numbers of its bound locals is the same.
struct Spelling<'p> {
    program: &'p Program,
    bound: Vec<Local>,
    about: Vec<u32>,
    pieces: Vec<Piece>,
    /// Whether it can be a function.
    fits: bool,
}

impl Spelling<'_> {
    fn local(&mut self, local: Local) {
        let piece = match (self.bound.iter().rposition(|bound| *bound == local), local) {
            (Some(at), _) => Piece::Bound(at),
            (None, Local::Int(number)) => {
                let known = self.about.iter().position(|about| *about == number);
                Piece::About(known.unwrap_or_else(|| {
                    self.about.push(number);
                    self.about.len() - 1
                }))
            }
            (None, Local::Set(_)) => {
                self.fits = false;
                return;
            }
        };
        self.pieces.push(piece);
    }

    fn part(&mut self, part: Part) {
        self.fits &= self.pieces.len() < MAX_PIECES;
        if !self.fits {
            return;
        }
        let program = self.program;
        match part {
            Part::Set(id) => match &program.sets[id.0 as usize] {
                SetOp::Local(local) => self.local(Local::Set(*local)),
                op => {
                    let (mut own, mut parts) = (op.clone(), Vec::new());
                    own.each_mut(&mut |hole| parts.push(taken(hole)));
                    if let SetOp::Fix { local, .. }
                    | SetOp::Times { local, .. }
                    | SetOp::LetSet { local, .. }
                    | SetOp::Filter { local, .. }
                    | SetOp::Sieve { local, .. }
                    | SetOp::Union { local, .. }
                    | SetOp::LetInt { local, .. } = &mut own
                    {
                        *local = 0;
                    }
                    self.pieces.push(Piece::Set(own));
                    self.parts(&parts, op.binds());
                }
            },
            Part::Int(id) => match &program.ints[id.0 as usize] {
                IntOp::Local(local) => self.local(Local::Int(*local)),
                op => {
                    let (mut own, mut parts) = (op.clone(), Vec::new());
                    own.each_mut(&mut |hole| parts.push(taken(hole)));
                    if let IntOp::LetSet { local, .. }
                    | IntOp::Steps { local, .. }
                    | IntOp::Any { local, .. }
                    | IntOp::Sum { local, .. }
                    | IntOp::LetInt { local, .. } = &mut own
                    {
                        *local = 0;
                    }
                    self.pieces.push(Piece::Int(own));
                    self.parts(&parts, op.binds());
                }
            },
            Part::Block(id) | Part::After(id) => {
                for statement in &program.blocks[id.0 as usize] {
                    let (mut own, mut parts) = (statement.clone(), Vec::new());
                    own.each_mut(&mut |hole| parts.push(taken(hole)));
                    match &mut own {
                        Stmt::LetSet(local, _) | Stmt::LetInt(local, _) | Stmt::For { local, .. } => {
                            *local = 0
                        }
                        Stmt::Move { kind, .. } => *kind = None,
                        _ => {}
                    }
                    self.pieces.push(Piece::Statement(own));
                    match statement {
                        Stmt::For { .. } => self.parts(&parts, statement.binds()),
                        _ => {
                            self.parts(&parts, None);
                            self.bound.extend(statement.binds());
                        }
                    }
                }
                self.pieces.push(Piece::End);
            }
        }
    }

    /// Parts, the last of which is where a local is bound.
    fn parts(&mut self, parts: &[Part], binds: Option<Local>) {
        let Some((last, others)) = parts.split_last() else { return };
        others.iter().for_each(|part| self.part(*part));
        let before = self.bound.len();
        self.bound.extend(binds);
        self.part(*last);
        self.bound.truncate(before);
    }
}

impl Emit<'_> {
    /// The answer of the function that a condition is; none where it is written out.
    pub fn asked(&mut self, id: IntId) -> Option<Value> {
        let shared = self.shared;
        let (number, about) = shared.asked.places.get(&id)?;
        let function = (*self.called.conditions.get(*number)?)?;
        let (WorkingPosition::Memory(pos) | WorkingPosition::Still(pos)) = self.place.clone() else {
            return None;
        };
        if about.iter().any(|local| !self.is_site(self.bounds[*local as usize])) {
            return None;
        }
        let mut params = vec![self.pointer(self.context), self.pointer(pos)];
        params.extend(about.iter().map(|local| self.int_local(*local)));
        let call = self.b.ins().call(function, &params);
        Some(self.b.inst_results(call)[0])
    }

    /// The body of the function that a condition is: its parameters are what it is about.
    pub fn condition(&mut self, number: usize, params: &[Value]) {
        if let WorkingPosition::Memory(pos) = self.place {
            self.place = WorkingPosition::Still(pos);
        }
        self.any_kind = true;
        let shared = self.shared;
        let Condition { id, about } = &shared.asked.conditions[number];
        for (local, value) in about.iter().zip(params) {
            self.bind_site(*local, *value);
        }
        let value = self.int(*id);
        self.b.ins().return_(&[value]);
    }
}
