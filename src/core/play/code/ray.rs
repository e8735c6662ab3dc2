//! Rays at the width of the sets: slides up to the first obstacle.

use crate::program::{Order, RayTable};
use crate::siteset::Bits;

/// Rays from every site, where bits run in one order along each.
pub(super) struct Rays<const W: usize> {
    /// Those along which bits run upwards, and downwards.
    up: Box<[Ray<W>]>,
    down: Box<[Ray<W>]>,
}

struct Ray<const W: usize> {
    /// The sites that a slide may reach at all.
    reach: Box<[Bits<W>]>,
    /// The sites beyond a stop. Upwards by its number, downwards by one more; empty where nothing stops.
    beyond: Box<[Bits<W>]>,
}

impl<const W: usize> Ray<W> {
    #[inline(always)]
    fn until(&self, reach: Bits<W>, stop: usize) -> Bits<W> {
        reach - self.beyond.get(stop).copied().unwrap_or(Bits::EMPTY)
    }
}

impl<const W: usize> Rays<W> {
    /// None where bits run in no order along one of them.
    pub fn new<'t>(tables: impl Iterator<Item = &'t RayTable>) -> Option<Rays<W>> {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for table in tables {
            let reach = table.reach.chunks_exact(W).map(Bits::load).collect();
            let beyond = table.beyond.chunks_exact(W).map(Bits::load);
            match table.order {
                Order::Ascending => {
                    let beyond = beyond.chain([Bits::EMPTY]).collect();
                    up.push(Ray { reach, beyond });
                }
                Order::Descending => {
                    let beyond = std::iter::once(Bits::EMPTY).chain(beyond).collect();
                    down.push(Ray { reach, beyond });
                }
                Order::Mixed => return None,
            }
        }
        Some(Rays { up: up.into(), down: down.into() })
    }

    /// Whether all of them are upwards, or downwards.
    pub fn only(&self) -> Option<bool> {
        match (self.up.is_empty(), self.down.is_empty()) {
            (_, true) => Some(true),
            (true, _) => Some(false),
            _ => None,
        }
    }

    /// The sites on each ray upwards, up to and with the first one outside `through`.
    #[inline(always)]
    pub fn slide_up(&self, from: usize, through: Bits<W>) -> Bits<W> {
        self.up.iter().fold(Bits::EMPTY, |out, ray| {
            let reach = ray.reach.get(from).copied().unwrap_or(Bits::EMPTY);
            out | ray.until(reach, (reach - through).first_or_end())
        })
    }

    /// The same for the rays downwards.
    #[inline(always)]
    pub fn slide_down(&self, from: usize, through: Bits<W>) -> Bits<W> {
        self.down.iter().fold(Bits::EMPTY, |out, ray| {
            let reach = ray.reach.get(from).copied().unwrap_or(Bits::EMPTY);
            out | ray.until(reach, (reach - through).end())
        })
    }
}
