//! The names that rules can say, and terms: pieces of rule text that know how tightly they bind.

use farrier::semantics::Type;

use super::dice::Dice;

/// How tightly a term binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Binds {
    /// Reaches as far to the right as it can.
    Open,
    /// `or`
    Or,
    /// `and`
    And,
    /// Comparisons, `some S`, `no S`.
    Test,
    /// `otherwise`
    Otherwise,
    /// `|`, `+`, `-`
    Sum,
    /// `&`, `*`, `/`, `%`
    Product,
    /// `not`, a sign; words side by side.
    Unary,
    /// What stands in brackets, sets in braces.
    Atom,
    /// Names, calls, indexed names: these can stand side by side.
    Word,
}

/// A piece of rule text.
pub struct Term(pub String, pub Binds);

impl Term {
    /// A name, a call or an indexed name.
    pub fn word(text: impl Into<String>) -> Term {
        Term(text.into(), Binds::Word)
    }

    /// The text where something must bind so tightly at least.
    pub fn at(self, least: Binds) -> String {
        if self.1 >= least { self.0 } else { format!("({})", self.0) }
    }
}

/// A relation or a pattern trait.
#[derive(Clone)]
pub struct Relation {
    pub name: String,
    /// The same in every position.
    pub fixed: bool,
    /// Each site leads to one at most, and no two to the same.
    pub one_to_one: bool,
    /// It can be carried along: no trait.
    pub named: bool,
    /// It goes in a direction, which is asked for.
    pub headed: bool,
}

/// A definition, a region, or named effects (their type does not matter).
#[derive(Clone)]
pub struct Define {
    pub name: String,
    pub params: Vec<Type>,
    pub ty: Type,
    /// The same in every position.
    pub fixed: bool,
}

/// A state variable.
#[derive(Clone)]
pub struct State {
    pub name: String,
    pub ty: Type,
    pub per: Vec<&'static str>,
}

/// An option, by what its name is in rules.
#[derive(Clone)]
pub enum OptionName {
    Flag(String),
    Number(String),
    Words(String, Vec<String>),
}

/// Everything that rules can name.
#[derive(Default)]
pub struct Names {
    pub players: Vec<String>,
    pub kinds: Vec<String>,
    pub groups: Vec<String>,
    pub int_traits: Vec<String>,
    pub kind_traits: Vec<String>,
    pub relations: Vec<Relation>,
    pub directions: Vec<String>,
    /// Names of single directions.
    pub labels: Vec<String>,
    pub defines: Vec<Define>,
    pub effects: Vec<Define>,
    pub state: Vec<State>,
    pub decisions: Vec<String>,
    pub flows: Vec<String>,
    pub options: Vec<OptionName>,
    pub sites: Vec<String>,
    pub rows: i32,
    pub columns: i32,
    pub sides: i32,
    /// Any pieces may stand on each other.
    pub stacks: bool,
    /// The board is one of squares.
    pub square: bool,
    /// An option says how large the board is.
    pub sized: bool,
    /// Chosen, bound, parameters.
    pub locals: Vec<(String, Type)>,
    next: usize,
}

impl Names {
    /// A name that nothing else has.
    pub fn fresh(&mut self, letter: &str) -> String {
        self.next += 1;
        format!("{letter}-{}", self.next)
    }
}

/// Writes the rules of one definition.
pub struct Writer {
    pub dice: Dice,
    pub names: Names,
    /// Only what is the same in every position may be said.
    pub fixed: bool,
    /// Loops that stand around.
    pub loops: usize,
    /// The most loops inside each other.
    pub most_loops: usize,
    /// What may still be written of this rule, in parts.
    pub left: i32,
}

impl Writer {
    /// A writer without any names.
    pub fn new(seed: u64) -> Writer {
        Writer {
            dice: Dice::new(seed),
            names: Names::default(),
            fixed: false,
            loops: 0,
            most_loops: 2,
            left: 0,
        }
    }

    /// Begins a rule: so many parts, and no local is in sight but those given.
    pub fn rule<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        self.left = [6, 12, 30, 60][self.dice.pick(4)];
        self.within(write)
    }

    /// Forgets afterwards what was bound inside.
    pub fn within<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        let (locals, loops) = (self.names.locals.len(), self.loops);
        let done = write(self);
        self.names.locals.truncate(locals);
        self.loops = loops;
        done
    }

    /// Binds a new local.
    pub fn bind(&mut self, ty: Type) -> String {
        let name = self.names.fresh("v");
        self.names.locals.push((name.clone(), ty));
        name
    }

    /// How deep the next rule goes.
    pub fn depth(&mut self) -> usize {
        [1, 1, 2, 2, 3, 4][self.dice.pick(6)]
    }
}
