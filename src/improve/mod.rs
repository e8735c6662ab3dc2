//! Programs made better: the arena in which nodes are made, and the passes that rewrite them.
//!
//! [`crate::lower`] translates rules to nodes of a [`Builder`]. There equal nodes are one node, what is constant is
//! folded, and identities leave out what says nothing (`simplify`, `eval`): that is the arena's own law, for
//! layouts and limits need constants. All else is a pass. A pass keeps the meaning: for every position the program
//! yields the same moves, effects and results with it and without it. Tests play every shipped game with each pass
//! switched off ([`Passes::without`]); `tests/passes` shows small programs before and after. The definitions that a
//! pass is shown by are those of `tests` whose program it changes; a test reads their names here.
//!
//! | pass | law | where it runs | shown by | worth |
//! | --- | --- | --- | --- | --- |
//! | [`Pass::Lift`] | `{x in D : c(x)}` is `D & S`, where `S` is found for all `x` at once: terms `A & R(x)` turned round, `x in R⁻¹(A)` | filters, as they are made | `definitions/rows.toml` | six games, 1.06 to 7.2 |
//! | [`Pass::Pins`] | a test after a move, `after (move from -> to) : c`, holds where `c` held before, but for those `to` for which the move changes what `c` reads: only these are asked | filters of `to`, as they are made | `definitions/pins.toml`, `definitions/pins-three.toml` | two games, 2.8 and 3.2 |
//! | [`Pass::Arrivals`] | as `Pins`, where `c` does not hold before the move: those `to` are found that make it hold | the same | `definitions/arrive-beside.toml` | two games, 1.3 and 1.4 |
//! | [`Pass::Dead`] | dead stores: what a copy of the position is given and nobody reads there is not stored | `after`, as it is made | `definitions/stores.toml` | two games, 2.9 and 3.3 |
//! | [`Pass::Dealt`] | what depends on one dealt number alone is a table, or the site that was dealt the number | when all is made | `definitions/dealt.toml` | one game, 5.6 |
//! | [`Pass::Share`] | common subexpressions and loop-invariants: a set that stands twice, or in a loop that it does not depend on, is held in a local around both | when all is made | `definitions/strides.toml` | six games, 1.06 to 6.2; one game, 0.94 |
//! | [`Pass::Lines`] | a line that was not there at a turn's start goes through a site that was added: a memo of lines looks only there | ends, when all is made | `definitions/lines-new.toml`, `definitions/lines-set-up.toml` | one game, 1.3 |
//!
//! The last column says for how many of the shipped games a pass makes a difference of a twentieth or more, and how
//! many times as many playouts these make with it: `cargo bench --bench ratios -- --passes`. `README.md` names the
//! games.
//!
//! `Pins` and `Arrivals` stand on rooms of their own: what a change of the position does to a set (`change`), in
//! which layers a piece stands (`fits`), a set with a piece lifted (`without`), code without names (`open`).

mod arrive;
mod bind;
mod builder;
mod change;
mod children;
mod dead;
mod dealt;
mod eval;
mod fits;
mod lift;
mod lines;
mod open;
mod pins;
mod share;
mod simplify;
mod without;
mod work;

pub(crate) use builder::{Builder, Rays};
pub(crate) use children::{Node, children};
pub(crate) use lift::Over;
pub(crate) use share::Sharing;

/// A pass over programs; the table of this room tells their laws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// Filters for all members at once.
    Lift,
    /// Tests after a move, asked only where the move matters.
    Pins,
    /// Tests after a move, found where it makes them hold.
    Arrivals,
    /// Dead stores in copies.
    Dead,
    /// Tables by a dealt number.
    Dealt,
    /// Common subexpressions and loop-invariants.
    Share,
    /// Memos of lines.
    Lines,
}

impl Pass {
    /// Every pass.
    pub const ALL: [Pass; 7] =
        [Pass::Lift, Pass::Pins, Pass::Arrivals, Pass::Dead, Pass::Dealt, Pass::Share, Pass::Lines];

    /// Its name, in small letters.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Which passes run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes(u8);

impl Passes {
    /// Every pass, as games are loaded.
    pub const ALL: Passes = Passes(u8::MAX);

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
