//! Which keys a decision, or any other key, has to do with.
//!
//! A key reads another where its text says the other's name. A variable is made by the keys that assign
//! it as much as by what its own keys say, so from a variable the way leads on to them, too.

use std::collections::{HashMap, VecDeque};

use super::keys::{Change, Key};

/// The tables whose rows have names that rules say.
const NAMED: [&str; 8] = ["relations", "define", "regions", "effects", "state", "pieces", "options", "flow"];

/// Keys, and which of them read which.
pub(super) struct Reads<'o> {
    keys: &'o [Key<'o>],
    words: Vec<Vec<String>>,
    /// The keys that a name stands for.
    named: HashMap<String, Vec<usize>>,
}

fn words(text: &str) -> Vec<String> {
    let word = |c: char| c.is_alphanumeric() || c == '-';
    let mut out: Vec<String> =
        text.split(|c| !word(c)).filter(|w| !w.is_empty()).map(str::to_owned).collect();
    out.sort_unstable();
    out.dedup();
    out
}

impl<'o> Reads<'o> {
    /// Of the keys of a definition.
    pub fn new(keys: &'o [Key<'o>]) -> Reads<'o> {
        let mut named: HashMap<String, Vec<usize>> = HashMap::new();
        for (i, key) in keys.iter().enumerate() {
            if !NAMED.contains(&key.path[0].as_str()) {
                continue;
            }
            // The name of the row; of a kind the name of the trait as well.
            let names = if key.path[0] == "pieces" { &key.path[1..] } else { &key.path[1..2] };
            for name in names {
                named.entry(name.clone()).or_default().push(i);
            }
        }
        // A default is no rule that reads something.
        let words = |key: &Key<'_>| if key.is_said() { words(&key.text) } else { Vec::new() };
        Reads { words: keys.iter().map(words).collect(), keys, named }
    }

    /// How far each key is from those at or under a path. `assigned` says whether to follow variables to the keys
    /// that assign them.
    fn from(&self, root: &[String], assigned: bool) -> HashMap<usize, u32> {
        let own = |k: &Key<'_>| k.path.starts_with(root);
        let mut far: HashMap<usize, u32> =
            (0..self.keys.len()).filter(|i| own(&self.keys[*i])).map(|i| (i, 0)).collect();
        let mut open: VecDeque<usize> = far.keys().copied().collect();
        while let Some(i) = open.pop_front() {
            let next = far[&i] + 1;
            let read = self.words[i].iter().filter_map(|w| self.named.get(w)).flatten().copied();
            let mut found: Vec<usize> = read.collect();
            if assigned && self.keys[i].path[0] == "state" {
                let name = &self.keys[i].path[1];
                let does = |k: &Key<'_>| match k.path[0].as_str() {
                    "effects" => true,
                    "decisions" => k.path.last().is_some_and(|p| p == "do"),
                    "turn" => k.path[1] == "finish",
                    _ => false,
                };
                found.extend(
                    (0..self.keys.len()).filter(|j| does(&self.keys[*j]) && self.words[*j].contains(name)),
                );
            }
            for j in found {
                if let std::collections::hash_map::Entry::Vacant(free) = far.entry(j) {
                    free.insert(next);
                    open.push_back(j);
                }
            }
        }
        far
    }

    /// How far a change is from the keys at or under a path; none where they have nothing to do with it.
    pub fn distance(&self, root: &[String], change: &Change<'_>, assigned: bool) -> Option<u32> {
        let far = self.from(root, assigned);
        far.iter().filter(|(i, _)| self.keys[**i].path.starts_with(&change.path)).map(|(_, d)| *d).min()
    }

    /// The least count of a turn start that a rule tells from the counts below it; none where no rule asks. What may
    /// not come back is not to be counted twice. Any other use than a plain comparison with a number is taken for 2.
    pub fn seen(&self) -> Option<u32> {
        let mut least: Option<u32> = None;
        for key in self.keys {
            if key.path.last().is_some_and(|name| name == "repeats") && key.text == "no" {
                least = Some(2);
            }
            let spaced = key.text.replace(['(', ')', '{', '}', ','], " ");
            let tokens: Vec<&str> = spaced.split_whitespace().collect();
            for (i, _) in tokens.iter().enumerate().filter(|(_, t)| **t == "seen") {
                let joined = |t: Option<&&str>| t.is_some_and(|t| ["+", "-", "*", "/", "%"].contains(t));
                let before = i.checked_sub(1).and_then(|i| tokens.get(i));
                let number = tokens.get(i + 2).and_then(|t| t.parse::<u32>().ok());
                let count = match (tokens.get(i + 1), number) {
                    _ if joined(before) || joined(tokens.get(i + 3)) => 2,
                    (Some(&(">=" | "<" | "=" | "!=")), Some(n)) => n,
                    (Some(&(">" | "<=")), Some(n)) => n.saturating_add(1),
                    _ => 2,
                };
                least = Some(least.map_or(count, |l| l.min(count)).max(2));
            }
        }
        least
    }
}
