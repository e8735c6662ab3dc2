//! Where everything of a position is kept: pieces, state variables, their ages.

use super::state::{Lowerer, View};
use super::storage::{Storage, Stored, Storing};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ids::Site;
use crate::improve::Node;
use crate::program::{
    Binary, Block, Deal, DealTo, Domain, IntId, IntOp, Layer, Layout, Pieces, SetId, SetOp, Slot, Stacks,
    Stmt, Unary, slot,
};
use crate::semantics::{Owners, Per, Rules, Type};

/// The most layers and slots that a position may have: a bound on its size, not on sense.
const MAX_LAYERS: usize = 512;
const MAX_SLOTS: usize = 8192;

/// Plans a position; none, with diagnostics, if it would be too large.
pub(super) fn plan(rules: &Rules, out: &mut Diagnostics) -> Option<(Layout, Storage)> {
    let players = rules.players.len();
    let sites = rules.board.len();
    let width = crate::program::width_for(sites);
    let mut layers: Vec<Layer> = Vec::new();
    let mut slots: Vec<Slot> = slot::NAMES
        .iter()
        .enumerate()
        .map(|(i, name)| Slot {
            name: (*name).to_owned(),
            identity: matches!(i, slot::TURN | slot::STATE | slot::OPENED),
            start: i32::from(i == slot::ROUND),
            memo: false,
        })
        .collect();
    let mut layer =
        |name: String, identity: bool| layers.push(Layer { name, identity, start: vec![0; width] });
    let owners = owners(rules);
    let kinds = rules.kinds.len();
    let mut at = 0;
    let kind_base = (kinds > 1 || !owners.owned).then_some(at);
    if kind_base.is_some() {
        rules.kinds.iter().for_each(|k| layer(k.name.clone(), true));
        at += kinds;
    }
    let owner_base = owners.owned.then_some(at);
    if owners.owned {
        rules.players.iter().for_each(|p| layer(p.clone(), true));
        at += players;
        if owners.neutral {
            layer("neutral".to_owned(), true);
            at += 1;
        }
    }
    let levels = rules.kinds.iter().map(|k| k.stack).max().unwrap_or(1).max(1) as usize - 1;
    let level_base = at;
    (0..levels).for_each(|j| layer(format!("height {}", j + 2), true));
    at += levels;
    let mut pieces = Pieces {
        kinds,
        kind_base,
        owner_base,
        neutral: owners.owned && owners.neutral,
        level_base,
        levels,
        stack: rules.kinds.iter().map(|k| k.stack).collect(),
        stacks: None,
    };
    let mut vars = Vec::new();
    let mut dealt = 0;
    let mut deals = Vec::new();
    for var in &rules.state {
        let dims: Vec<usize> = var.per.iter().map(|p| rules.indices(*p)).collect();
        let entry_name = |i| rules.entry_name(var, &var.per, i, ", ");
        let entries = dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d)).unwrap_or(usize::MAX);
        if entries > MAX_SLOTS {
            out.push(
                Diagnostic::error("limit", var.span, format!("`{}` would have {entries} entries", var.name))
                    .here(format!("at most {MAX_SLOTS} are allowed")),
            );
            return None;
        }
        let place = match var.ty {
            Type::Sites => {
                (0..entries).for_each(|i| layer(entry_name(i), var.identity));
                at += entries;
                Storing::Layers { base: at - entries }
            }
            Type::Bool if var.sets_per().is_some() => {
                let (per, rows) = (var.sets_per().unwrap_or(&[]), entries / sites.max(1));
                (0..rows).for_each(|i| layer(rules.entry_name(var, per, i, ", "), var.identity));
                at += rows;
                Storing::Bits { base: at - rows }
            }
            _ if var.shuffle.is_some() && !var.assigned => {
                dealt += entries;
                Storing::Dealt { base: dealt - entries }
            }
            _ => {
                (0..entries).for_each(|i| {
                    let name = entry_name(i);
                    slots.push(Slot { name, identity: var.identity, start: 0, memo: false });
                });
                Storing::Slots { base: slots.len() - entries }
            }
        };
        if let Some((low, high)) = var.shuffle {
            let to = match place {
                Storing::Dealt { base } if var.drawn => DealTo::Lots(base),
                Storing::Dealt { base } => DealTo::Dealt(base),
                Storing::Slots { base } => DealTo::Slots(base),
                Storing::Layers { .. } | Storing::Bits { .. } => DealTo::Dealt(0),
            };
            let sites: Vec<u16> = rules.board.sites().map(|s| s.0).collect();
            let inverse = matches!(to, DealTo::Dealt(_)).then_some(dealt);
            dealt += if inverse.is_some() { sites.len() } else { 0 };
            deals.push(Deal { name: var.name.clone(), sites, low, high, to, inverse });
        }
        let ages = (var.lasts.is_some_and(|n| n > 0)).then(|| {
            (0..entries).for_each(|i| {
                let name = format!("{} left", entry_name(i));
                slots.push(Slot { name, identity: var.identity, start: 0, memo: false });
            });
            slots.len() - entries
        });
        vars.push(Stored { place, entries, ages, starts: Vec::new() });
        if at > MAX_LAYERS || slots.len() > MAX_SLOTS {
            out.push(
                Diagnostic::error("limit", var.span, "the state variables make positions too large")
                    .here("one too many"),
            );
            return None;
        }
    }
    if let Some((most, span)) = rules.mixed {
        let stacks = Stacks::new(most, sites, pieces.sorts(players), slots.len());
        let below = stacks.slots();
        if below.end > MAX_SLOTS {
            let message = format!("stacks of {most} pieces on so many sites make positions too large");
            out.push(Diagnostic::error("limit", span, message).here("fewer pieces on a site"));
            return None;
        }
        for number in 0..below.len() {
            let site = rules.board.name(Site((number % sites.max(1)) as u16));
            let name = match (number / sites.max(1)).checked_sub(1) {
                None => format!("below {site}"),
                Some(row) => format!("below {site}, {}", row + 1),
            };
            slots.push(Slot { name, identity: true, start: 0, memo: false });
        }
        pieces.stacks = Some(stacks);
    }
    let layout = Layout { width, sites, players, layers, slots, pieces, dealt, deals, margin: 0 };
    Some((layout, Storage { vars }))
}

/// Who may own pieces in a game.
fn owners(rules: &Rules) -> Owners {
    let mut found = rules.owners;
    for p in &rules.setup.pieces {
        match p.owner {
            Some(_) => found.owned = true,
            None => found.neutral = true,
        }
    }
    // Texts are read later.
    let start = rules.position.as_ref().and_then(|p| p.start.as_deref());
    for text in rules.setup.named.iter().map(|(_, text)| text.as_str()).chain(start) {
        let shown = text_owners(text);
        found.owned |= shown.owned;
        found.neutral |= shown.neutral;
    }
    found.owned |= !found.neutral;
    found
}

/// Who owns the pieces that a text of a position shows: who it is at the most, for a text may be one of numbers.
fn text_owners(text: &str) -> Owners {
    let mut found = Owners::default();
    let mut before = ' ';
    for letter in text.chars() {
        found.neutral |= letter == '*';
        found.owned |= letter.is_alphabetic() && before != '*';
        before = letter;
    }
    found
}

impl Lowerer<'_> {
    /// Folds the start values of all state variables and writes them into the layout.
    pub(super) fn starts(&mut self, layout: &mut Layout) {
        let rules = self.rules;
        for (i, var) in rules.state.iter().enumerate() {
            let before = self.b.work.steps();
            // The start of a player's entry is seen by that player.
            let players = if var.per.first() == Some(&Per::Player) { layout.players } else { 1 };
            let mut starts = Vec::new();
            for p in 0..players {
                let me = self.b.num(p as i32);
                let view = View { me, fresh: false };
                let start = match var.start.get(p).or(var.start.first()) {
                    Some(e) => self.value_of_type(var.ty, e, view),
                    None => self.nothing(var.ty),
                };
                let known = match start {
                    Node::Set(set) => self.b.set_const_of(set).is_some(),
                    Node::Int(int) => self.b.const_of(int).is_some(),
                };
                if !known && !self.b.work.is_over() {
                    self.limit(
                        var.span,
                        format!("the start of `{}` cannot be computed beforehand", var.name),
                    );
                }
                starts.push(start);
            }
            // A start that is the same for all players is stored once.
            if starts.iter().all(|start| Some(start) == starts.first()) {
                starts.truncate(1);
            }
            self.b.work.of_rule(var.span, &format!("the start of `{}`", var.name), before);
            let Some(v) = self.storage.vars.get_mut(i) else { continue };
            v.starts = starts;
            let v = v.clone();
            for entry in 0..v.entries {
                let of = if v.starts.len() > 1 { entry / (v.entries / layout.players).max(1) } else { 0 };
                let (set, int) = match v.starts.get(of) {
                    Some(Node::Set(set)) => (self.b.set_const_of(*set), 0),
                    Some(Node::Int(int)) => (None, self.b.const_of(*int).unwrap_or(0)),
                    None => (None, 0),
                };
                match v.place {
                    Storing::Layers { base } => {
                        if let (Some(l), Some(set)) = (layout.layers.get_mut(base + entry), set) {
                            l.start = set.0.iter().copied().take(layout.width).collect();
                        }
                    }
                    Storing::Bits { base } => {
                        let (row, site) = (entry / layout.sites, entry % layout.sites);
                        if int != 0
                            && self.b.all.contains(site)
                            && let Some(w) =
                                layout.layers.get_mut(base + row).and_then(|l| l.start.get_mut(site / 64))
                        {
                            *w |= 1 << (site % 64);
                        }
                    }
                    Storing::Slots { base } => {
                        if let Some(s) = layout.slots.get_mut(base + entry) {
                            s.start = int;
                        }
                    }
                    Storing::Dealt { .. } => {}
                }
            }
        }
    }

    /// The number of an entry, -1 where an index is none: there is no such entry. It has the empty value of its type,
    /// and nothing is assigned to it.
    pub(super) fn entry(&mut self, state: usize, index: &[crate::semantics::Expr], view: View) -> IntId {
        let Some(var) = self.rules.state.get(state) else { return self.b.num(0) };
        let zero = self.b.num(0);
        let mut entry = zero;
        let mut good = self.b.num(1);
        let many = index.len() > 1;
        for (per, e) in var.per.iter().zip(index) {
            let n = self.rules.indices(*per);
            let i = self.int(e, view);
            if many {
                let real = self.b.int(IntOp::Binary(Binary::Le, zero, i));
                good = self.b.int(IntOp::And(good, real));
            }
            let n = self.b.num(n as i32);
            let scaled = self.b.int(IntOp::Binary(Binary::Mul, entry, n));
            entry = self.b.int(IntOp::Binary(Binary::Add, scaled, i));
        }
        if many {
            let none = self.b.num(-1);
            entry = self.b.int(IntOp::If(good, entry, none));
        }
        entry
    }

    /// The start value of an entry.
    fn start_of(&mut self, v: &Stored, entry: IntId) -> Option<Node> {
        if v.starts.len() <= 1 {
            return v.starts.first().copied();
        }
        let per = self.b.num((v.entries / v.starts.len()).max(1) as i32);
        let player = self.b.int(IntOp::Binary(Binary::Div, entry, per));
        Some(self.b.switch(player, v.starts.clone(), 0))
    }

    /// Of an entry that is a bit: its layer among how many, the set in that layer, and the site.
    fn bit_of(&mut self, v: &Stored, base: usize, entry: IntId) -> (IntId, u32, SetId, IntId) {
        let n = self.b.num(self.b.sites as i32);
        let row = self.b.int(IntOp::Binary(Binary::Div, entry, n));
        let site = self.b.int(IntOp::Binary(Binary::Rem, entry, n));
        let count = (v.entries / self.b.sites.max(1)) as u32;
        (row, count, self.b.set(SetOp::LayerRow { base: base as u32, count, index: row }), site)
    }

    /// The statement that gives an entry a value.
    pub(super) fn store(&mut self, v: &Stored, entry: IntId, value: Node) -> Option<Stmt> {
        Some(match (v.place, value) {
            (Storing::Layers { base }, Node::Set(value)) => match self.known_entry(v.entries, entry) {
                Some(n) => Stmt::SetLayer(base as u32 + n, value),
                None => Stmt::SetLayerRow { base: base as u32, count: v.entries as u32, index: entry, value },
            },
            (Storing::Bits { base }, Node::Int(value)) => {
                let (row, count, old, site) = self.bit_of(v, base, entry);
                let bit = self.b.set(SetOp::Site(site));
                let (with, without) = (self.b.set(SetOp::Or(old, bit)), self.b.set(SetOp::Sub(old, bit)));
                let value = self.b.set(SetOp::If(value, with, without));
                // An entry that is none is -1, and so its row would be 0.
                let zero = self.b.num(0);
                let real = self.b.int(IntOp::Binary(Binary::Le, zero, entry));
                let none = self.b.num(-1);
                let index = self.b.int(IntOp::If(real, row, none));
                Stmt::SetLayerRow { base: base as u32, count, index, value }
            }
            (Storing::Slots { base }, Node::Int(value)) => self.slot_store(base, v.entries, entry, value),
            _ => return None,
        })
    }

    /// The value of an entry.
    pub(super) fn load(&mut self, v: &Stored, entry: IntId, missing: i32) -> Node {
        let count = v.entries as u32;
        match v.place {
            Storing::Layers { base } => {
                self.b.set(SetOp::LayerRow { base: base as u32, count, index: entry }).into()
            }
            Storing::Bits { base } => {
                let (_, _, set, site) = self.bit_of(v, base, entry);
                self.b.int(IntOp::Has(set, site)).into()
            }
            Storing::Slots { base } => {
                self.b.int(IntOp::SlotRow { base: base as u32, count, index: entry, missing }).into()
            }
            Storing::Dealt { base } => {
                self.b.int(IntOp::Dealt { base: base as u32, count, index: entry, missing }).into()
            }
        }
    }

    /// Whether an entry differs from its start value.
    fn changed(&mut self, v: &Stored, entry: IntId, missing: i32) -> IntId {
        let same = match (self.load(v, entry, missing), self.start_of(v, entry)) {
            (Node::Set(a), Some(Node::Set(b))) if self.b.is_empty(b) => return self.b.int(IntOp::Some(a)),
            (Node::Set(a), Some(Node::Set(b))) => self.b.int(IntOp::Same(a, b)),
            (Node::Int(a), Some(Node::Int(b))) => self.b.int(IntOp::Binary(Binary::Eq, a, b)),
            _ => self.b.num(1),
        };
        self.b.int(IntOp::Unary(Unary::Not, same))
    }

    /// After an assignment: how many turn ends the entry has left. An entry at its start value has none to
    /// wait for, so equal positions have equal ages.
    pub(super) fn set_age(&mut self, state: usize, entry: IntId, block: &mut Block) {
        let Some(var) = self.rules.state.get(state) else { return };
        let Some(v) = self.storage.vars.get(state).cloned() else { return };
        let (Some(ages), Some(lasts)) = (v.ages, var.lasts) else { return };
        let changed = self.changed(&v, entry, missing(var.ty));
        let (full, zero) = (self.b.num(lasts.saturating_add(1).min(i32::MAX as u32) as i32), self.b.num(0));
        let value = self.b.int(IntOp::If(changed, full, zero));
        block.push(self.slot_store(ages, v.entries, entry, value));
    }

    /// The number of an entry that is known and there.
    fn known_entry(&self, entries: usize, entry: IntId) -> Option<u32> {
        self.b.const_of(entry).and_then(|n| u32::try_from(n).ok()).filter(|n| (*n as usize) < entries)
    }

    /// Sets the slot of an entry.
    fn slot_store(&self, base: usize, entries: usize, entry: IntId, value: IntId) -> Stmt {
        let base = base as u32;
        match self.known_entry(entries, entry) {
            Some(n) => Stmt::SetSlot(base + n, value),
            None => Stmt::SetSlotRow { base, count: entries as u32, index: entry, value },
        }
    }

    fn age_load(&mut self, ages: usize, entries: usize, entry: IntId) -> IntId {
        self.b.int(IntOp::SlotRow { base: ages as u32, count: entries as u32, index: entry, missing: 0 })
    }

    /// Runs code for each entry of a variable: written out where they are few.
    fn each_entry(
        &mut self,
        v: &Stored,
        block: &mut Block,
        mut code: impl FnMut(&mut Self, IntId, &mut Block),
    ) {
        if v.entries <= 4 {
            for i in 0..v.entries {
                let entry = self.b.num(i as i32);
                code(self, entry, block);
            }
            return;
        }
        let local = self.b.int_local();
        let entry = self.b.int(IntOp::Local(local));
        let mut body = Vec::new();
        code(self, entry, &mut body);
        let body = self.b.block(body);
        let (low, high) = (self.b.num(0), self.b.num(v.entries as i32 - 1));
        block.push(Stmt::For { local, domain: Domain::Range(low, high), body });
    }

    /// At a turn's end: entries that have lasted long enough are reset.
    pub(super) fn expire(&mut self, block: &mut Block) {
        let rules = self.rules;
        for (i, var) in rules.state.iter().enumerate() {
            let Some(v) = self.storage.vars.get(i).cloned() else { continue };
            if var.lasts.is_none() {
                continue;
            }
            self.each_entry(&v, block, |l, entry, block| {
                let reset = l.start_of(&v, entry).and_then(|start| l.store(&v, entry, start));
                let Some(ages) = v.ages else {
                    block.extend(reset);
                    return;
                };
                let (zero, one) = (l.b.num(0), l.b.num(1));
                let age = l.age_load(ages, v.entries, entry);
                let counting = l.b.int(IntOp::Binary(Binary::Lt, zero, age));
                let last = l.b.int(IntOp::Binary(Binary::Eq, age, one));
                let less = l.b.int(IntOp::Binary(Binary::Sub, age, one));
                let reset = l.b.block(reset.into_iter().collect());
                let count = l.slot_store(ages, v.entries, entry, less);
                let inner = l.b.block(vec![Stmt::If(last, reset, None), count]);
                block.push(Stmt::If(counting, inner, None));
            });
        }
    }

    /// After a position was read: an entry that differs from its start counts as set in the turn before.
    pub(super) fn refresh_ages(&mut self, block: &mut Block) {
        let rules = self.rules;
        for (i, var) in rules.state.iter().enumerate() {
            let Some(v) = self.storage.vars.get(i).cloned() else { continue };
            let (Some(ages), Some(lasts)) = (v.ages, var.lasts) else { continue };
            self.each_entry(&v, block, |l, entry, block| {
                let changed = l.changed(&v, entry, missing(var.ty));
                let (full, zero) = (l.b.num(lasts.min(i32::MAX as u32) as i32), l.b.num(0));
                let value = l.b.int(IntOp::If(changed, full, zero));
                let stmt = l.slot_store(ages, v.entries, entry, value);
                block.push(stmt);
            });
        }
    }

    /// After effects that ran before the first turn: they count as done in the turn before it.
    pub(super) fn settle_ages(&mut self, block: &mut Block) {
        let rules = self.rules;
        for (i, var) in rules.state.iter().enumerate() {
            let Some(v) = self.storage.vars.get(i).cloned() else { continue };
            let (Some(ages), Some(lasts)) = (v.ages, var.lasts) else { continue };
            self.each_entry(&v, block, |l, entry, block| {
                let age = l.age_load(ages, v.entries, entry);
                let most = l.b.num(lasts.min(i32::MAX as u32) as i32);
                let value = l.b.int(IntOp::Binary(Binary::Min, age, most));
                let stmt = l.slot_store(ages, v.entries, entry, value);
                block.push(stmt);
            });
        }
    }
}

/// The number that stands for the empty value of a type.
pub(super) fn missing(ty: Type) -> i32 {
    match ty {
        Type::Site | Type::SiteOpt | Type::Kind | Type::KindOpt | Type::Player | Type::Direction => -1,
        _ => 0,
    }
}
