//! The optimiser: the arena in which nodes are made, and the passes that rewrite them.
//!
//! [`crate::lower`] translates rules to nodes of a [`Builder`]. The arena makes equal nodes one node (hash consing),
//! folds constants (`eval`) and applies algebraic identities (`simplify`). It always does so, because layouts and
//! limits need constants. Everything else is a pass. A pass keeps the meaning of a program: in every position the
//! program yields the same moves, effects and results with the pass and without it. Tests play every shipped game
//! with each pass switched off ([`Passes::without`]), and `tests/passes` shows small programs before and after. The
//! column "shown by" names definitions of `tests` that the pass changes; a test reads it.
//!
//! | pass | law | where it runs | shown by | worth |
//! | --- | --- | --- | --- | --- |
//! | [`Pass::Lift`] | `{x in D : c(x)}` is `D & S`, where the set `S` is computed for all `x` at once. Proof: `A & R(x)` has a member exactly if `x` is in `R⁻¹(A)`; a run along a ray is a flood of single steps | filters, when they are made | `definitions/rows.toml`, `definitions/flanks.toml` | seven games, 1.06 to 7.2 |
//! | [`Pass::Pins`] | `after (move from -> to) : c`, and `after (put at to) : c`, has the value that `c` had before, except for those `to` where that changes a set that `c` reads: only those are tested | filters of `to`, when they are made | `definitions/pins.toml`, `definitions/pins-three.toml`, `definitions/pins-over.toml` | two games, 2.8 and 3.2 |
//! | [`Pass::Arrivals`] | where `c` is about the piece that moves, the `to` for which it fails are found at once, by following relations and rays backwards, also several in a row | the same | `definitions/arrive-beside.toml` | two games, 1.3 and 1.4 |
//! | [`Pass::Witness`] | `{x in D : some flood(S, W) & G}`: a way that is found for one `x` is there for every other one that changes nothing on its sites, so few `x` are tested | filters, when they are made | `passes/witness.toml`, `definitions/walls.toml` | one game, 4.9 |
//! | [`Pass::Dead`] | dead stores: a copy of the position is thrown away, so a store in it that nothing reads is left out | `after`, when it is made | `definitions/stores.toml` | two games, 2.9 and 3.3 |
//! | [`Pass::Dealt`] | an expression that depends on one dealt number alone is a lookup in a table, or the site with that number | when the program is complete | `definitions/dealt.toml` | one game, 5.6 |
//! | [`Pass::Guard`] | `F(if c then a else none)` is `if c then F(a) else F(none)`: where nothing is left to compute of `F(none)`, `c` is asked first; and what is empty unless `c` holds is removed only if it does; `(if c then all else {}) & A` is `if c then A else {}`, and `A & not B` is `A - B` | when the program is complete | `passes/guard.toml`, `definitions/guards.toml` | some, 0.9 to 1.2; `perft` of two games, 1.04 and 1.09 |
//! | [`Pass::Share`] | common subexpressions and loop invariants: between two changes of the position an expression has one value, so a set that stands twice, or in a loop that it does not depend on, is bound to a local around them | when the program is complete | `definitions/strides.toml` | six games, 1.06 to 6.2 |
//! | [`Pass::Lines`] | a line that did not exist before a ply goes through the site that the ply added: only that site is tested, and a slot remembers it | ends, when the program is complete | `definitions/lines-new.toml`, `definitions/lines-far.toml`, `definitions/lines-set-up.toml` | two games, 1.2 and 1.9 |
//!
//! The last column says for how many of the shipped games a pass makes a difference of a twentieth or more, and how
//! many times as many playouts these make with it. `README.md` names the games, and says how this is measured.
//!
//! `Pins` and `Arrivals` use analyses of their own: how a change of the position changes a set (`change`), which
//! layers a piece is in (`fits`), a set after a piece was lifted (`without`), code with substituted locals (`open`).

mod arrive;
mod bind;
mod builder;
mod change;
mod children;
mod dead;
mod dealt;
mod eval;
mod fits;
mod guard;
mod lift;
mod lines;
mod open;
mod pins;
mod runs;
mod share;
mod simplify;
mod sink;
mod without;
mod witness;
mod work;

pub(crate) use builder::{Builder, Rays};
pub(crate) use children::{Node, children};
pub(crate) use lift::Over;
pub(crate) use share::Sharing;

/// A pass over programs. The table of this module tells the law of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// Filters for all members at once.
    Lift,
    /// Tests after a move, asked only where the move matters.
    Pins,
    /// Tests after a move of the piece that moves, for all ends at once.
    Arrivals,
    /// Ways that are looked for once for many members.
    Witness,
    /// Dead stores in copies.
    Dead,
    /// Tables by a dealt number.
    Dealt,
    /// Conditions before what is empty without them.
    Guard,
    /// Common subexpressions and loop invariants.
    Share,
    /// Memos of lines.
    Lines,
}

impl Pass {
    /// Every pass.
    pub const ALL: [Pass; 9] = [
        Pass::Lift,
        Pass::Pins,
        Pass::Arrivals,
        Pass::Witness,
        Pass::Dead,
        Pass::Dealt,
        Pass::Guard,
        Pass::Share,
        Pass::Lines,
    ];

    /// Its name, in small letters.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Which passes run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes(u32);

impl Passes {
    /// Every pass, as games are loaded.
    pub const ALL: Passes = Passes(u32::MAX);

    /// The same without one.
    #[must_use]
    pub fn without(self, pass: Pass) -> Passes {
        Passes(self.0 & !(1 << pass as u8))
    }

    /// Whether a pass runs.
    pub fn has(self, pass: Pass) -> bool {
        self.0 >> pass as u8 & 1 == 1
    }
}

impl Default for Passes {
    fn default() -> Passes {
        Passes::ALL
    }
}
