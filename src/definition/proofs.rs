//! `[[tests]]`.

use super::file::{File, Row};
use super::join::players_of;
use super::model::{OptionValue, TestDef};
use super::options::{holds, known, print, stem};
use super::read::Reader;
use super::value::Value;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::wording::many;

impl Reader<'_> {
    /// The tests of the file itself, then those of the extensions, which run with them.
    pub(super) fn tests(&mut self) -> Vec<TestDef> {
        let own: Vec<&Row> = self.file.tests.iter().collect();
        let mut found = Vec::new();
        for row in own {
            found.push(self.test(row, None));
        }
        let extensions: Vec<(&File, &Row)> =
            self.extensions.iter().flat_map(|file| file.tests.iter().map(move |row| (file, row))).collect();
        for (file, row) in extensions {
            found.push(self.test(row, Some(file)));
        }
        found
    }

    fn test(&mut self, row: &Row, extension: Option<&File>) -> TestDef {
        let text = |key: &str| row.text(key).cloned();
        let texts = |key: &str| match row.get(key) {
            Some(Value::Texts(texts)) => Some(texts.clone()),
            _ => None,
        };
        let count = |key: &str| match row.get(key) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        };
        let mut options = match row.get("options") {
            Some(Value::Options(options)) => options.clone(),
            _ => Vec::new(),
        };
        if let Some(file) = extension {
            let text = stem(&file.asked).to_string();
            let span = row.span;
            options.insert(0, (Name { text, span }, OptionValue::Flag(true)));
        }
        for (name, value) in &options {
            self.test_option(name, value);
        }
        let mover = match row.get("mover") {
            Some(Value::Name(name)) => {
                players_of(std::iter::once(name), &self.players, None, self.out);
                Some(super::model::Text { text: name.text.clone(), span: name.span })
            }
            _ => None,
        };
        let score = match row.get("score") {
            Some(Value::Scores(scores)) => {
                let place = row.keys.iter().find(|(name, _, _)| name.text == "score");
                let span = place.map_or(row.span, |(_, _, span)| *span);
                self.test_score(scores, span)
            }
            _ => None,
        };
        let result = text("result");
        if let Some(result) = &result {
            let mut known: Vec<&str> = self.players.iter().map(|p| p.text.as_str()).collect();
            known.extend(["draw", "unfinished"]);
            if !known.contains(&result.text.as_str()) {
                let message = format!("`{}` is no result", result.text);
                let found = Diagnostic::error("wrong-value", result.span, message)
                    .help(format!("a result is {}", super::overlay::list(&known)))
                    .suggest(&result.text, known);
                self.out.push(found);
            }
        }
        TestDef {
            name: text("name").map(|text| text.text).unwrap_or_default(),
            span: row.span,
            options,
            setup: text("setup"),
            seed: count("seed").unwrap_or(0),
            after: text("after"),
            legal: texts("legal"),
            includes: texts("includes").unwrap_or_default(),
            excludes: texts("excludes").unwrap_or_default(),
            count: count("count"),
            perft: match row.get("perft") {
                Some(Value::Counts(counts)) => counts.clone(),
                _ => Vec::new(),
            },
            result,
            score,
            position: text("position"),
            mover,
        }
    }

    fn test_option(&mut self, name: &Name, value: &OptionValue) {
        let Some(option) = self.options.iter().find(|o| o.name.text == name.text) else {
            let known = self.options.iter().map(|o| o.name.text.as_str());
            let message = format!("there is no option `{}`", name.text);
            let found = Diagnostic::error("unknown-option", name.span, message);
            self.out.push(found.suggest(&name.text, known));
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
