//! Whether two programs are the same but for names.

use super::Program;

impl Program {
    /// Whether both do the same, step by step. Names are for listings and texts only.
    pub fn is_same_as(&self, other: &Program) -> bool {
        nameless(self) == nameless(other)
    }
}

fn nameless(program: &Program) -> Program {
    let mut out = program.clone();
    let layout = &mut out.layout;
    let layout = (layout.layers.iter_mut().map(|layer| &mut layer.name))
        .chain(layout.slots.iter_mut().map(|slot| &mut slot.name))
        .chain(layout.deals.iter_mut().map(|deal| &mut deal.name));
    let tables = (out.relations.iter_mut().map(|relation| &mut relation.name))
        .chain(out.rays.iter_mut().map(|rays| &mut rays.name));
    let decisions = out.decisions.iter_mut().flat_map(|decision| {
        let vars = decision.vars.iter_mut().map(|var| &mut var.name);
        vars.chain([&mut decision.name])
    });
    let ends = out.ends.iter_mut().map(|end| &mut end.name);
    layout.chain(tables).chain(decisions).chain(ends).for_each(String::clear);
    out
}
