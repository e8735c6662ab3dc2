//! A program as readable text, for `farrier describe` and for people debugging.

use std::fmt::{self, Display, Formatter};

use super::{BlockId, DecisionCode, FlowNode, IntId, OutcomeCode, Placement, Program, SetId, Stmt, slot};
use crate::wording::many;

mod text;

use text::joined;

/// A program that displays as text.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a>(&'a Program);

/// The listing of a program: the layout of positions, the decisions with their code, the flow, the ends. The program
/// should be a verified one; in others a number of something that does not exist shows as `?`.
pub fn listing(program: &Program) -> Listing<'_> {
    Listing(program)
}

/// How deeply a listing nests before it only says so: a program that was not verified may be a circle.
const MAX_DEPTH: usize = 60;

impl Display for Listing<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.position(out)?;
        for decision in &self.0.decisions {
            self.decision(out, decision)?;
        }
        self.flow(out)?;
        for (name, block) in [("setup", self.0.setup), ("tidy", self.0.tidy), ("turn end", self.0.turn_end)] {
            if self.0.blocks.get(block.0 as usize).is_some_and(|block| !block.is_empty()) {
                writeln!(out, "\n{name}")?;
                self.block(out, block, 1)?;
            }
        }
        self.ends(out)
    }
}

impl Listing<'_> {
    /// A set as text.
    pub fn set(&self, id: SetId) -> String {
        self.set_at(id, 0).to_string()
    }

    /// An integer as text.
    pub fn int(&self, id: IntId) -> String {
        self.int_at(id, 0).to_string()
    }

    fn position(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let layout = &self.0.layout;
        writeln!(
            out,
            "{} in {}, {}, {} a position",
            many(layout.sites as u64, "site"),
            many(layout.width as u64, "word"),
            many(layout.players as u64, "player"),
            many(8 * layout.words() as u64, "byte")
        )?;
        for layer in &layout.layers {
            let mark = if layer.identity { "" } else { ", no identity" };
            let count: u32 = layer.start.iter().map(|word| word.count_ones()).sum();
            writeln!(out, "  layer {}: {count} at the start{mark}", layer.name)?;
        }
        for own in layout.slots.iter().skip(slot::COUNT) {
            let mark = if own.identity { "" } else { ", no identity" };
            writeln!(out, "  slot {}: {}{mark}", own.name, own.start)?;
        }
        for deal in &layout.deals {
            writeln!(out, "  dealt {}: {}..{}", deal.name, deal.low, deal.high)?;
        }
        // Pieces of one sort in a row stand in a line.
        let sort = |p: &Placement| (p.owner, p.kind, p.height);
        for same in self.0.placements.chunk_by(|a, b| sort(a) == sort(b)) {
            let [first, ..] = same else { continue };
            let sites = joined(same.iter().map(|p| p.site), " ");
            let Placement { owner, kind, height, .. } = first;
            writeln!(out, "  placed: {height} of kind {kind} of owner {owner} at {sites}")?;
        }
        Ok(())
    }

    fn decision(&self, out: &mut Formatter<'_>, decision: &DecisionCode) -> fmt::Result {
        let chance = if decision.chance { ", by chance" } else { "" };
        let repeats = if decision.repeats { "" } else { ", no position twice" };
        let numbers = many(u64::from(decision.size), "number");
        writeln!(out, "\ndecision {}: {numbers}{chance}{repeats}", decision.name)?;
        for var in &decision.vars {
            let kind = format!("{:?}", var.kind).to_lowercase();
            writeln!(
                out,
                "  {} is a {kind} in i{}, {} from {}, times {}",
                var.name,
                var.local,
                many(u64::from(var.radix), "value"),
                var.offset,
                var.multiplier
            )?;
        }
        for (name, value) in [("when", decision.when), ("weight", decision.weight)] {
            if let Some(value) = value {
                writeln!(out, "  {name} {}", self.int(value))?;
            }
        }
        writeln!(out, "  generate")?;
        self.block(out, decision.generate, 2)?;
        writeln!(out, "  apply")?;
        self.block(out, decision.apply, 2)
    }

    fn block(&self, out: &mut Formatter<'_>, id: BlockId, indent: usize) -> fmt::Result {
        let Some(block) = self.0.blocks.get(id.0 as usize) else {
            return writeln!(out, "{:indent$}?", "", indent = indent * 2);
        };
        if indent > MAX_DEPTH {
            return writeln!(out, "{:indent$}...", "", indent = indent * 2);
        }
        for statement in block {
            write!(out, "{:indent$}", "", indent = indent * 2)?;
            match statement {
                Stmt::If(cond, then, otherwise) => {
                    writeln!(out, "if {}", self.int(*cond))?;
                    self.block(out, *then, indent + 1)?;
                    if let Some(otherwise) = otherwise {
                        writeln!(out, "{:indent$}else", "", indent = indent * 2)?;
                        self.block(out, *otherwise, indent + 1)?;
                    }
                }
                Stmt::For { local, domain, body } => {
                    writeln!(out, "for i{local} in {}", self.domain(domain, 0))?;
                    self.block(out, *body, indent + 1)?;
                }
                plain => {
                    self.write_statement(out, plain)?;
                    writeln!(out)?;
                }
            }
        }
        Ok(())
    }

    fn write_statement(&self, out: &mut Formatter<'_>, statement: &Stmt) -> fmt::Result {
        match statement {
            Stmt::SetLayer(layer, value) => {
                write!(out, "{} := {}", self.layer_name(layer), self.set(*value))
            }
            Stmt::SetLayerRow { base, index, value, .. } => {
                write!(out, "{}[{}] := {}", self.layer_name(base), self.int(*index), self.set(*value))
            }
            Stmt::SetSlot(slot, value) => {
                write!(out, "{} := {}", self.slot_name(slot), self.int(*value))
            }
            Stmt::SetSlotRow { base, index, value, .. } => {
                write!(out, "{}[{}] := {}", self.slot_name(base), self.int(*index), self.int(*value))
            }
            Stmt::LetSet(local, value) => write!(out, "let s{local} = {}", self.set(*value)),
            Stmt::LetInt(local, value) => write!(out, "let i{local} = {}", self.int(*value)),
            Stmt::Put { at, owner, kind, height, .. } => write!(
                out,
                "put {height} of kind {} of {} at {}",
                self.int(*kind),
                self.int(*owner),
                self.set(*at)
            ),
            Stmt::Move { from, to, .. } => {
                write!(out, "move {} -> {}", self.int(*from), self.int(*to))
            }
            Stmt::Remove(at) => write!(out, "remove {}", self.set(*at)),
            Stmt::Lift(at) => write!(out, "lift {}", self.set(*at)),
            Stmt::Turn { at, owner, kind } => {
                write!(out, "turn {} ->", self.set(*at))?;
                if let Some(owner) = owner {
                    write!(out, " owner {}", self.int(*owner))?;
                }
                if let Some(kind) = kind {
                    write!(out, " kind {}", self.int(*kind))?;
                }
                Ok(())
            }
            Stmt::Carry { at, relation } => {
                write!(out, "carry {} by {}", self.set(*at), self.relation_name(relation))
            }
            Stmt::SwapSides => write!(out, "swap sides"),
            Stmt::Emit { set, base, multiplier } => {
                write!(out, "emit {} + {multiplier} * site in {}", self.int(*base), self.set(*set))
            }
            Stmt::EmitOne(number) => write!(out, "emit {}", self.int(*number)),
            Stmt::If(..) | Stmt::For { .. } => write!(out, "..."),
        }
    }

    fn flow(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nflow")?;
        for (number, (state, owner)) in self.0.opening.iter().enumerate() {
            write!(out, "  opening {number}: state {}", state.0)?;
            match owner {
                Some(owner) => writeln!(out, " by player {owner}")?,
                None => writeln!(out)?,
            }
        }
        writeln!(out, "  main: state {}", self.0.main.0)?;
        for (number, state) in self.0.states.iter().enumerate() {
            writeln!(out, "  state {number}: {}", fmt::from_fn(|out| self.node(out, &state.rest)))?;
        }
        for (number, leaf) in self.0.leaves.iter().enumerate() {
            writeln!(
                out,
                "  leaf {number}: {} from {}, then state {}",
                self.leaf_name(number),
                leaf.base,
                leaf.next.0
            )?;
        }
        Ok(())
    }

    fn leaf_name(&self, leaf: usize) -> &str {
        match self.0.leaves.get(leaf).map(|leaf| leaf.decision) {
            Some(None) => "pass",
            Some(Some(decision)) => {
                self.0.decisions.get(decision).map_or("?", |decision| decision.name.as_str())
            }
            None => "?",
        }
    }

    fn node(&self, out: &mut Formatter<'_>, node: &FlowNode) -> fmt::Result {
        let shown = |node| fmt::from_fn(move |out| self.node(out, node));
        match node {
            FlowNode::Done => write!(out, "done"),
            FlowNode::Leaf(leaf) => write!(out, "{}#{leaf}", self.leaf_name(*leaf)),
            FlowNode::Sequence(nodes) => write!(out, "({})", joined(nodes.iter().map(shown), ", ")),
            FlowNode::Either(nodes) => write!(out, "either ({})", joined(nodes.iter().map(shown), " or ")),
            FlowNode::If(test, node) => write!(out, "{} if {}", shown(node), self.int(*test)),
            FlowNode::By(player, node) => write!(out, "{} by {}", shown(node), self.int(*player)),
            FlowNode::Try(node) => write!(out, "try {}", shown(node)),
            FlowNode::May(node, _) => write!(out, "may {}", shown(node)),
            FlowNode::Repeat(node) => write!(out, "repeat {}", shown(node)),
            FlowNode::Longest { node, inside } => {
                let states: String = inside.iter().map(|state| format!(" {}", state.0)).collect();
                write!(out, "longest {} (searching the turn's tree while in states{states})", shown(node))
            }
        }
    }

    fn ends(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nends")?;
        writeln!(out, "  stuck: {}", self.outcome(&self.0.stuck))?;
        for end in &self.0.ends {
            let at = if end.at_turn { "turn" } else { "ply" };
            let perft = if end.perft { "" } else { ", not in perft" };
            writeln!(
                out,
                "  {} at {at}{perft}: {} when {}",
                end.name,
                self.outcome(&end.result),
                self.int(end.when)
            )?;
        }
        for (name, value) in [("next", self.0.next), ("score", self.0.score)] {
            if let Some(value) = value {
                writeln!(out, "  {name}: {}", self.int(value))?;
            }
        }
        if let Some(code) = &self.0.match_ {
            writeln!(
                out,
                "  match to {}: {} (won i{}, score i{})",
                code.target,
                self.int(code.points),
                code.won,
                code.score
            )?;
        }
        Ok(())
    }

    fn outcome(&self, code: &OutcomeCode) -> String {
        match code {
            OutcomeCode::If(test, then, otherwise) => {
                format!("if {} then {} else {}", self.int(*test), self.outcome(then), self.outcome(otherwise))
            }
            OutcomeCode::Pass => "pass".to_owned(),
            OutcomeCode::Draw => "draw".to_owned(),
            OutcomeCode::Score => "score".to_owned(),
            OutcomeCode::Wins(player) => format!("{} wins", self.int(*player)),
            OutcomeCode::Places(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|number| self.int(*number)).collect();
                format!("places by {}", numbers.join(", "))
            }
        }
    }
}
