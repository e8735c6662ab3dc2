//! Differences as a page that needs nothing else: light and dark, and fit to be printed.

use std::fmt::Write;

use super::{Shown, place, program, text, verdict};
use crate::diff::{Change, Difference, Excerpt, Section, Side};
use crate::html;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1d20; --paper: #fff; --soft: #64676d; --line: #d9dbe0;
  --new: #d8f3dc; --gone: #fde0e0; --box: #f6f7f9; --mark-new: #14713a; --mark-gone: #b3261e; --mark-changed: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e8ea; --paper: #17181b; --soft: #a2a6ad; --line: #3a3d43;
  --new: #14482a; --gone: #5c2024; --box: #202226; --mark-new: #6fd695; --mark-gone: #ff8d86; --mark-changed: #e6b450; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 75rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; border-bottom: 1px solid var(--line); margin-top: 2rem; }
article { margin: 1rem 0 1.5rem; break-inside: avoid; }
p { margin: .2rem 0; } code, pre { font: 14px/1.45 ui-monospace, monospace; }
.sign { display: inline-block; width: 1.2rem; font-weight: bold; }
.added .sign { color: var(--mark-new); } .removed .sign { color: var(--mark-gone); }
.changed .sign, .moved .sign, .renamed .sign { color: var(--mark-changed); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin: .4rem 0 0 1.2rem; }
.side { min-width: 0; background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem; }
.side:empty { visibility: hidden; } .place { color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
pre { margin: .1rem 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
mark { color: inherit; border-radius: 3px; } .left mark { background: var(--gone); } .right mark { background: var(--new); }
@media (max-width: 45rem) { .sides { grid-template-columns: 1fr; } .side:empty { display: none; } }
@media print { :root { --ink: #000; --paper: #fff; --box: #fff; --soft: #444; --new: #d8f3dc; --gone: #fde0e0; }
  body { margin: 0; max-width: none; font-size: 11pt; } mark { print-color-adjust: exact; text-decoration: underline; } }
";

/// The whole page.
pub(super) fn page(shown: &Shown<'_>) -> String {
    let title = format!("{} against {}", shown.right, shown.left);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n{}",
        escaped(&verdict(shown)),
        program(shown).iter().map(|line| format!("<p>{}</p>\n", quoted(line))).collect::<String>(),
        title = escaped(&title),
    );
    let mut last: Option<Section> = None;
    for d in &shown.diff.differences {
        if last.replace(d.section) != Some(d.section) {
            out += &format!("<h2>{}</h2>\n", d.section.title());
        }
        article(d, &mut out);
    }
    if !shown.diff.notes.is_empty() {
        out += "<h2>No effect on play</h2>\n";
        shown.diff.notes.iter().for_each(|d| article(d, &mut out));
    }
    out + "</body>\n</html>\n"
}

fn article(d: &Difference, out: &mut String) {
    let sign = if d.change == Change::Removed { '\u{2212}' } else { d.change.mark() };
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<article class=\"{}\">\n<p><span class=\"sign\">{sign}</span>{}</p>\n<div class=\"sides\">\n",
        d.change.word(),
        quoted(&d.sentence),
    );
    for (name, side) in [("left", &d.left), ("right", &d.right)] {
        *out += &format!("<div class=\"side {name}\">{}</div>\n", side.as_ref().map_or(String::new(), of));
    }
    *out += "</div>\n</article>\n";
}

fn of(side: &Side) -> String {
    if side.written.is_empty() {
        return format!("<p class=\"place\">{}</p>", escaped(&place(&side.place)));
    }
    let one = |e: &Excerpt| {
        let at = format!("{}  {}", e.key, place(&e.place));
        format!("<p class=\"place\">{}</p><pre>{}</pre>", escaped(&at), marked(e))
    };
    side.written.iter().map(one).collect()
}

/// A value with its marks.
fn marked(excerpt: &Excerpt) -> String {
    let mut out = String::new();
    let mut from = 0;
    let text = excerpt.text.as_str();
    for mark in &excerpt.marks {
        let (Some(before), Some(part)) = (text.get(from..mark.start), text.get(mark.clone())) else {
            continue;
        };
        out += &format!("{}<mark>{}</mark>", escaped(before), escaped(part));
        from = mark.end;
    }
    out += &escaped(text.get(from..).unwrap_or_default());
    out.trim_matches('\n').to_owned()
}

/// A sentence in which text in backticks is code.
fn quoted(sentence: &str) -> String {
    html::code(&text::plain(sentence))
}

fn escaped(text: &str) -> String {
    html::escape(&text::plain(text))
}
