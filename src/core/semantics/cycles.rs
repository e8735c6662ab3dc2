//! The graph of definitions that use each other: the order of their checks, circles, and how deeply they nest
//! with all that they name.
//!
//! All later phases walk the rules recursively, through the definitions that they name. So this check comes
//! first, and it recurs no further than one rule is deep.

use std::collections::{HashMap, HashSet, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::scope::{Act, Entity, Names};
use super::uses::{Space, Use, Uses};
use crate::definition::{Definition, TraitValue};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::{FLOW_PARTS, RULE_LEVELS};
use crate::source::Span;
use crate::wording::many;

/// The code of reports on sizes.
const TOO_LARGE: &str = "limit";

/// Something that is defined by other things.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Item {
    Relation(usize),
    Trait(usize),
    Define(usize),
    Effect(usize),
    Decision(usize),
    Flow(usize),
    /// `[turn] skip`, for which `next` asks.
    Skip,
}

/// The order of the items.
pub(super) struct Order {
    /// The items, each after those that it uses, without those in circles.
    pub items: Vec<Item>,
    /// The flows that cannot be inlined.
    pub circular: Vec<usize>,
}

/// The items in order; circles are reported and left out. None if rules nest too deeply for all later
/// phases, which was reported.
pub(super) fn order(def: &Definition, names: &Names, out: &mut Diagnostics) -> Option<Order> {
    let graph = Graph::new(def, names);
    let mut order = Order { items: Vec::new(), circular: Vec::new() };
    let mut sizes: HashMap<Item, Size> = HashMap::new();
    let before = out.0.len();
    for component in kosaraju_scc(&graph.edges) {
        let items: Vec<&Node> = component.iter().filter_map(|n| graph.edges.node_weight(*n)).collect();
        if let Some(circle) = graph.circle(&items) {
            out.push(graph.report(&circle));
            let flows = items.iter().filter_map(|n| if let Item::Flow(i) = n.item { Some(i) } else { None });
            order.circular.extend(flows);
            continue;
        }
        for node in items {
            order.items.push(node.item);
            let size = graph.size(&node.uses, &sizes);
            size.judge(node.span, &format!("`{}`", node.name), out);
            sizes.insert(node.item, size);
        }
    }
    graph.rest(def, &sizes, out);
    let fine = out.0[before..].iter().all(|d| d.code == "cycle");
    fine.then_some(order)
}

struct Node {
    item: Item,
    name: String,
    span: Span,
    uses: Uses,
}

/// The items, each with its uses.
struct Graph<'a> {
    names: &'a Names,
    edges: DiGraph<Node, ()>,
    nodes: HashMap<Item, NodeIndex>,
    skips: bool,
}

/// How large an item is, with all that it names.
#[derive(Clone, Copy, Default)]
struct Size {
    levels: usize,
    parts: usize,
    /// The place where it names the deepest item, and the depth of that item.
    deepest: Option<(Span, usize)>,
}

impl Size {
    /// Reports the first rule that is too large; those that name it are too large too.
    fn judge(&self, span: Span, what: &str, out: &mut Diagnostics) {
        if out.0.iter().any(|d| d.code == TOO_LARGE) {
            return;
        }
        if self.levels > RULE_LEVELS {
            let message = format!("{what} is nested {} levels deep with what it names", self.levels);
            let mut d = Diagnostic::error(TOO_LARGE, span, message).here(format!("at most {RULE_LEVELS}"));
            if let Some((span, levels)) = self.deepest {
                d = d.and(span, format!("{} of them put in here", many(levels as u64, "level")));
            }
            out.push(d.help("write it with fewer brackets and shorter chains, of definitions too"));
        } else if self.parts > FLOW_PARTS {
            let message = format!("{what} has {} parts with the flows that it names", self.parts);
            out.push(
                Diagnostic::error(TOO_LARGE, span, message)
                    .here(format!("at most {FLOW_PARTS}"))
                    .help("to do something again and again say `repeat`"),
            );
        }
    }
}

impl<'a> Graph<'a> {
    fn new(def: &Definition, names: &'a Names) -> Graph<'a> {
        let mut graph =
            Graph { names, edges: DiGraph::new(), nodes: HashMap::new(), skips: def.turn.skip.is_some() };
        for (i, r) in def.relations.iter().enumerate() {
            graph.add(Item::Relation(i), r.name.span, &r.name.text, |u| u.pattern(&r.body.tree));
        }
        for (i, name) in names.traits.iter().enumerate() {
            graph.add(Item::Trait(i), names.place(name).unwrap_or_default(), name, |u| {
                for (n, value) in def.pieces.iter().flat_map(|p| &p.traits) {
                    if let (true, TraitValue::Pattern(rule)) = (n.text == *name, value) {
                        u.pattern(&rule.tree);
                    }
                }
            });
        }
        for (i, d) in def.defines.iter().enumerate() {
            graph.add(Item::Define(i), d.name.span, &d.name.text, |u| u.by_player(&d.body));
        }
        for (i, d) in def.effects.iter().enumerate() {
            graph.add(Item::Effect(i), d.name.span, &d.name.text, |u| u.effects(&d.body.tree));
        }
        for (i, d) in def.decisions.iter().enumerate() {
            graph.add(Item::Decision(i), d.name.span, &d.name.text, |u| u.decision(d));
        }
        for (i, (n, rule)) in def.flows.iter().enumerate() {
            graph.add(Item::Flow(i), n.span, &n.text, |u| u.flow(&rule.tree));
        }
        if let Some(rule) = &def.turn.skip {
            graph.add(Item::Skip, rule.span(), "skip", |u| u.expr(&rule.tree));
        }
        let all: Vec<NodeIndex> = graph.edges.node_indices().collect();
        for from in all {
            let uses = graph.edges.node_weight(from).map(|n| &n.uses.list[..]).unwrap_or_default();
            let to: Vec<NodeIndex> =
                uses.iter().filter_map(|u| graph.nodes.get(&graph.meant(u)?).copied()).collect();
            for to in to {
                graph.edges.update_edge(from, to, ());
            }
        }
        graph
    }

    fn add(&mut self, item: Item, span: Span, name: &str, look: impl FnOnce(&mut Uses)) {
        let mut uses = Uses::default();
        look(&mut uses);
        let node = self.edges.add_node(Node { item, name: name.to_owned(), span, uses });
        self.nodes.insert(item, node);
    }

    /// The item that a name stands for.
    fn meant(&self, used: &Use) -> Option<Item> {
        match used.space {
            Space::Values if used.name == "next" && self.skips => Some(Item::Skip),
            Space::Values => match self.names.peek(&used.name)? {
                Entity::Relation(i) => Some(Item::Relation(i)),
                Entity::Trait(i) => Some(Item::Trait(i)),
                Entity::Define(i) => Some(Item::Define(i)),
                Entity::Effect(i) => Some(Item::Effect(i)),
                _ => None,
            },
            // A decision is asked for by a flow, not put into it.
            Space::Can | Space::Flows => match (self.names.peek_act(&used.name)?, used.space) {
                (Act::Decision(i), Space::Can) => Some(Item::Decision(i)),
                (Act::Flow(i), Space::Flows) => Some(Item::Flow(i)),
                _ => None,
            },
        }
    }

    fn node(&self, item: Item) -> Option<&Node> {
        self.edges.node_weight(*self.nodes.get(&item)?)
    }

    /// How large rules are, whose names have been measured.
    fn size(&self, uses: &Uses, sizes: &HashMap<Item, Size>) -> Size {
        let mut size = Size { levels: uses.height, parts: uses.parts, deepest: None };
        for used in &uses.list {
            let Some(of) = self.meant(used).and_then(|item| sizes.get(&item)) else { continue };
            size.parts = size.parts.saturating_add(of.parts);
            if used.above + of.levels > size.levels {
                size.levels = used.above + of.levels;
                size.deepest = Some((used.span, of.levels));
            }
        }
        size
    }

    /// Judges the rules that nothing can name.
    fn rest(&self, def: &Definition, sizes: &HashMap<Item, Size>, out: &mut Diagnostics) {
        let mut judge = |span: Span, what: &str, look: &dyn Fn(&mut Uses)| {
            let mut uses = Uses::default();
            look(&mut uses);
            self.size(&uses, sizes).judge(span, what, out);
        };
        let turn = &def.turn;
        judge(turn.span, "the turn, with its openings,", &|u| {
            turn.opening.iter().chain(&turn.main).for_each(|r| u.flow(&r.tree));
        });
        for (rule, what) in [(&turn.finish, "`finish`"), (&def.setup.effects, "the set-up")] {
            rule.iter().for_each(|r| judge(r.span(), what, &|u| u.effects(&r.tree)));
        }
        if let Some(rule) = def.position.as_ref().and_then(|p| p.tidy.as_ref()) {
            judge(rule.span(), "`tidy`", &|u| u.effects(&rule.tree));
        }
        if let Some(rule) = &turn.stuck {
            judge(rule.span(), "`stuck`", &|u| u.outcome(&rule.tree));
        }
        for end in &def.ends {
            judge(end.name.span, &format!("end `{}`", end.name.text), &|u| {
                u.expr(&end.when.tree);
                u.outcome(&end.result.tree);
            });
        }
        if let Some(rule) = &def.score {
            judge(rule.span(), "the score", &|u| u.expr(&rule.tree));
        }
        if let Some(m) = &def.match_ {
            judge(m.points.span(), "`points`", &|u| u.expr(&m.points.tree));
        }
        for s in &def.state {
            let what = format!("the start of `{}`", s.name.text);
            s.start.iter().for_each(|rules| judge(s.name.span, &what, &|u| u.by_player(rules)));
        }
    }

    /// A shortest circle through the first of some items, each with the place where it names the next; none if
    /// there is no circle.
    fn circle<'b>(&'b self, items: &[&'b Node]) -> Option<Vec<(&'b Node, &'b Use)>> {
        let first = items.iter().min_by_key(|n| n.item)?;
        let members: HashSet<Item> = items.iter().map(|n| n.item).collect();
        let mut came: HashMap<Item, (&Node, &Use)> = HashMap::new();
        let mut queue = VecDeque::from([*first]);
        while let Some(node) = queue.pop_front() {
            for used in &node.uses.list {
                let Some(to) = self.meant(used).filter(|to| members.contains(to)) else { continue };
                if came.contains_key(&to) {
                    continue;
                }
                came.insert(to, (node, used));
                if to == first.item {
                    let mut way = vec![(node, used)];
                    while let Some(step) = way.last().filter(|s| s.0.item != first.item) {
                        way.push(*came.get(&step.0.item)?);
                    }
                    way.reverse();
                    return Some(way);
                }
                queue.extend(self.node(to));
            }
        }
        None
    }

    fn report(&self, circle: &[(&Node, &Use)]) -> Diagnostic {
        let all: Vec<String> = circle.iter().map(|(n, _)| format!("`{}`", n.name)).collect();
        let (list, only) = (all.join(" and "), circle.len() == 1);
        let each = |is: fn(&Item) -> bool| circle.iter().all(|(n, _)| is(&n.item));
        let skips = circle.iter().any(|(n, _)| n.item == Item::Skip);
        let message = match () {
            () if skips && only => "`skip` asks for `next`, which asks for `skip`".to_owned(),
            () if skips => format!("{list} ask for each other, by `next`"),
            () if each(|i| matches!(i, Item::Decision(_))) && only => {
                format!("{list} asks for itself by `can`")
            }
            () if each(|i| matches!(i, Item::Decision(_))) => format!("{list} ask for each other by `can`"),
            () if each(|i| matches!(i, Item::Flow(_))) && only => format!("the flow {list} contains itself"),
            () if each(|i| matches!(i, Item::Flow(_))) => format!("the flows {list} contain each other"),
            () if only => format!("{list} is defined by itself"),
            () => format!("{} are defined by each other", all.join(", ")),
        };
        let says = |i: usize| {
            let next = circle.get(i + 1).or(circle.first()).map_or("", |(n, _)| n.name.as_str());
            match circle.get(i) {
                Some((node, used)) if used.name == next => format!("`{}` names `{next}`", node.name),
                Some((node, used)) => {
                    format!("`{}` names `{}`, which asks for `{next}`", node.name, used.name)
                }
                None => String::new(),
            }
        };
        let place = circle.first().map(|(_, used)| used.span).unwrap_or_default();
        let mut d = Diagnostic::error("cycle", place, message).here(says(0));
        for (i, (_, used)) in circle.iter().enumerate().skip(1) {
            d = d.and(used.span, says(i));
        }
        d.help(if skips {
            "`next` is the next player for whom `skip` is false, so `skip` cannot ask for it"
        } else {
            "every rule must end, so nothing may be defined in a circle; to repeat a step say `flood(...)`, or `repeat` in a flow"
        })
    }
}
