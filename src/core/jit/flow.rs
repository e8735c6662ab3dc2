//! The rest of a turn, the end of a turn, the next turn.
//!
//! The mover is the turn's player outside a `by`. So a `by` puts the mover back on both of its ways out, and who
//! decides is told in a variable. That variable counts only where something is due: a node that is done may have left
//! anything in it, and a turn that is done before any ply leaves its own player stuck.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::code::context::{self, DUE, NOT_DONE};
use super::cost::Costs;
use super::emit::Emit;
use super::longest::{inside_of, states_inside};
use super::values::{Number, WorkingPosition};
use crate::program::{Course, FlowNode, IntId, OutcomeCode, Program, Slots, StateId, result, slot};

/// A larger generator that stands in several places is a function.
const MAX_INLINE_SIZE: u64 = 80;

/// Where resolving a position goes on.
struct Ways {
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
    /// Somebody is due for certain: listing may wait. None: it never does.
    late: Option<Block>,
}

/// The states that a move may leave.
fn reached(program: &Program) -> Vec<StateId> {
    let mut states: Vec<StateId> = program.leaves.iter().map(|leaf| leaf.next).collect();
    states.sort_unstable();
    states.dedup();
    states
}

/// The states that a position can be in and whose moves can wait.
pub(super) fn due_states(program: &Program) -> Vec<StateId> {
    let mut states = reached(program);
    states.extend(Course::of(program).beginnings());
    states.sort_unstable();
    states.dedup();
    states.retain(|state| program.is_due(*state));
    states
}

/// Whether a node says `by` somewhere.
fn names_mover(node: &FlowNode) -> bool {
    matches!(node, FlowNode::By(..)) || node.parts().iter().any(names_mover)
}

fn leaves(node: &FlowNode, each: &mut impl FnMut(usize)) {
    if let FlowNode::Leaf(leaf) = node {
        each(*leaf);
    }
    node.parts().iter().for_each(|part| leaves(part, each));
}

/// The decisions whose generators are functions of their own.
pub(super) fn functions(program: &Program, costs: &Costs) -> Vec<bool> {
    let mut places = vec![0u32; program.decisions.len()];
    let rest = |state: StateId| &program.states[state.0 as usize].rest;
    let nodes = reached(program).into_iter().chain(Course::of(program).beginnings()).map(rest);
    let inside = states_inside(program).into_iter().filter_map(|state| Some(inside_of(rest(state))?.1));
    for node in nodes.chain(inside) {
        leaves(node, &mut |leaf| {
            if let Some(decision) = program.leaves[leaf].decision {
                places[decision] += 1;
            }
        });
    }
    let decisions = program.decisions.iter().zip(places);
    decisions.map(|(code, places)| places > 1 && costs.block(code.generate) > MAX_INLINE_SIZE).collect()
}

impl Emit<'_> {
    /// The body of a generator: its parameters are the base, the sink and the total, its results the last two.
    pub fn generator(&mut self, decision: usize, params: &[Value]) {
        let leaves = self.program.leaves.iter().filter(|leaf| leaf.decision == Some(decision));
        let bases = leaves.map(|leaf| i64::from(leaf.base));
        let bounds = bases.clone().min().zip(bases.max()).unwrap_or(super::values::ANY);
        self.bind_int(0, Number { value: params[0], bounds });
        self.put(self.sink, params[1]);
        self.put(self.total, params[2]);
        let generate = self.program.decisions[decision].generate;
        self.run(generate);
        let (sink, total) = (self.get(self.sink), self.get(self.total));
        self.b.ins().return_(&[sink, total]);
    }

    /// The body of the function that goes on after a ply.
    pub fn resolve(&mut self) {
        let (ways, unknown) = (self.ways(), self.block());
        let state = self.slot(slot::STATE);
        self.go_on(&ways, state, Some(unknown));
        self.end_of(&ways);
        let done = self.i32(0);
        self.b.ins().return_(&[done]);
        self.at(unknown);
        let not = self.i32(NOT_DONE);
        self.b.ins().return_(&[not]);
    }

    /// The body of the function that does a move with the player in slot `MOVER` and goes on after it.
    pub fn ply(&mut self, number: Value) {
        let ways = self.ways();
        let state = self.act(number, ways.over);
        self.go_on(&ways, state, None);
        self.end_of(&ways);
        self.b.ins().return_(&[]);
    }

    /// The body of the function that lists the moves of a position whose listing could wait.
    pub fn list(&mut self) {
        let program = self.program;
        let (ways, ended, due) = (self.ways(), self.block(), self.block());
        self.take_back();
        let state = self.slot(slot::STATE);
        self.states(&due_states(program), state, Some(ways.over), |e, state| {
            e.node(&program.states[state.0 as usize].rest, ended, due, ways.mover);
        });
        self.at(due);
        self.due(&ways, ways.finish);
        self.at(ended);
        self.jump(ways.stuck);
        self.at(ways.stuck);
        self.stuck(&ways);
        self.at(ways.ends);
        self.jump(ways.finish);
        self.end_of(&ways);
        self.b.ins().return_(&[]);
    }

    /// The body of the function that does a move with the player in slot `MOVER` and goes on after it, but for the
    /// moves where they can wait.
    pub fn play_on(&mut self, number: Value) {
        let (mut ways, late) = (self.ways(), self.block());
        ways.late = Some(late);
        let made = self.slot(slot::MOVER);
        let state = self.act(number, ways.over);
        self.go_on(&ways, state, None);
        self.at(late);
        self.wait(&ways, made);
        self.end_of(&ways);
        let done = self.i32(0);
        self.b.ins().return_(&[done]);
    }

    /// Somebody is due for certain. The moves wait where the result of who is stuck tells no danger, and no end at the
    /// turn's start holds; else they are listed.
    fn wait(&mut self, ways: &Ways, made: Value) {
        let program = self.program;
        let (wait, list) = (self.block(), self.block());
        let mover = self.get(ways.mover);
        self.set_slot(slot::MOVER, mover);
        if let OutcomeCode::If(..) = program.stuck {
            let result = self.outcome(&program.stuck);
            let won = self.b.ins().iadd_imm_s(mover, i64::from(result::WIN));
            let decided = self.cmp_to(IntCC::SignedGreaterThanOrEqual, result, i64::from(result::WIN));
            let other = self.cmp(IntCC::NotEqual, result, won);
            let loses = self.and(decided, other);
            let calm = self.block();
            self.brif(loses, list, calm);
            self.at(calm);
        }
        let ends = self.has_ends_of_turns();
        if ends {
            let (look, over) = (self.block(), self.block());
            let begun = self.get(ways.begun);
            self.brif(begun, look, wait);
            self.at(look);
            self.set_slot(slot::MOVER, made);
            self.ends(true, over);
            self.set_slot(slot::MOVER, mover);
            self.jump(wait);
            // Who is stuck may end the game before that.
            self.at(over);
            let none = self.i32(0);
            self.set_slot(slot::RESULT, none);
            self.set_slot(slot::MOVER, mover);
            self.jump(list);
        } else {
            self.jump(wait);
        }
        self.at(wait);
        self.take_back();
        self.say_laid();
        let due = self.i32(DUE);
        self.b.ins().return_(&[due]);
        self.at(list);
        let (Some(lister), WorkingPosition::Memory(pos)) = (self.called.lister, self.place.clone()) else {
            return self.jump(ways.over);
        };
        let (context, pos) = (self.pointer(self.context), self.pointer(pos));
        self.b.ins().call(lister, &[context, pos]);
        let sink = self.load(types::I64, self.context, context::SINK);
        self.put(self.sink, sink);
        let total = self.load(types::I64, self.context, context::TOTAL);
        self.put(self.total, total);
        let goes_on = self.block();
        let result = self.slot(slot::RESULT);
        self.brif(result, ways.over, goes_on);
        self.at(goes_on);
        let begun = self.get(ways.begun);
        self.brif(begun, ways.ends, ways.finish);
    }

    fn has_ends_of_turns(&self) -> bool {
        self.program.ends.iter().any(|end| end.at_turn)
    }

    /// Resolves the rest of a turn in a state, or leaves that for later where it can wait.
    fn rest(&mut self, ways: &Ways, state: StateId, turn: Value, done: Block, due: Block) {
        match ways.late {
            Some(late) if self.program.is_due(state) => {
                self.put(ways.mover, turn);
                self.jump(late);
            }
            _ => self.node(&self.program.states[state.0 as usize].rest, done, due, ways.mover),
        }
    }

    /// Begins to resolve a position. One in which the game is over is finished.
    fn ways(&mut self) -> Ways {
        let none = self.i32(0);
        self.margin = context::MARGIN;
        let ways = Ways {
            mover: self.variable(types::I32, none),
            begun: self.variable(types::I32, none),
            stuck: self.block(),
            ends: self.block(),
            over: self.block(),
            finish: self.block(),
            late: None,
        };
        let go = self.block();
        let result = self.slot(slot::RESULT);
        self.brif(result, ways.over, go);
        self.at(go);
        ways
    }

    /// Goes on in a state, then to `ways.finish`. After a ply the state is one that a move leaves. Else it may be any:
    /// a state that no move leaves goes to `unknown`.
    fn go_on(&mut self, ways: &Ways, state: Value, unknown: Option<Block>) {
        let program = self.program;
        self.take_back();
        let made = self.slot(slot::MOVER);
        let turn = self.slot(slot::TURN);
        let (ended, due) = (self.block(), self.block());
        let states = reached(program);
        let other = match (unknown, states.as_slice()) {
            (None, [_]) => None,
            _ => Some(unknown.unwrap_or(ways.finish)),
        };
        self.states(&states, state, other, |e, state| {
            e.set_slot(slot::MOVER, turn);
            e.rest(ways, state, turn, ended, due);
        });
        self.at(due);
        self.due(ways, ways.finish);

        self.at(ended);
        self.put(ways.mover, turn);
        if unknown.is_some() {
            // A turn that ended before any ply: reached only when a position is resolved twice.
            let over = self.block();
            let plies = self.slot(slot::TURN_PLIES);
            self.brif(plies, over, ways.stuck);
            self.at(over);
        }
        self.run(program.turn_end);
        // The mover is the turn's player here.
        let chosen = program.next.map(|next| self.int(next));
        let course = Course::of(program);
        course.choose_next(self, chosen);
        self.begin_turn(ways, &course);

        self.at(ways.stuck);
        self.stuck(ways);

        self.at(ways.ends);
        if self.has_ends_of_turns() {
            let mover = self.slot(slot::MOVER);
            self.set_slot(slot::MOVER, made);
            let over = self.block();
            self.ends(true, over);
            self.set_slot(slot::MOVER, mover);
            self.jump(ways.finish);
            self.at(over);
            self.set_slot(slot::MOVER, mover);
            self.jump(ways.over);
        } else {
            self.jump(ways.finish);
        }
    }

    /// Where all ways end.
    fn end_of(&mut self, ways: &Ways) {
        self.at(ways.over);
        self.take_back();
        self.jump(ways.finish);
        self.at(ways.finish);
        self.say_laid();
    }

    /// Stores how much was laid down.
    pub fn say_laid(&mut self) {
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
    fn due(&mut self, ways: &Ways, on: Block) {
        let decides = self.block();
        let total = self.get(self.total);
        self.brif(total, decides, ways.stuck);
        self.at(decides);
        let mover = self.get(ways.mover);
        self.set_slot(slot::MOVER, mover);
        self.jump(on);
    }

    /// The result for a player who is due and has no offer.
    fn stuck(&mut self, ways: &Ways) {
        let program = self.program;
        let mover = self.get(ways.mover);
        self.set_slot(slot::MOVER, mover);
        let result = self.outcome(&program.stuck);
        let (over, pass, on) = (self.block(), self.block(), self.block());
        self.brif(result, over, pass);
        self.at(pass);
        self.lay_pass(program.leaves[program.stuck_pass].base);
        self.jump(on);
        self.at(over);
        self.set_slot(slot::RESULT, result);
        self.jump(ways.finish);
        self.at(on);
        let begun = self.get(ways.begun);
        self.brif(begun, ways.ends, ways.finish);
    }

    /// Begins a turn: its state, how often its position was seen, its offers.
    fn begin_turn(&mut self, ways: &Ways, course: &Course) {
        let state = course.begin(self);
        let turn = self.slot(slot::TURN);
        self.ask_seen();
        let one = self.i32(1);
        self.put(ways.begun, one);
        let (due, nothing) = (self.block(), self.block());
        self.states(&course.beginnings(), state, None, |e, state| {
            e.rest(ways, state, turn, nothing, due);
        });
        self.at(nothing);
        self.put(ways.mover, turn);
        self.jump(ways.stuck);
        self.at(due);
        self.due(ways, ways.ends);
    }

    /// Notes how often the position of a turn that begins was seen: before anything is resolved, for a decision may
    /// ask.
    fn ask_seen(&mut self) {
        let one = self.i32(1);
        self.set_slot(slot::SEEN, one);
        if let (WorkingPosition::Memory(pos), true) = (&self.place, self.tells_starts) {
            let pos = *pos;
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
    pub fn node(&mut self, node: &FlowNode, done: Block, due: Block, mover: Variable) {
        match node {
            FlowNode::Done => self.jump(done),
            FlowNode::Longest { node, inside } => self.longest(node, inside, done, due, mover),
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
                self.let_move(*player);
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
                let inside = self.block();
                let plies = self.slot(slot::TURN_PLIES);
                let most = self.cmp_to(
                    IntCC::SignedGreaterThanOrEqual,
                    plies,
                    i64::from(self.program.most_repeated()),
                );
                self.brif(most, done, inside);
                self.at(inside);
                self.offered(node, done, due, mover);
            }
        }
    }

    /// Makes a player the mover; no player is no change.
    pub fn let_move(&mut self, player: IntId) {
        let before = self.slot(slot::MOVER);
        let player = self.int(player);
        let is_player = self.is_player(player);
        let now = self.select(is_player, player, before);
        self.set_slot(slot::MOVER, now);
    }

    /// How many bytes are laid down.
    pub fn laid(&mut self) -> Value {
        let (sink, start) = (self.get(self.sink), self.load(types::I64, self.context, context::START));
        self.b.ins().isub(sink, start)
    }

    /// Where so many bytes end. The buffer may lie elsewhere by now than when they were counted.
    pub fn laid_at(&mut self, laid: Value) -> Value {
        let start = self.load(types::I64, self.context, context::START);
        self.b.ins().iadd(start, laid)
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
    /// that is due; offers to others are taken back.
    fn either_node(&mut self, nodes: &[FlowNode], done: Block, due: Block, mover: Variable) {
        let no = self.b.ins().iconst(types::I8, 0);
        if !nodes.iter().any(names_mover) {
            // All have one mover.
            let somebody = self.variable(types::I8, no);
            for node in nodes {
                let (asked, next) = (self.block(), self.block());
                self.node(node, next, asked, mover);
                self.at(asked);
                let yes = self.b.ins().iconst(types::I8, 1);
                self.put(somebody, yes);
                self.jump(next);
                self.at(next);
            }
            let somebody = self.get(somebody);
            return self.brif(somebody, due, done);
        }
        let nobody = self.i32(-1);
        let first = self.variable(types::I32, nobody);
        let offered = self.variable(types::I8, no);
        for node in nodes {
            let before = self.get(self.total);
            let laid = self.laid();
            let (asked, next) = (self.block(), self.block());
            self.node(node, next, asked, mover);
            self.at(asked);
            let now = self.get(self.total);
            let offers = self.cmp(IntCC::NotEqual, now, before);
            let (who, so_far, had) = (self.get(mover), self.get(first), self.get(offered));
            let other = self.cmp(IntCC::NotEqual, who, so_far);
            let takes_back = self.and(other, had);
            let (back, on) = (self.block(), self.block());
            self.brif(takes_back, back, on);
            self.at(back);
            let sink = self.laid_at(laid);
            self.put(self.sink, sink);
            self.put(self.total, before);
            self.jump(next);
            self.at(on);
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
        let (Some(function), WorkingPosition::Memory(pos)) =
            (self.called.generators[decision], self.place.clone())
        else {
            // A base is a move's number: it fits.
            let bounds = (i64::from(number), i64::from(number));
            self.bind_int(0, Number { value: base, bounds });
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
