//! The rest of a turn, the end of a turn, the next turn.
//!
//! The mover is the turn's player outside a `by`. So a `by` puts the mover back on both of its ways out, and who
//! decides is told in a variable. That variable counts only where something is due: what is done may have left
//! anything in it, and a turn that is done before any ply leaves its own player stuck.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::{Switch, Variable};

use super::code::context::{self, NOT_DONE};
use super::cost::Costs;
use super::emit::Emit;
use super::values::Place;
use crate::program::{FlowNode, Program, StateId, Stmt, slot};

/// From so many instructions on a generator that stands in several places is a function.
const LARGE: u64 = 80;

/// Where resolving a position goes on.
struct Course {
    /// Something is due, whose decider is in `mover`.
    mover: Variable,
    /// Whether a turn has begun: then the ends at its start are still to be looked at.
    begun: Variable,
    /// The player in `mover` is stuck.
    stuck: Block,
    /// The ends at a turn's start.
    ends: Block,
    /// The game is over: nothing is laid down.
    over: Block,
    /// Nothing is left to do.
    finish: Block,
}

/// The states that a move may leave.
fn reached(program: &Program) -> Vec<StateId> {
    let mut states: Vec<StateId> = program.leaves.iter().map(|leaf| leaf.next).collect();
    states.sort_unstable();
    states.dedup();
    states
}

/// The states in which turns begin.
fn beginnings(program: &Program) -> Vec<StateId> {
    program.opening.iter().map(|(state, _)| *state).chain([program.main]).collect()
}

/// Whether a node says `by` somewhere.
fn names_mover(node: &FlowNode) -> bool {
    match node {
        FlowNode::Done | FlowNode::Leaf(_) => false,
        FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => nodes.iter().any(names_mover),
        FlowNode::If(_, node)
        | FlowNode::Try(node)
        | FlowNode::May(node, _)
        | FlowNode::Repeat(node)
        | FlowNode::Longest { node, .. } => names_mover(node),
        FlowNode::By(..) => true,
    }
}

fn leaves(node: &FlowNode, each: &mut impl FnMut(usize)) {
    match node {
        FlowNode::Done => {}
        FlowNode::Leaf(leaf) => each(*leaf),
        FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => {
            nodes.iter().for_each(|node| leaves(node, each));
        }
        FlowNode::If(_, node)
        | FlowNode::By(_, node)
        | FlowNode::Try(node)
        | FlowNode::May(node, _)
        | FlowNode::Repeat(node)
        | FlowNode::Longest { node, .. } => leaves(node, each),
    }
}

/// Whether the choice of the longest paths is asked for: it searches, and only the interpreter does that.
pub(super) fn searches(program: &Program) -> bool {
    fn within(node: &FlowNode) -> bool {
        match node {
            FlowNode::Done | FlowNode::Leaf(_) => false,
            FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => nodes.iter().any(within),
            FlowNode::If(_, node)
            | FlowNode::By(_, node)
            | FlowNode::Try(node)
            | FlowNode::May(node, _)
            | FlowNode::Repeat(node) => within(node),
            FlowNode::Longest { .. } => true,
        }
    }
    program.states.iter().any(|state| within(&state.rest))
}

/// The decisions whose generators are functions of their own.
pub(super) fn functions(program: &Program, costs: &Costs) -> Vec<bool> {
    let mut places = vec![0u32; program.decisions.len()];
    for state in reached(program).into_iter().chain(beginnings(program)) {
        leaves(&program.states[state.0 as usize].rest, &mut |leaf| {
            if let Some(decision) = program.leaves[leaf].decision {
                places[decision] += 1;
            }
        });
    }
    let decisions = program.decisions.iter().zip(places);
    decisions.map(|(code, places)| places > 1 && costs.block(code.generate) > LARGE).collect()
}

impl Emit<'_> {
    /// The body of a generator: its parameters are the base, the sink and the total, its results the last two.
    pub fn generator(&mut self, decision: usize, params: &[Value]) {
        let leaves = self.program.leaves.iter().filter(|leaf| leaf.decision == Some(decision));
        let bases = leaves.map(|leaf| i64::from(leaf.base));
        let bounds = bases.clone().min().zip(bases.max()).unwrap_or(super::values::ANY);
        self.bind_int(0, params[0], bounds);
        self.put(self.sink, params[1]);
        self.put(self.total, params[2]);
        let generate = self.program.decisions[decision].generate;
        self.run(generate);
        let (sink, total) = (self.get(self.sink), self.get(self.total));
        self.b.ins().return_(&[sink, total]);
    }

    /// The body of the function that goes on after a ply.
    pub fn resolve(&mut self) {
        let (course, unknown) = (self.course(), self.block());
        let state = self.slot(slot::STATE);
        self.go_on(&course, state, Some(unknown));
        self.say_laid(&course);
        let done = self.i32(0);
        self.b.ins().return_(&[done]);
        self.at(unknown);
        let not = self.i32(NOT_DONE);
        self.b.ins().return_(&[not]);
    }

    /// The body of the function that does a move with the player in slot `MOVER` and goes on after it.
    pub fn ply(&mut self, number: Value) {
        let course = self.course();
        let state = self.act(number, course.over);
        self.go_on(&course, state, None);
        self.say_laid(&course);
        self.b.ins().return_(&[]);
    }

    /// Begins to resolve a position. One in which the game is over is finished.
    fn course(&mut self) -> Course {
        let none = self.i32(0);
        let course = Course {
            mover: self.variable(types::I32, none),
            begun: self.variable(types::I32, none),
            stuck: self.block(),
            ends: self.block(),
            over: self.block(),
            finish: self.block(),
        };
        let go = self.block();
        let result = self.slot(slot::RESULT);
        self.brif(result, course.over, go);
        self.at(go);
        course
    }

    /// Goes on in a state, then to `course.finish`. Where no ply was just made it is not known that the state is one
    /// that a move leaves; another goes to `unknown`.
    fn go_on(&mut self, course: &Course, state: Value, unknown: Option<Block>) {
        let program = self.program;
        self.take_back();
        let made = self.slot(slot::MOVER);
        let turn = self.slot(slot::TURN);
        let (ended, due) = (self.block(), self.block());
        let states = reached(program);
        let blocks: Vec<Block> = states.iter().map(|_| self.block()).collect();
        let mut switch = Switch::new();
        for (state, block) in states.iter().zip(&blocks) {
            switch.set_entry(u128::from(state.0), *block);
        }
        match (unknown, blocks.as_slice()) {
            (None, [only]) => self.jump(*only),
            (None, _) => switch.emit(&mut self.b, state, course.finish),
            (Some(unknown), _) => switch.emit(&mut self.b, state, unknown),
        }
        for (state, block) in states.into_iter().zip(blocks) {
            self.at(block);
            self.set_slot(slot::MOVER, turn);
            self.node(&program.states[state.0 as usize].rest, ended, due, course.mover);
        }
        self.at(due);
        self.due(course, course.finish);

        self.at(ended);
        self.put(course.mover, turn);
        if unknown.is_some() {
            // A turn that ended before any ply: reached only when a position is resolved twice.
            let over = self.block();
            let plies = self.slot(slot::TURN_PLIES);
            self.brif(plies, over, course.stuck);
            self.at(over);
        }
        self.run(program.turn_end);
        let next = self.choose_next(turn);
        self.begin_turn(course, next);

        self.at(course.stuck);
        self.stuck(course);

        self.at(course.ends);
        if program.ends.iter().any(|end| end.at_turn) {
            let mover = self.slot(slot::MOVER);
            self.set_slot(slot::MOVER, made);
            let over = self.block();
            self.ends(true, over);
            self.set_slot(slot::MOVER, mover);
            self.jump(course.finish);
            self.at(over);
            self.set_slot(slot::MOVER, mover);
            self.jump(course.over);
        } else {
            self.jump(course.finish);
        }
    }

    /// Says what was laid down.
    fn say_laid(&mut self, course: &Course) {
        self.at(course.over);
        self.take_back();
        self.jump(course.finish);
        self.at(course.finish);
        let sink = self.get(self.sink);
        self.store(sink, self.context, context::SINK);
        let total = self.get(self.total);
        self.store(total, self.context, context::TOTAL);
    }

    /// Lays down moves from the beginning.
    fn take_back(&mut self) {
        let start = self.load(types::I64, self.context, context::START);
        self.put(self.sink, start);
        let none = self.i64(0);
        self.put(self.total, none);
    }

    /// Something is due: the mover decides, or is stuck.
    fn due(&mut self, course: &Course, on: Block) {
        let decides = self.block();
        let total = self.get(self.total);
        self.brif(total, decides, course.stuck);
        self.at(decides);
        let mover = self.get(course.mover);
        self.set_slot(slot::MOVER, mover);
        self.jump(on);
    }

    /// What happens to a player who is due and has no offer.
    fn stuck(&mut self, course: &Course) {
        let program = self.program;
        let mover = self.get(course.mover);
        self.set_slot(slot::MOVER, mover);
        let result = self.outcome(&program.stuck);
        let (over, pass, on) = (self.block(), self.block(), self.block());
        self.brif(result, over, pass);
        self.at(pass);
        self.lay_pass(program.leaves[program.stuck_pass].base);
        self.jump(on);
        self.at(over);
        self.set_slot(slot::RESULT, result);
        self.jump(course.finish);
        self.at(on);
        let begun = self.get(course.begun);
        self.brif(begun, course.ends, course.finish);
    }

    /// Sets slot `TURN` to whom the next turn belongs, and what goes with it.
    fn choose_next(&mut self, last: Value) -> Value {
        let program = self.program;
        let players = program.layout.players as i64;
        let next = self.b.declare_var(types::I32);
        // Where the round is over; a number of 0 or 1.
        let round = self.b.declare_var(types::I8);
        let chosen = self.block();
        if program.opening.iter().any(|(_, owner)| owner.is_some()) {
            let opened = self.slot(slot::OPENED);
            for (i, (_, owner)) in program.opening.iter().enumerate() {
                let Some(owner) = owner else { continue };
                let (yes, no) = (self.block(), self.block());
                // A number below 0 counts as none begun.
                let zero = self.i32(0);
                let begun = self.b.ins().smax(opened, zero);
                let here = self.cmp_to(IntCC::Equal, begun, i as i64);
                self.brif(here, yes, no);
                self.at(yes);
                self.swap_sides();
                let owner = self.i32(i32::from(*owner));
                let again = self.cmp(IntCC::SignedLessThanOrEqual, owner, last);
                self.put(next, owner);
                self.put(round, again);
                self.jump(chosen);
                self.at(no);
            }
        }
        if swaps(program) {
            let swap = self.slot(slot::SWAP);
            let (yes, no) = (self.block(), self.block());
            self.brif(swap, yes, no);
            self.at(yes);
            self.swap_sides();
            let never = self.b.ins().iconst(types::I8, 0);
            self.put(next, last);
            self.put(round, never);
            self.jump(chosen);
            self.at(no);
        }
        let mut player = self.player_after(last, players);
        if let Some(chosen) = program.next {
            // The mover is the turn's player here.
            let chosen = self.int(chosen);
            let is_player = self.is_player(chosen);
            player = self.select(is_player, chosen, player);
        }
        let again = self.cmp(IntCC::SignedLessThanOrEqual, player, last);
        self.put(next, player);
        self.put(round, again);
        self.jump(chosen);
        self.at(chosen);
        let again = self.get(round);
        self.when(again, |e| e.count_up(slot::ROUND));
        let next = self.get(next);
        self.set_slot(slot::TURN, next);
        next
    }

    /// The next player in order.
    fn player_after(&mut self, last: Value, players: i64) -> Value {
        let sum = self.b.ins().iadd_imm_s(last, 1);
        let again = self.cmp_to(IntCC::SignedGreaterThanOrEqual, sum, players);
        let first = self.i32(0);
        self.select(again, first, sum)
    }

    /// The players swap sides if they said so.
    fn swap_sides(&mut self) {
        if !swaps(self.program) {
            return;
        }
        let swap = self.slot(slot::SWAP);
        self.when(swap, |e| {
            let sides = e.slot(slot::SIDES);
            let none = e.cmp_to(IntCC::Equal, sides, 0);
            let value = e.number(none);
            e.set_slot(slot::SIDES, value);
        });
    }

    /// Begins a turn: its state, how often its position was seen, what it offers.
    fn begin_turn(&mut self, course: &Course, turn: Value) {
        let program = self.program;
        self.set_slot(slot::MOVER, turn);
        let none = self.i32(0);
        for counter in [slot::TURN_PLIES, slot::TURN_ACTS, slot::SWAP] {
            self.set_slot(counter, none);
        }
        let one = self.i32(1);
        self.put(course.begun, one);
        let (due, nothing) = (self.block(), self.block());
        let main = self.block();
        let openings: Vec<Block> = program.opening.iter().map(|_| self.block()).collect();
        if openings.is_empty() {
            self.jump(main);
        } else {
            let opened = self.slot(slot::OPENED);
            let first = self.block();
            let all = openings.len() as i64;
            let over = self.cmp_to(IntCC::SignedGreaterThanOrEqual, opened, all);
            self.brif(over, main, first);
            self.at(first);
            // A number below 0 counts as none begun.
            let mut switch = Switch::new();
            for (i, block) in openings.iter().enumerate().skip(1) {
                switch.set_entry(i as u128, *block);
            }
            switch.emit(&mut self.b, opened, openings[0]);
        }
        for ((state, _), block) in program.opening.iter().zip(openings) {
            self.at(block);
            self.count_up(slot::OPENED);
            self.enter(*state);
            self.node(&program.states[state.0 as usize].rest, nothing, due, course.mover);
        }
        self.at(main);
        self.enter(program.main);
        self.node(&program.states[program.main.0 as usize].rest, nothing, due, course.mover);
        self.at(nothing);
        self.put(course.mover, turn);
        self.jump(course.stuck);
        self.at(due);
        self.due(course, course.ends);
    }

    /// A turn is in its first state. Before anything is resolved it is noted how often the position was
    /// seen: a decision may ask.
    fn enter(&mut self, state: StateId) {
        let number = self.i32(state.0 as i32);
        self.set_slot(slot::STATE, number);
        let one = self.i32(1);
        self.set_slot(slot::SEEN, one);
        if let Place::Memory(pos) = self.place {
            let host = self.load(types::I64, self.context, context::HOST);
            self.when(host, |e| {
                let pos = e.pointer(pos);
                let seen = e.call_int(e.shared.helpers.starts, &[host, pos], types::I32);
                e.set_slot(slot::SEEN, seen);
            });
        }
    }

    /// Resolves a node of the flow: goes to `done`, or to `due` with who decides in a variable. On both ways the
    /// mover is who it was.
    fn node(&mut self, node: &FlowNode, done: Block, due: Block, mover: Variable) {
        match node {
            // The choice of the longest is not compiled: see `searches`.
            FlowNode::Done | FlowNode::Longest { .. } => self.jump(done),
            FlowNode::Leaf(leaf) => self.leaf(*leaf, done, due, mover),
            FlowNode::Sequence(nodes) => {
                for node in nodes {
                    let next = self.block();
                    self.node(node, next, due, mover);
                    self.at(next);
                }
                self.jump(done);
            }
            FlowNode::Either(nodes) => self.either_node(nodes, done, due, mover),
            FlowNode::If(cond, node) => {
                let inside = self.block();
                self.branch(*cond, inside, done);
                self.at(inside);
                self.node(node, done, due, mover);
            }
            FlowNode::By(player, node) => {
                let before = self.slot(slot::MOVER);
                let player = self.int(*player);
                let is_player = self.is_player(player);
                let now = self.select(is_player, player, before);
                self.set_slot(slot::MOVER, now);
                let (not, yes) = (self.block(), self.block());
                self.node(node, not, yes, mover);
                for (block, on) in [(not, done), (yes, due)] {
                    self.at(block);
                    self.set_slot(slot::MOVER, before);
                    self.jump(on);
                }
            }
            FlowNode::Try(node) => self.offered(node, done, due, mover),
            FlowNode::May(node, pass) => {
                let yes = self.block();
                self.offered(node, done, yes, mover);
                self.at(yes);
                self.lay_pass(self.program.leaves[*pass].base);
                self.jump(due);
            }
            FlowNode::Repeat(node) => {
                let sites: u32 = self.program.all.iter().map(|word| word.count_ones()).sum();
                let inside = self.block();
                let plies = self.slot(slot::TURN_PLIES);
                let most = self.cmp_to(IntCC::SignedGreaterThanOrEqual, plies, 4 * i64::from(sites));
                self.brif(most, done, inside);
                self.at(inside);
                self.offered(node, done, due, mover);
            }
        }
    }

    /// A node that is done where it has no offer.
    fn offered(&mut self, node: &FlowNode, done: Block, due: Block, mover: Variable) {
        let before = self.get(self.total);
        let asked = self.block();
        self.node(node, done, asked, mover);
        self.at(asked);
        let now = self.get(self.total);
        let more = self.cmp(IntCC::NotEqual, now, before);
        self.brif(more, due, done);
    }

    /// The offers of all nodes. Who decides is who does in the first that has offers, else in the first
    /// that is due; what is offered to others is taken back.
    fn either_node(&mut self, nodes: &[FlowNode], done: Block, due: Block, mover: Variable) {
        let nobody = self.i32(-1);
        let first = self.variable(types::I32, nobody);
        let no = self.b.ins().iconst(types::I8, 0);
        let offered = self.variable(types::I8, no);
        let by = nodes.iter().any(names_mover);
        for node in nodes {
            let before = self.get(self.total);
            let laid = by.then(|| {
                let (sink, start) =
                    (self.get(self.sink), self.load(types::I64, self.context, context::START));
                self.b.ins().isub(sink, start)
            });
            let (asked, next) = (self.block(), self.block());
            self.node(node, next, asked, mover);
            self.at(asked);
            let now = self.get(self.total);
            let offers = self.cmp(IntCC::NotEqual, now, before);
            let (who, so_far, had) = (self.get(mover), self.get(first), self.get(offered));
            if let Some(laid) = laid {
                let other = self.cmp(IntCC::NotEqual, who, so_far);
                let takes_back = self.and(other, had);
                let (back, on) = (self.block(), self.block());
                self.brif(takes_back, back, on);
                self.at(back);
                // The buffer may lie elsewhere by now.
                let start = self.load(types::I64, self.context, context::START);
                let sink = self.b.ins().iadd(start, laid);
                self.put(self.sink, sink);
                self.put(self.total, before);
                self.jump(next);
                self.at(on);
            }
            let nobody_yet = self.cmp_to(IntCC::SignedLessThan, so_far, 0);
            let had_none = self.cmp_to(IntCC::Equal, had, 0);
            let better = self.and(offers, had_none);
            let take = self.or(nobody_yet, better);
            let who = self.select(take, who, so_far);
            self.put(first, who);
            let any = self.or(had, offers);
            self.put(offered, any);
            self.jump(next);
            self.at(next);
        }
        let who = self.get(first);
        let somebody = self.cmp_to(IntCC::SignedGreaterThanOrEqual, who, 0);
        let before = self.get(mover);
        let who = self.select(somebody, who, before);
        self.put(mover, who);
        self.brif(somebody, due, done);
    }

    fn leaf(&mut self, number: usize, done: Block, due: Block, mover: Variable) {
        let program = self.program;
        let leaf = &program.leaves[number];
        let base = self.i32(leaf.base as i32);
        match leaf.decision {
            None => self.lay_pass(leaf.base),
            Some(decision) => {
                let code = &program.decisions[decision];
                if let Some(when) = code.when {
                    let inside = self.block();
                    self.branch(when, inside, done);
                    self.at(inside);
                }
                self.generate(decision, base, leaf.base);
            }
        }
        let who = self.slot(slot::MOVER);
        self.put(mover, who);
        self.jump(due);
    }

    fn generate(&mut self, decision: usize, base: Value, number: u32) {
        let (Some(function), Place::Memory(pos)) = (self.generators[decision], self.place.clone()) else {
            // A base is a move's number: it fits.
            self.bind_int(0, base, (i64::from(number), i64::from(number)));
            let generate = self.program.decisions[decision].generate;
            self.run(generate);
            return;
        };
        let (context, pos) = (self.pointer(self.context), self.pointer(pos));
        let (sink, total) = (self.get(self.sink), self.get(self.total));
        let call = self.b.ins().call(function, &[context, pos, base, sink, total]);
        let (sink, total) = (self.b.inst_results(call)[0], self.b.inst_results(call)[1]);
        self.put(self.sink, sink);
        self.put(self.total, total);
    }
}

/// Whether some block swaps sides.
fn swaps(program: &Program) -> bool {
    program.blocks.iter().flatten().any(|statement| matches!(statement, Stmt::SwapSides))
}
