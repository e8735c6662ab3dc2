//! Whatever is printed as JSON stands on the page of `farrier help json`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{fine, run, tempfile};

const PAGE: &str = include_str!("../../../src/cli/json.md");

/// What the page says of a value: the forms that it has, and its keys.
#[derive(Default, Debug)]
struct Said {
    forms: Vec<String>,
    keys: BTreeMap<String, Said>,
}

impl Said {
    fn take(&mut self, text: &str) {
        let words = text.split('(').skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        self.forms.extend(words.map(str::to_owned));
    }

    /// The part that a path leads to.
    fn at(&mut self, path: &[String]) -> &mut Said {
        path.iter().fold(self, |said, key| said.keys.entry(key.clone()).or_default())
    }

    /// All that it says of a key, in its forms too.
    fn of<'a>(&'a self, page: &'a BTreeMap<String, Said>, key: &str) -> Vec<&'a Said> {
        let own = self.keys.get(key).or(self.keys.get("*"));
        let forms = self.forms.iter().filter_map(|form| page.get(form)).flat_map(|form| form.of(page, key));
        own.into_iter().chain(forms).collect()
    }
}

/// The sections of the page.
fn page() -> BTreeMap<String, Said> {
    let mut page: BTreeMap<String, Said> = BTreeMap::new();
    let mut section = String::new();
    // The keys of the items around the next one, by depth; several that share an item share what is below.
    let mut around: Vec<Vec<String>> = Vec::new();
    for line in PAGE.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            (section, around) = (name.to_owned(), Vec::new());
            page.entry(section.clone()).or_default();
            continue;
        }
        let Some(said) = page.get_mut(&section) else { continue };
        let text = line.trim_start();
        let depth = (line.len() - text.len()) / 2;
        let Some(item) = text.strip_prefix("- ") else {
            match &around[..] {
                [] => said.take(text),
                _ => each(&around, |path| said.at(path).take(text)),
            }
            continue;
        };
        let (keys, text) = item.split_once(": ").expect("an item says what its keys are");
        around.truncate(depth);
        around.push(keys.split(", ").map(|key| key.trim_matches('`').to_owned()).collect());
        each(&around, |path| said.at(path).take(text));
    }
    page
}

/// All paths through the keys of items.
fn each(around: &[Vec<String>], mut act: impl FnMut(&[String])) {
    let mut paths = vec![Vec::new()];
    for keys in around {
        paths = paths
            .iter()
            .flat_map(|path: &Vec<String>| {
                keys.iter().map(|key| [&path[..], std::slice::from_ref(key)].concat())
            })
            .collect();
    }
    paths.iter().for_each(|path| act(path));
}

/// The paths of a value that the page does not know.
fn unsaid(page: &BTreeMap<String, Said>, said: &[&Said], value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|value| unsaid(page, said, value, path, out)),
        Value::Object(all) => {
            for (key, value) in all {
                let of: Vec<&Said> = said.iter().flat_map(|said| said.of(page, key)).collect();
                let path = format!("{path}.{key}");
                match of.is_empty() {
                    true => out.push(path),
                    false => unsaid(page, &of, value, &path, out),
                }
            }
        }
        _ => {}
    }
}

fn keys(value: &Value) -> impl Iterator<Item = &String> {
    value.as_object().into_iter().flat_map(|all| all.keys())
}

/// Whether a command told only what is wrong with its input.
fn is_refusal(value: &Value) -> bool {
    keys(value).eq(["diagnostics"])
}

/// Holds what a command printed against the page.
pub fn documented(command: &str, printed: &[Value]) {
    let page = page();
    let wrong = Said { forms: vec!["diagnostic".into()], ..Said::default() };
    for value in printed {
        let mut out = Vec::new();
        let refusal = value.get("diagnostics").filter(|_| is_refusal(value));
        match (refusal, page.get(command)) {
            (Some(all), _) => unsaid(&page, &[&wrong], all, "diagnostics", &mut out),
            (None, Some(said)) => unsaid(&page, &[said], value, command, &mut out),
            (None, None) => out.push(command.to_owned()),
        }
        assert!(out.is_empty(), "`src/cli/json.md` says nothing of {out:?}");
    }
}

#[test]
fn each_command_prints_the_keys_that_are_documented() {
    assert_eq!(fine(&["help", "json"]), PAGE);
    let record = fine(&["playout", "tic-tac-toe", "--record", "--count", "1"]);
    let wrong = tempfile("json-wrong.jsonl", record.replace(r#""legal":8"#, r#""legal":7"#));
    let record = tempfile("json.jsonl", record);
    let weights = tempfile("json.toml", "");
    std::fs::remove_file(&weights).unwrap();
    let parts = ["1/2", "2/2"].map(|shard| {
        let part = tempfile(&format!("json-{}.part", &shard[..1]), "");
        let played = "compare tic-tac-toe tic-tac-toe --games 4 --levels none --shard";
        let words: Vec<&str> = played.split_whitespace().chain([shard, "--out", &part]).collect();
        fine(&words);
        part
    });
    let mut printed: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    // A command, and files of it.
    let runs: &[(&str, &[&str])] = &[
        ("list", &[]),
        ("show hex", &[]),
        ("check tic-tac-toe --games 3", &[]),
        ("test tic-tac-toe", &[]),
        ("describe knight-fight", &[]),
        ("diff chess horde-chess", &[]),
        ("diff knights-and-pawns knights-and-pawns+switch-move", &[]),
        ("distinguish hex hex+pie-rule", &[]),
        ("playout tic-tac-toe --count 3", &[]),
        ("perft tic-tac-toe 2", &[]),
        ("perft tic-tac-toe 2 --divide", &[]),
        ("bench tic-tac-toe --seconds 0.05 --depth 3", &[]),
        ("match tic-tac-toe --players random flat:5 --games 4 --sprt 0 10", &[]),
        ("replay", &[&record, &wrong]),
        ("solve tic-tac-toe", &[]),
        (
            "compare knights-and-pawns knights-and-pawns+switch-move --games 20 --levels flat:5 --level-games 8 \
             --strength flat:8,flat:4 --strength-games 4",
            &[],
        ),
        ("merge", &[&parts[0], &parts[1]]),
        ("matrix knights-and-pawns --options switch-move --games 10 --levels none", &[]),
        ("tune hex --options size=3/4 --first 4 --most 8 --agent random", &[]),
        ("train tic-tac-toe --minutes 0.01 --games 2 --gauge 0 --trials 0 --out", &[&weights]),
    ];
    for (words, files) in runs {
        let words: Vec<&str> = words.split_whitespace().collect();
        let ran = run(&[&words[..], files, &["--format", "json"]].concat());
        let read = |line| serde_json::from_str(line).unwrap();
        let values: Vec<Value> = ran.out.lines().map(read).collect();
        assert!(!values.is_empty() && !values.iter().any(is_refusal), "{words:?}: {}{}", ran.out, ran.err);
        documented(words[0], &values);
        for value in values {
            let all = value.as_array().cloned().unwrap_or(vec![value]);
            printed.entry(words[0]).or_default().extend(all.iter().flat_map(keys).cloned());
        }
    }
    let page = page();
    for (command, said) in &page {
        let Some(printed) = printed.get(&command[..]) else { continue };
        let same = said.forms.iter().filter_map(|form| page.get(form));
        for key in said.keys.keys().chain(same.flat_map(|said| said.keys.keys())) {
            assert!(printed.contains(key), "{command} prints no `{key}`");
        }
    }
}
