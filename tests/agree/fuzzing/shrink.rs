//! Shrinking: the smallest definition that still shows the same sort of finding.

use super::doc::{Doc, entries, is_balanced, is_header, strings, words};

/// What stands for a part of a rule: the simplest of each type, and nothing at all.
const SIMPLE: [&str; 13] =
    ["", "own", "all", "none", "vacant", "true", "false", "0", "1", "mover", "pass", "draw", "remove none"];

/// Tries smaller definitions.
pub struct Shrink<'t> {
    doc: Doc,
    /// Whether a text still shows what was found.
    same: &'t mut dyn FnMut(&str) -> bool,
    /// How many texts may still be tried.
    left: usize,
}

/// A smaller definition for which `same` holds, found with so many tries at most.
pub fn shrink(text: &str, tries: usize, same: &mut dyn FnMut(&str) -> bool) -> String {
    let mut s = Shrink { doc: Doc::read(text), same, left: tries };
    if !(s.same)(&s.doc.write()) {
        return text.to_owned();
    }
    loop {
        let before = s.doc.clone();
        s.tables();
        s.statements();
        s.entries();
        s.rules();
        s.numbers();
        if s.doc == before || s.left == 0 {
            return s.doc.write();
        }
    }
}

impl Shrink<'_> {
    /// Takes a definition, if it shows the same.
    fn take(&mut self, doc: Doc) -> bool {
        if self.left == 0 || doc == self.doc {
            return false;
        }
        self.left -= 1;
        let same = (self.same)(&doc.write());
        if same {
            self.doc = doc;
        }
        same
    }

    /// Leaves out whole tables.
    fn tables(&mut self) {
        let mut i = 0;
        while let Some(table) = self.doc.tables().get(i).cloned() {
            let mut doc = self.doc.clone();
            doc.0.drain(table);
            if !self.take(doc) {
                i += 1;
            }
        }
    }

    /// Leaves out statements: many at once, then fewer.
    fn statements(&mut self) {
        let mut size = self.doc.0.len().next_power_of_two() / 2;
        while size > 0 {
            let mut at = 0;
            while at < self.doc.0.len() {
                let mut doc = self.doc.clone();
                doc.0.drain(at..(at + size).min(doc.0.len()));
                if !self.take(doc) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Leaves out entries of inline tables and lists.
    fn entries(&mut self) {
        for statement in 0..self.doc.0.len() {
            let mut i = 0;
            while let Some(place) = self.doc.0.get(statement).and_then(|s| entries(s).get(i).cloned()) {
                if !self.take(self.doc.with(statement, &place, "")) {
                    i += 1;
                }
            }
        }
    }

    /// Makes rule strings shorter: leaves out runs of words, or puts something simple in their place.
    fn rules(&mut self) {
        for statement in 0..self.doc.0.len() {
            // Names are not what is shrunk.
            if ["players", "name"].iter().any(|key| self.doc.0[statement].starts_with(key)) {
                continue;
            }
            for n in 0..strings(&self.doc.0[statement]).len() {
                self.rule(statement, n);
            }
        }
    }

    fn rule(&mut self, statement: usize, n: usize) {
        let mut size = usize::MAX;
        loop {
            let Some(inside) = strings(&self.doc.0[statement]).get(n).cloned() else { return };
            let list = words(&self.doc.0[statement], &inside);
            size = size.min(list.len());
            let mut first = 0;
            let mut smaller = false;
            while size > 0 && first + size <= list.len() {
                let text = &self.doc.0[statement];
                let run = &list[first..first + size];
                let place = run[0].start..run[size - 1].end;
                if is_balanced(text, run) && self.replaced(statement, &place, size) {
                    smaller = true;
                    break;
                }
                first += 1;
            }
            if smaller {
                continue;
            }
            size /= 2;
            if size == 0 || self.left == 0 {
                return;
            }
        }
    }

    /// A run of words replaced: by what its brackets hold, or by something simple.
    fn replaced(&mut self, statement: usize, place: &std::ops::Range<usize>, size: usize) -> bool {
        let text = self.doc.0[statement][place.clone()].to_owned();
        let mut by: Vec<String> =
            SIMPLE.iter().filter(|s| s.len() < text.len()).map(|s| (*s).to_owned()).collect();
        if let (Some(open), Some(inner)) = (text.find('('), text.strip_suffix(')'))
            && size > 2
        {
            by.push(inner[open + 1..].to_owned());
        }
        by.into_iter().any(|by| self.take(self.doc.with(statement, place, &by)))
    }

    /// Makes numbers outside of rules smaller.
    fn numbers(&mut self) {
        for statement in 0..self.doc.0.len() {
            let text = self.doc.0[statement].clone();
            if is_header(&text) {
                continue;
            }
            let value = text.find('=').map_or(text.len(), |i| i + 1);
            let inside = strings(&text);
            let mut places = words(&text, &(value..text.len()));
            places.retain(|w| !inside.iter().any(|s| s.contains(&w.start)));
            // From the end, so that the places before stay.
            for place in places.into_iter().rev() {
                let Ok(n) = text[place.clone()].parse::<u32>() else { continue };
                let mut smaller = vec![1, 2, 3, n / 2, n.saturating_sub(1)];
                smaller.retain(|m| *m < n && *m > 0);
                smaller.into_iter().any(|m| self.take(self.doc.with(statement, &place, &m.to_string())));
            }
        }
    }
}
