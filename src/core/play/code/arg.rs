//! Operands. A constant, a local, a layer or a slot is read in place; only other operands are called. [`pick!`] makes
//! one closure for each kind of operand from one piece of code.
//!
//! A call costs little beside work on many words. So sets that are [`wide`] and conditions on them are always called:
//! there are widths enough that code for each kind of operand at each width would be most of the interpreter.

use crate::play::board::{load, slot};
use crate::play::frame::Frame;
use crate::siteset::Bits;

/// Code that finds a value. A trait of its own, not `Fn`: as `dyn Fn` each closure would be compiled with shims that
/// nobody calls, several functions for one.
pub(in crate::play) trait Code<T>: Send + Sync {
    fn run(&self, frame: &mut Frame) -> T;
}

impl<T, F: Fn(&mut Frame) -> T + Send + Sync> Code<T> for F {
    #[inline(always)]
    fn run(&self, frame: &mut Frame) -> T {
        self(frame)
    }
}

/// An expression as code.
pub(in crate::play) type Thunk<T> = Box<dyn Code<T>>;

/// A closure as code.
pub(in crate::play) fn closure<T>(run: impl Fn(&mut Frame) -> T + Send + Sync + 'static) -> Thunk<T> {
    Box::new(run)
}

/// Something that has a value in a position. Offsets are 32-bit numbers: so it is known that they and a set
/// together do not overflow.
pub(super) trait Arg<T>: Send + Sync + 'static {
    /// Whether finding it costs more than looking whether that can be spared.
    const CALLS: bool = false;

    fn get(&self, frame: &mut Frame) -> T;
}

/// The same everywhere.
pub(super) struct Const<T>(pub T);

impl<T: Copy + Send + Sync + 'static> Arg<T> for Const<T> {
    #[inline(always)]
    fn get(&self, _: &mut Frame) -> T {
        self.0
    }
}

/// The value of code.
pub(super) struct Call<T>(pub Thunk<T>);

impl<T: 'static> Arg<T> for Call<T> {
    const CALLS: bool = true;

    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> T {
        self.0.run(frame)
    }
}

/// The set local at a word of the frame.
pub(super) struct SetLocal<const W: usize>(pub u32);

impl<const W: usize> Arg<Bits<W>> for SetLocal<W> {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> Bits<W> {
        frame.set(self.0 as usize)
    }
}

/// The layer at a word of the position.
pub(super) struct Layer<const W: usize>(pub u32);

impl<const W: usize> Arg<Bits<W>> for Layer<W> {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> Bits<W> {
        load(&frame.pos, self.0 as usize)
    }
}

/// One of several layers, told by a slot: that of the mover, mostly, or of the other player.
pub(super) struct LayerOf<const W: usize> {
    /// The first.
    pub at: u32,
    pub count: u32,
    pub slot: usize,
    /// 1 where the slot's 0 means the second of two, and its 1 the first.
    pub flip: i32,
}

impl<const W: usize> Arg<Bits<W>> for LayerOf<W> {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> Bits<W> {
        let index = (slot(&frame.pos, self.slot) ^ self.flip) as u32;
        if index < self.count { load(&frame.pos, (self.at + index * W as u32) as usize) } else { Bits::EMPTY }
    }
}

/// An integer local.
pub(super) struct IntLocal(pub usize);

impl Arg<i32> for IntLocal {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> i32 {
        frame.int(self.0)
    }
}

/// A slot of the position.
pub(super) struct Slot(pub usize);

impl Arg<i32> for Slot {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> i32 {
        slot(&frame.pos, self.0)
    }
}

/// Whether the site that an integer local holds is in a set at hand. Members are sites that exist, so any
/// other number is no member.
pub(super) struct In<S> {
    pub set: S,
    pub site: IntLocal,
}

macro_rules! is_in {
    ($set:ident) => {
        impl<const W: usize> Arg<i32> for In<$set<W>> {
            #[inline(always)]
            fn get(&self, frame: &mut Frame) -> i32 {
                let site = self.site.get(frame) as u32 as usize;
                i32::from(self.set.get(frame).contains(site))
            }
        }
    };
}
is_in!(Layer);
is_in!(SetLocal);

/// Whether the site that an integer local holds is one, and not none.
pub(super) struct Real(pub IntLocal);

impl Arg<i32> for Real {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> i32 {
        i32::from(self.0.get(frame) >= 0)
    }
}

/// Whether a layer has members.
pub(super) struct HasAny<const W: usize>(pub Layer<W>);

impl<const W: usize> Arg<i32> for HasAny<W> {
    #[inline(always)]
    fn get(&self, frame: &mut Frame) -> i32 {
        i32::from(!self.0.get(frame).is_empty())
    }
}

/// An operand that is a condition.
pub(super) enum CondArg<const W: usize> {
    InLayer(In<Layer<W>>),
    InLocal(In<SetLocal<W>>),
    Real(Real),
    Some(HasAny<W>),
    Slot(Slot),
    Call(Call<i32>),
}

/// An operand that is a set.
pub(super) enum SetArg<const W: usize> {
    Const(Const<Bits<W>>),
    Local(SetLocal<W>),
    Layer(Layer<W>),
    LayerOf(LayerOf<W>),
    Call(Call<Bits<W>>),
}

/// An operand that is an integer.
pub(super) enum IntArg {
    Const(Const<i32>),
    Local(IntLocal),
    Slot(Slot),
    Call(Call<i32>),
}

/// Whether sets of so many words are operands that are called, all of them.
pub(super) const fn wide(words: usize) -> bool {
    words > 2
}

impl<const W: usize> SetArg<W> {
    /// Its code.
    pub fn code(self) -> Thunk<Bits<W>> {
        match self {
            SetArg::Const(set) => thunk(set),
            SetArg::Local(set) => thunk(set),
            SetArg::Layer(set) => thunk(set),
            SetArg::LayerOf(set) => thunk(set),
            SetArg::Call(set) => set.0,
        }
    }
}

impl<const W: usize> CondArg<W> {
    /// Its code.
    pub fn code(self) -> Thunk<i32> {
        match self {
            CondArg::InLayer(cond) => thunk(cond),
            CondArg::InLocal(cond) => thunk(cond),
            CondArg::Real(cond) => thunk(cond),
            CondArg::Some(cond) => thunk(cond),
            CondArg::Slot(cond) => thunk(cond),
            CondArg::Call(cond) => cond.0,
        }
    }
}

impl IntArg {
    /// Its code.
    pub fn code(self) -> Thunk<i32> {
        match self {
            IntArg::Const(int) => thunk(int),
            IntArg::Local(int) => thunk(int),
            IntArg::Slot(int) => thunk(int),
            IntArg::Call(int) => int.0,
        }
    }
}

/// Code with an operand of each kind that it may be: `pick!(set a = first, int b = second, cond c = third => code)`.
/// The width of sets is `W` where sets or conditions are picked.
macro_rules! pick {
    (=> $body:expr) => { $body };
    ($(,)? set $a:ident = $arg:expr $(, $kind:ident $b:ident = $other:expr)* => $body:expr) => {
        match $arg {
            // Known as it is compiled: what is not reached is no code.
            arg if const { $crate::play::code::arg::wide(W) } => {
                let $a = $crate::play::code::arg::Call(arg.code());
                pick!($($kind $b = $other),* => $body)
            }
            SetArg::Const($a) => pick!($($kind $b = $other),* => $body),
            SetArg::Local($a) => pick!($($kind $b = $other),* => $body),
            SetArg::Layer($a) => pick!($($kind $b = $other),* => $body),
            SetArg::LayerOf($a) => pick!($($kind $b = $other),* => $body),
            SetArg::Call($a) => pick!($($kind $b = $other),* => $body),
        }
    };
    ($(,)? cond $a:ident = $arg:expr $(, $kind:ident $b:ident = $other:expr)* => $body:expr) => {
        match $arg {
            arg if const { $crate::play::code::arg::wide(W) } => {
                let $a = $crate::play::code::arg::Call(arg.code());
                pick!($($kind $b = $other),* => $body)
            }
            CondArg::InLayer($a) => pick!($($kind $b = $other),* => $body),
            CondArg::InLocal($a) => pick!($($kind $b = $other),* => $body),
            CondArg::Real($a) => pick!($($kind $b = $other),* => $body),
            CondArg::Some($a) => pick!($($kind $b = $other),* => $body),
            CondArg::Slot($a) => pick!($($kind $b = $other),* => $body),
            CondArg::Call($a) => pick!($($kind $b = $other),* => $body),
        }
    };
    ($(,)? int $a:ident = $arg:expr $(, $kind:ident $b:ident = $other:expr)* => $body:expr) => {
        match $arg {
            IntArg::Const($a) => pick!($($kind $b = $other),* => $body),
            IntArg::Local($a) => pick!($($kind $b = $other),* => $body),
            IntArg::Slot($a) => pick!($($kind $b = $other),* => $body),
            IntArg::Call($a) => pick!($($kind $b = $other),* => $body),
        }
    };
}
pub(super) use pick;

/// Code of something that lies at hand.
pub(super) fn thunk<T>(arg: impl Arg<T>) -> Thunk<T> {
    closure(move |frame| arg.get(frame))
}
