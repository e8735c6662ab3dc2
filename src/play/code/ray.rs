//! Rays at the width of the sets: slides up to the first obstacle.

use crate::program::{Order, RayTable};
use crate::siteset::Bits;

/// A ray from every site, where bits run in one order along it.
pub(super) struct Ray<const W: usize> {
    upwards: bool,
    /// What a slide may reach at all.
    reach: Box<[Bits<W>]>,
    /// What lies beyond a stop: by one more than its number, nothing for no stop at all.
    beyond: Box<[Bits<W>]>,
}

impl<const W: usize> Ray<W> {
    /// None where bits run in no order.
    pub fn new(table: &RayTable) -> Option<Ray<W>> {
        let upwards = match table.order {
            Order::Ascending => true,
            Order::Descending => false,
            Order::Mixed => return None,
        };
        let beyond = table.beyond.chunks_exact(W).map(Bits::load);
        Some(Ray {
            upwards,
            reach: table.reach.chunks_exact(W).map(Bits::load).collect(),
            beyond: std::iter::once(Bits::EMPTY).chain(beyond).collect(),
        })
    }

    /// The sites up to and with the first one outside `through`.
    #[inline(always)]
    pub fn slide(&self, from: usize, through: Bits<W>) -> Bits<W> {
        let Some(reach) = self.reach.get(from) else { return Bits::EMPTY };
        let stops = *reach - through;
        let stop = if self.upwards { stops.first() } else { stops.last() };
        let beyond = self.beyond.get(stop.map_or(0, |stop| stop + 1));
        *reach - beyond.copied().unwrap_or(Bits::EMPTY)
    }
}
