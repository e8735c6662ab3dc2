//! `[[tests]]`.

use super::file::{File, Row};
use super::join::players_of;
use super::model::{OptionValue, TestDef, Text};
use super::options::{holds, known, print, stem, unknown_option};
use super::read::Reader;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::wording::many;

impl<'a> Reader<'a> {
    /// The tests of the file itself, then those of the extensions, which run with them.
    pub(super) fn tests(&mut self) -> Vec<TestDef> {
        let own = self.file.tests.iter().map(|row| (row, None));
        let added = |file: &'a File| file.tests.iter().map(move |row| (row, Some(file)));
        own.chain(self.extensions.iter().flat_map(added)).map(|(row, file)| self.test(row, file)).collect()
    }

    fn test(&mut self, row: &Row, extension: Option<&File>) -> TestDef {
        let text = |key: &str| row.text(key).cloned();
        let texts = |key: &str| row.held::<Vec<Text>>(key).cloned();
        let mut options: Vec<(Name, OptionValue)> = row.held("options").cloned().unwrap_or_default();
        if let Some(file) = extension {
            let text = stem(&file.asked).to_string();
            let span = row.span;
            options.insert(0, (Name { text, span }, OptionValue::Flag(true)));
        }
        for (name, value) in &options {
            self.test_option(name, value);
        }
        let mover = row.held::<Name>("mover").map(|name| {
            players_of(std::iter::once(name), &self.players, None, self.out);
            Text { text: name.text.clone(), span: name.span }
        });
        let place = |key: &str| row.find(key).map_or(row.span, |(_, _, span)| *span);
        let score = row.held("score").and_then(|scores: &Vec<_>| {
            let span = place("score");
            Some((self.test_score(scores, span)?, span))
        });
        let result = text("result").and_then(|text| self.test_result(text));
        TestDef {
            name: text("name").map(|text| text.text).unwrap_or_default(),
            span: row.span,
            options,
            setup: text("setup"),
            seed: row.held("seed").copied().unwrap_or(0),
            after: text("after"),
            legal: texts("legal"),
            includes: texts("includes").unwrap_or_default(),
            excludes: texts("excludes").unwrap_or_default(),
            count: row.held("count").map(|count| (*count, place("count"))),
            perft: row.held::<Vec<u64>>("perft").map(|counts| (counts.clone(), place("perft"))),
            result,
            score,
            position: text("position"),
            mover,
        }
    }

    /// A result as records write it: a player, players of one place joined by `&`, places from the first to the last
    /// joined by `>`; of two places only the first.
    fn test_result(&mut self, text: Text) -> Option<Text> {
        let names: Vec<&str> = self.players.iter().map(|p| p.text.as_str()).collect();
        if ["draw", "unfinished"].contains(&text.text.as_str()) {
            return Some(text);
        }
        let mut left: Vec<&str> = names.clone();
        let mut places: Vec<Vec<usize>> = Vec::new();
        for place in text.text.split('>') {
            let mut members = Vec::new();
            for word in place.split('&').map(str::trim) {
                let player = names.iter().position(|name| *name == word);
                let (Some(player), true) = (player, left.contains(&word)) else {
                    let known: Vec<&str> = names.iter().copied().chain(["draw", "unfinished"]).collect();
                    let message = format!("`{}` is no result", text.text);
                    let mut help = format!("a result is {}", super::overlay::list(&known));
                    if names.len() > 2 {
                        let (a, b) = (names[0], names[1]);
                        help +=
                            &format!(", joint winners such as `{a} & {b}`, or places such as `{b} > {a}`");
                    }
                    let found = Diagnostic::error("wrong-value", text.span, message).help(help);
                    self.out.push(found.suggest(&text.text, known));
                    return None;
                };
                left.retain(|name| *name != word);
                members.push(player);
            }
            members.sort_unstable();
            places.push(members);
        }
        // The last place goes without saying.
        if left.is_empty() && places.len() == 2 {
            places.pop();
        }
        let place = |members: &Vec<usize>| {
            members.iter().filter_map(|p| names.get(*p).copied()).collect::<Vec<_>>().join(" & ")
        };
        let written = places.iter().map(place).collect::<Vec<_>>().join(" > ");
        Some(Text { text: written, span: text.span })
    }

    fn test_option(&mut self, name: &Name, value: &OptionValue) {
        let Some(option) = self.options.iter().find(|o| o.name.text == name.text) else {
            self.out.push(unknown_option(name, self.options.iter().map(|o| &o.name)));
            return;
        };
        if !holds(&option.kind, value) {
            let message = format!("`{}` is no value of option `{}`", print(value), name.text);
            let found = Diagnostic::error("option", name.span, message).help(known(&option.kind));
            self.out.push(found);
        }
    }

    fn test_score(&mut self, scores: &[(Option<Name>, i32)], span: Span) -> Option<Vec<i32>> {
        let names: Vec<&Name> = scores.iter().filter_map(|(name, _)| name.as_ref()).collect();
        let players = self.players.len();
        if names.is_empty() {
            if scores.len() != players {
                let message = format!("expected {}, found {}", many(players as u64, "score"), scores.len());
                self.out.push(Diagnostic::error("wrong-value", span, message));
                return None;
            }
            return Some(scores.iter().map(|(_, score)| *score).collect());
        }
        let order = players_of(names.into_iter(), &self.players, Some(span), self.out)?;
        let mut found = vec![0; players];
        for ((_, score), player) in scores.iter().zip(order) {
            found[player] = *score;
        }
        Some(found)
    }
}
