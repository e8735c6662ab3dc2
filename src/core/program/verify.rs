//! The verifier: a program that passes can be run safely.
//!
//! It guarantees to the interpreter: every index is in range, code has no cycles and a bounded depth,
//! copies nest no deeper than stated, constant sets and relations stay on sites that exist, generators
//! only emit and nothing else does, and the moves of different leaves do not overlap.

use std::fmt;

use super::walk::{Local, Part, Use};
use super::{
    BlockId, DealTo, FlowNode, IntId, Layout, OutcomeCode, Program, RayTable, Relation, SetId, Stacks,
    StateId, slot,
};
use crate::limits::{CODE_LEVELS, PLAYERS};

/// The words that a set may have in memory. The interpreter is built for each of them, which takes its time: so there
/// are few, and compiled code leaves out the words that no site is in.
pub const WIDTHS: [usize; 5] = [1, 2, 4, 8, 16];

/// The least of [`WIDTHS`] that holds so many sites; the greatest where none does.
pub fn width_for(sites: usize) -> usize {
    WIDTHS.into_iter().find(|width| width * 64 >= sites).unwrap_or(16)
}

/// A fault of a program: a mistake of the code that made it, not of a definition's author.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramError {
    /// Where, such as `set 17`.
    pub place: String,
    /// The fault.
    pub message: String,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "bad program: {}: {}", self.place, self.message)
    }
}

impl std::error::Error for ProgramError {}

type Checked<T = ()> = Result<T, ProgramError>;

fn wrong<T>(place: impl Into<String>, message: impl Into<String>) -> Checked<T> {
    Err(ProgramError { place: place.into(), message: message.into() })
}

fn ensure(holds: bool, place: &str, message: &str) -> Checked {
    if holds { Ok(()) } else { wrong(place, message) }
}

/// Checks a program.
pub fn verify(program: &Program) -> Result<(), ProgramError> {
    layout(program)?;
    tables(program)?;
    let mut code = Code::new(program);
    code.all()?;
    flow(program, &mut code)
}

fn layout(program: &Program) -> Checked {
    let layout = &program.layout;
    let place = "layout";
    let width = layout.width;
    ensure(WIDTHS.contains(&width), place, "no such width")?;
    ensure(layout.sites <= 64 * width, place, "more sites than bits")?;
    ensure((1..=255).contains(&layout.players), place, "number of players")?;
    ensure(program.all.len() == width, "all", "words")?;
    ensure(members(&program.all).all(|site| site < layout.sites), "all", "sites beyond the board")?;
    for layer in &layout.layers {
        ensure(layer.start.len() == width, &layer.name, "words")?;
        ensure(within(&layer.start, &program.all), &layer.name, "no such sites")?;
    }
    ensure(layout.slots.len() >= slot::COUNT, place, "built-in slots missing")?;
    pieces(layout)?;
    for deal in &layout.deals {
        let numbers = i64::from(deal.high) - i64::from(deal.low) + 1;
        ensure(i64::try_from(deal.sites.len()) == Ok(numbers), &deal.name, "as many numbers as sites")?;
        let (base, end) = match deal.to {
            DealTo::Dealt(base) | DealTo::Lots(base) => (base, layout.dealt),
            DealTo::Slots(base) => (base, layout.slots.len()),
        };
        let inverse = deal.inverse.is_none_or(|at| at.saturating_add(deal.sites.len()) <= layout.dealt);
        ensure(inverse, &deal.name, "no room for the sites of what is dealt")?;
        ensure(
            deal.sites.iter().all(|site| base.saturating_add(usize::from(*site)) < end),
            &deal.name,
            "no room for what is dealt",
        )?;
    }
    Ok(())
}

fn pieces(layout: &Layout) -> Checked {
    let pieces = &layout.pieces;
    let place = "pieces";
    let layers = layout.layers.len();
    let owners = layout.players + usize::from(pieces.neutral);
    let fit =
        |base: Option<usize>, count: usize| base.is_none_or(|base| base.saturating_add(count) <= layers);
    ensure(fit(pieces.kind_base, pieces.kinds), place, "kind layers")?;
    ensure(fit(pieces.owner_base, owners), place, "owner layers")?;
    ensure(pieces.levels == 0 || fit(Some(pieces.level_base), pieces.levels), place, "level layers")?;
    ensure(pieces.kinds <= 255, place, "too many kinds")?;
    ensure(pieces.kind_base.is_some() || pieces.kinds <= 1, place, "several kinds need layers")?;
    ensure(
        pieces.kind_base.is_some() || pieces.owner_base.is_some() || pieces.kinds == 0,
        place,
        "neither kinds nor owners are stored",
    )?;
    ensure(pieces.stack.len() == pieces.kinds, place, "stacks")?;
    let fit = |stacks: Stacks| {
        let same = Stacks::new(stacks.most, layout.sites, pieces.sorts(layout.players), stacks.heights);
        let small = stacks.most <= 255 && stacks.heights <= layout.slots.len() && pieces.levels == 0;
        small && stacks == same && same.slots().end <= layout.slots.len()
    };
    ensure(pieces.stacks.is_none_or(fit), place, "stacks of any pieces")?;
    ensure(
        pieces.stack.iter().all(|stack| (1..=pieces.levels + 1).contains(&(*stack as usize))),
        place,
        "a stack without a level",
    )
}

/// The sites of a set of any number of words.
fn members(words: &[u64]) -> impl Iterator<Item = usize> {
    (0..words.len() * 64).filter(|site| words[site / 64] >> (site % 64) & 1 == 1)
}

fn within(words: &[u64], all: &[u64]) -> bool {
    words.iter().zip(all).all(|(word, all)| word & !all == 0)
}

/// Whether they are sets of existing sites, one for each of `sites`, and empty ones for holes.
fn rows_fit(program: &Program, rows: &[u64]) -> bool {
    let width = program.layout.width;
    let fits = |(site, row): (usize, &[u64])| {
        let there = program.all[site / 64] >> (site % 64) & 1 == 1;
        within(row, &program.all) && (there || row.iter().all(|word| *word == 0))
    };
    rows.len() == program.layout.sites * width && rows.chunks_exact(width).enumerate().all(fits)
}

fn tables(program: &Program) -> Checked {
    let width = program.layout.width;
    ensure(
        program.consts.len().is_multiple_of(width)
            && program.consts.chunks_exact(width).all(|set| within(set, &program.all)),
        "consts",
        "not sets of sites",
    )?;
    for relation in &program.relations {
        ensure(rows_fit(program, &relation.rows), &relation.name, "rows are not sets of sites")?;
        shifts(program, relation)?;
    }
    program.rays.iter().try_for_each(|ray| rays(program, ray))
}

fn shifts(program: &Program, relation: &Relation) -> Checked {
    let width = program.layout.width;
    for (by, mask) in &relation.shifts {
        let lands = |site: usize| {
            i64::try_from(site)
                .ok()
                .and_then(|site| usize::try_from(site + i64::from(*by)).ok())
                .is_some_and(|to| to < 64 * width && program.all[to / 64] >> (to % 64) & 1 == 1)
        };
        ensure(
            mask.len() == width && within(mask, &program.all) && members(mask).all(lands),
            &relation.name,
            "a shift leads off the sites",
        )?;
    }
    Ok(())
}

fn rays(program: &Program, ray: &RayTable) -> Checked {
    let sites = program.layout.sites;
    ensure(
        rows_fit(program, &ray.reach) && rows_fit(program, &ray.beyond),
        &ray.name,
        "rays are not sets of sites",
    )?;
    if ray.order == super::Order::Mixed {
        ensure(
            ray.lists.len() == sites
                && ray.lists.iter().flatten().all(|site| {
                    let site = usize::from(*site);
                    site < sites && program.all[site / 64] >> (site % 64) & 1 == 1
                }),
            &ray.name,
            "rays are not lists of sites",
        )?;
    }
    Ok(())
}

/// How deeply something nests: itself, and copies of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Depth {
    code: u32,
    copies: u32,
}

impl Depth {
    fn and(self, other: Depth) -> Depth {
        Depth { code: self.code.max(other.code), copies: self.copies.max(other.copies) }
    }
}

/// The place of a piece of code, for messages.
fn place_of(part: Part) -> String {
    match part {
        Part::Set(SetId(number)) => format!("set {number}"),
        Part::Int(IntId(number)) => format!("int {number}"),
        Part::Block(BlockId(number)) | Part::After(BlockId(number)) => format!("block {number}"),
    }
}

/// The effects of a block, the blocks in it included.
#[derive(Clone, Copy, Default)]
struct Does {
    changes: bool,
    emits: bool,
}

/// The walk over the code: the depth of each piece once it is known.
struct Code<'a> {
    program: &'a Program,
    sets: Vec<Option<Depth>>,
    ints: Vec<Option<Depth>>,
    blocks: Vec<Option<Depth>>,
    does: Vec<Does>,
}

impl<'a> Code<'a> {
    fn new(program: &'a Program) -> Code<'a> {
        Code {
            program,
            sets: vec![None; program.sets.len()],
            ints: vec![None; program.ints.len()],
            blocks: vec![None; program.blocks.len()],
            does: vec![Does::default(); program.blocks.len()],
        }
    }

    fn all(&mut self) -> Checked {
        let sets = (0..self.sets.len() as u32).map(|number| Part::Set(SetId(number)));
        let ints = (0..self.ints.len() as u32).map(|number| Part::Int(IntId(number)));
        let blocks = (0..self.blocks.len() as u32).map(|number| Part::Block(BlockId(number)));
        for part in sets.chain(ints).chain(blocks) {
            let depth = self.visit(part, 0)?;
            if depth.copies as usize > self.program.copies {
                return wrong(place_of(part), "copies nest deeper than stated");
            }
        }
        Ok(())
    }

    /// Where the depth of a piece of code is kept, if there is that piece.
    fn depth_of(&mut self, part: Part) -> Option<&mut Option<Depth>> {
        match part {
            Part::Set(SetId(number)) => self.sets.get_mut(number as usize),
            Part::Int(IntId(number)) => self.ints.get_mut(number as usize),
            Part::Block(BlockId(number)) | Part::After(BlockId(number)) => {
                self.blocks.get_mut(number as usize)
            }
        }
    }

    /// The depth of a piece of code. A cycle shows as code without end.
    fn visit(&mut self, code: Part, above: u32) -> Checked<Depth> {
        match self.depth_of(code) {
            None => return wrong(place_of(code), "does not exist"),
            Some(Some(depth)) => return Ok(*depth),
            Some(None) => {}
        }
        if above > CODE_LEVELS {
            return wrong(place_of(code), "code nests too deeply or in a circle");
        }
        let mut depth = Depth::default();
        let mut in_copy = 0;
        for part in self.parts_of(code)? {
            let copies = match part {
                Part::Set(_) | Part::Int(_) => in_copy,
                Part::Block(_) => 0,
                Part::After(_) => 1,
            };
            let below = self.visit(part, above + 1)?;
            if let Part::After(BlockId(number)) = part {
                in_copy = 1;
                if self.does[number as usize].emits {
                    return wrong(place_of(code), "emits in a copy");
                }
            }
            depth = depth.and(Depth { code: below.code + 1, copies: below.copies + copies });
        }
        if depth.code > CODE_LEVELS {
            return wrong(place_of(code), "code nests too deeply");
        }
        if let Some(known) = self.depth_of(code) {
            *known = Some(depth);
        }
        if let Part::Block(BlockId(number)) | Part::After(BlockId(number)) = code {
            self.does[number as usize] = self.what_does(number);
        }
        Ok(depth)
    }

    /// The parts of a piece of code. Everything else that it refers to is checked here.
    fn parts_of(&self, code: Part) -> Checked<Vec<Part>> {
        let (mut parts, mut uses) = (Vec::new(), Vec::new());
        let (mut part, mut used) = (|p| parts.push(p), |u| uses.push(u));
        match code {
            Part::Set(SetId(n)) => {
                let op = &self.program.sets[n as usize];
                op.each(&mut part);
                op.uses(&mut used);
            }
            Part::Int(IntId(n)) => {
                let op = &self.program.ints[n as usize];
                op.each(&mut part);
                op.uses(&mut used);
            }
            Part::Block(BlockId(n)) | Part::After(BlockId(n)) => {
                for statement in &self.program.blocks[n as usize] {
                    statement.each(&mut part);
                    statement.uses(&mut used);
                    if let super::Stmt::Emit { multiplier: 0, .. } = statement {
                        return wrong(place_of(code), "a multiplier of 0");
                    }
                }
            }
        }
        if let Some(missing) = uses.into_iter().find(|used| !self.fits(*used)) {
            return wrong(place_of(code), format!("{missing:?} does not exist"));
        }
        for part in &parts {
            if !self.has(*part) {
                return wrong(place_of(code), format!("{part:?} does not exist"));
            }
            let ordered = match (code, part) {
                (Part::Set(user), Part::Set(operand)) => *operand < user,
                (Part::Int(user), Part::Int(operand)) => *operand < user,
                _ => true,
            };
            if !ordered {
                return wrong(place_of(code), format!("{part:?} has no lower number"));
            }
        }
        Ok(parts)
    }

    fn has(&self, part: Part) -> bool {
        let program = self.program;
        match part {
            Part::Set(SetId(n)) => (n as usize) < program.sets.len(),
            Part::Int(IntId(n)) => (n as usize) < program.ints.len(),
            Part::Block(BlockId(n)) | Part::After(BlockId(n)) => (n as usize) < program.blocks.len(),
        }
    }

    fn fits(&self, used: Use) -> bool {
        let program = self.program;
        let room = |base: u32, count: u32, len: usize| (base as usize).saturating_add(count as usize) <= len;
        match used {
            Use::Const(n) => room(n, 1, program.consts.len() / program.layout.width),
            Use::Layers(base, count) => room(base, count, program.layout.layers.len()),
            Use::Slots(base, count) => room(base, count, program.layout.slots.len()),
            Use::Dealt(base, count) => room(base, count, program.layout.dealt),
            Use::Local(Local::Set(n)) => room(n, 1, program.set_locals),
            Use::Local(Local::Int(n)) => room(n, 1, program.int_locals),
            Use::Relation(n) => room(n, 1, program.relations.len()),
            Use::Ray(n) => room(n, 1, program.rays.len()),
            Use::Table(n) => room(n, 1, program.tables.len()),
        }
    }

    fn what_does(&self, block: u32) -> Does {
        let mut does = Does::default();
        for statement in &self.program.blocks[block as usize] {
            does.changes |= statement.changes();
            does.emits |= statement.emits();
            statement.each(&mut |part| {
                if let Part::Block(BlockId(n)) = part {
                    let inner = self.does[n as usize];
                    does.changes |= inner.changes;
                    does.emits |= inner.emits;
                }
            });
        }
        does
    }

    fn int(&self, id: IntId, place: &str) -> Checked {
        ensure(self.has(Part::Int(id)), place, "no such int")
    }

    /// A block that changes positions.
    fn effects(&self, id: BlockId, place: &str) -> Checked {
        ensure(self.has(Part::Block(id)), place, "no such block")?;
        ensure(!self.does[id.0 as usize].emits, place, "emits, and is no generator")
    }

    /// A block that yields moves.
    fn generator(&self, id: BlockId, place: &str) -> Checked {
        ensure(self.has(Part::Block(id)), place, "no such block")?;
        ensure(!self.does[id.0 as usize].changes, place, "a generator changes the position")
    }

    fn local(&self, local: u32, place: &str) -> Checked {
        ensure(self.fits(Use::Local(Local::Int(local))), place, "no such local")
    }
}

fn flow(program: &Program, code: &mut Code<'_>) -> Checked {
    for decision in &program.decisions {
        let place = &decision.name;
        code.generator(decision.generate, place)?;
        code.effects(decision.apply, place)?;
        for test in [decision.when, decision.weight].into_iter().flatten() {
            code.int(test, place)?;
        }
        let mut numbers = 1u32;
        for var in decision.vars.iter().rev() {
            code.local(var.local, place)?;
            ensure(var.radix > 0, place, "an empty var")?;
            ensure(var.multiplier == numbers, place, "numbers of moves do not fit together")?;
            numbers = numbers.saturating_mul(var.radix);
        }
        ensure(decision.size == numbers, place, "as many numbers as there are choices")?;
    }
    let mut end = 0;
    for (number, leaf) in program.leaves.iter().enumerate() {
        let place = format!("leaf {number}");
        let size = match leaf.decision {
            None => 1,
            Some(decision) => match program.decisions.get(decision) {
                Some(decision) => decision.size,
                None => return wrong(place, "no such decision"),
            },
        };
        ensure(leaf.base >= end, &place, "its moves overlap others")?;
        // Bases are 32-bit integers of the code, so moves stay below their sign.
        end = match leaf.base.checked_add(size).filter(|end| *end <= 1 << 31) {
            Some(end) => end,
            None => return wrong(place, "too many moves"),
        };
        state(program, leaf.next, &place)?;
    }
    for (number, rest) in program.states.iter().enumerate() {
        node(program, code, &rest.rest, &format!("state {number}"), 0)?;
    }
    state(program, program.main, "main")?;
    for (start, owner) in &program.opening {
        state(program, *start, "opening")?;
        ensure(
            owner.is_none_or(|owner| usize::from(owner) < program.layout.players),
            "opening",
            "no such player",
        )?;
    }
    ensure(
        program.leaves.get(program.stuck_pass).is_some_and(|leaf| leaf.decision.is_none()),
        "stuck",
        "no such pass",
    )?;
    code.effects(program.setup, "setup")?;
    code.effects(program.tidy, "tidy")?;
    code.effects(program.turn_end, "turn end")?;
    for test in [program.next, program.score].into_iter().flatten() {
        code.int(test, "next or score")?;
    }
    outcome(code, &program.stuck, "stuck", 0)?;
    for end in &program.ends {
        code.int(end.when, &end.name)?;
        outcome(code, &end.result, &end.name, 0)?;
    }
    if let Some(code_of) = &program.match_ {
        code.int(code_of.points, "match")?;
        code.local(code_of.won, "match")?;
        code.local(code_of.score, "match")?;
    }
    Ok(())
}

fn state(program: &Program, id: StateId, place: &str) -> Checked {
    ensure((id.0 as usize) < program.states.len() && id.0 <= i32::MAX as u32, place, "no such state")
}

fn node(program: &Program, code: &Code<'_>, flow: &FlowNode, place: &str, above: u32) -> Checked {
    ensure(above <= CODE_LEVELS, place, "flow nests too deeply")?;
    match flow {
        FlowNode::Leaf(leaf) | FlowNode::May(_, leaf) => {
            ensure(*leaf < program.leaves.len(), place, "no such leaf")?;
        }
        FlowNode::If(test, _) | FlowNode::By(test, _) => code.int(*test, place)?,
        FlowNode::Longest { node, inside } => {
            ensure(!has_longest(node), place, "a choice of the longest inside another")?;
            inside.iter().try_for_each(|id| state(program, *id, place))?;
        }
        _ => {}
    }
    flow.parts().iter().try_for_each(|part| node(program, code, part, place, above + 1))
}

fn has_longest(node: &FlowNode) -> bool {
    matches!(node, FlowNode::Longest { .. }) || node.parts().iter().any(has_longest)
}

fn outcome(code: &Code<'_>, result: &OutcomeCode, place: &str, above: u32) -> Checked {
    ensure(above <= CODE_LEVELS, place, "outcome nests too deeply")?;
    match result {
        OutcomeCode::If(test, then, otherwise) => {
            code.int(*test, place)?;
            outcome(code, then, place, above + 1)?;
            outcome(code, otherwise, place, above + 1)
        }
        OutcomeCode::Wins(player) => code.int(*player, place),
        OutcomeCode::Places(numbers) => {
            let players = code.program.layout.players;
            ensure(numbers.len() == players && players <= PLAYERS, place, "places are of each player")?;
            numbers.iter().try_for_each(|number| code.int(*number, place))
        }
        OutcomeCode::Pass | OutcomeCode::Draw | OutcomeCode::Score => Ok(()),
    }
}
