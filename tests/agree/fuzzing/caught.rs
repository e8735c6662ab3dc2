//! Findings, and panics that become findings.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Something that must not be.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What sort of thing it is: findings of one class are likely to have one cause.
    pub class: String,
    /// All that is known of it.
    pub report: String,
}

/// Classes of findings that are known, are being mended and are passed over: to be empty.
const KNOWN: [&str; 2] =
    ["a position's text gives another: result", "a position's text gives another: mover"];

/// A finding, unless it is known.
pub fn found(finding: Finding) -> Result<(), Finding> {
    if KNOWN.iter().any(|known| finding.class.starts_with(known)) { Ok(()) } else { Err(finding) }
}

impl Finding {
    /// A finding.
    pub fn new(class: impl Into<String>, report: impl Into<String>) -> Finding {
        Finding { class: class.into(), report: report.into() }
    }
}

thread_local! {
    /// Whether this thread is inside of [`caught`]; where it panicked last, and what it said.
    static PANIC: RefCell<(bool, String, String)> = const { RefCell::new((false, String::new(), String::new())) };
}

/// Panics inside of [`caught`] are kept for the report from now on, and no longer printed.
pub fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !PANIC.with(|kept| kept.borrow().0) {
                return print(info);
            }
            let place = info.location().map(|l| format!("{}:{}", l.file(), l.line())).unwrap_or_default();
            let text = info.payload_as_str().unwrap_or_default().to_owned();
            PANIC.with(|kept| *kept.borrow_mut() = (true, place, text));
        }));
    });
}

/// A panic that was caught.
pub struct Caught {
    /// What it panicked with.
    pub payload: Box<dyn Any + Send>,
    /// Where.
    pub place: String,
    /// What it said.
    pub text: String,
}

/// Does something that may panic.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Caught> {
    PANIC.with(|kept| kept.borrow_mut().0 = true);
    let done = catch_unwind(AssertUnwindSafe(run));
    let (_, place, text) = PANIC.with(RefCell::take);
    done.map_err(|payload| Caught { payload, place, text })
}

/// Does something that must not panic.
pub fn calm<T>(what: &str, run: impl FnOnce() -> Result<T, Finding>) -> Result<T, Finding> {
    caught(run).unwrap_or_else(|Caught { place, text, .. }| {
        Err(Finding::new(format!("panic at {place}"), format!("{what} panicked: {text}")))
    })
}
