//! Slides along rays.

use crate::program::{Order, RayTable};
use crate::siteset::Bits;

/// The member of a set on a ray that comes first in the ray's order.
#[inline]
fn nearest<const W: usize>(order: Order, set: Bits<W>) -> Option<usize> {
    match order {
        Order::Descending => set.last(),
        _ => set.first(),
    }
}

#[inline]
fn beyond<const W: usize>(ray: &RayTable, site: usize) -> Bits<W> {
    Bits::load(&ray.beyond[site * W..])
}

#[inline]
fn reach<const W: usize>(ray: &RayTable, site: usize) -> Bits<W> {
    Bits::load(&ray.reach[site * W..])
}

/// The sites on a ray up to and with the first one outside `through`.
#[inline]
pub(crate) fn slide<const W: usize>(ray: &RayTable, from: usize, through: Bits<W>) -> Bits<W> {
    if ray.order == Order::Mixed {
        let mut out = Bits::EMPTY;
        for site in &ray.lists[from] {
            out.insert(usize::from(*site));
            if !through.contains(usize::from(*site)) {
                break;
            }
        }
        return out;
    }
    let all = reach(ray, from);
    match nearest(ray.order, all - through) {
        Some(stop) => all - beyond(ray, stop),
        None => all,
    }
}

/// The sites on a ray behind the first one outside `through - over`, if that is in `over`, up to and
/// with the next one outside `through - over`.
pub(crate) fn slide_over<const W: usize>(
    ray: &RayTable,
    from: usize,
    through: Bits<W>,
    over: Bits<W>,
) -> Bits<W> {
    let free = through - over;
    if ray.order == Order::Mixed {
        let mut out = Bits::EMPTY;
        let mut passed = false;
        for site in &ray.lists[from] {
            let site = usize::from(*site);
            if passed {
                out.insert(site);
            }
            if !free.contains(site) {
                if passed || !over.contains(site) {
                    break;
                }
                passed = true;
            }
        }
        return out;
    }
    let all = reach(ray, from);
    let Some(hurdle) = nearest(ray.order, all - free).filter(|site| over.contains(*site)) else {
        return Bits::EMPTY;
    };
    let behind = all & beyond(ray, hurdle);
    match nearest(ray.order, behind - free) {
        Some(stop) => behind - beyond(ray, stop),
        None => behind,
    }
}

/// The sites on a ray that lie strictly between its origin and a member of `to`.
pub(crate) fn between<const W: usize>(ray: &RayTable, from: usize, to: Bits<W>) -> Bits<W> {
    let mut out = Bits::EMPTY;
    if ray.order == Order::Mixed {
        let list = &ray.lists[from];
        let end = list.iter().rposition(|site| to.contains(usize::from(*site))).unwrap_or(0);
        for site in &list[..end] {
            out.insert(usize::from(*site));
        }
        return out;
    }
    let all = reach(ray, from);
    let ends = all & to;
    // The sites before the farthest end lie between; nearer ends are among them.
    let farthest = match ray.order {
        Order::Descending => ends.first(),
        _ => ends.last(),
    };
    match farthest {
        Some(end) => {
            out = all - beyond(ray, end);
            out.remove(end);
            out
        }
        None => out,
    }
}
