//! The reference of the language and the README say what is true: their definitions load, their rules
//! check, their tables are those of the program, their links lead somewhere.
//!
//! The fences of `games/language.md` and `README.md` say what a block is:
//!
//! | fence | what is tested |
//! | --- | --- |
//! | `toml game` | a whole definition: it loads without an error or a warning, and its own tests pass |
//! | `toml game sample` | the same; the game that the snippets below are about |
//! | `toml extension NAME` | an extension file called `NAME.toml`: with it its game loads, and its tests pass |
//! | `toml part` | keys of a definition: each is known and holds what it should |
//! | `rule expr` | a line, an expression of the sample game; `# TYPE` behind it tells its type |
//! | `rule effects`, `rule pattern` | a line, effects or a pattern of the sample game |
//! | `rule flow`, `rule outcome`, `rule choose` | a line, a rule of that grammar |
//! | `rule wrong expr` and so on | a line, refused by that grammar or by the checker |
//!
//! `UPDATE=1 cargo test --test language reference` writes the generated tables anew.

use std::path::{Path, PathBuf};

use farrier::analysis::own_tests::{self, Run};
use farrier::definition::{Choices, KeyDoc, RESERVED, load, schema};
use farrier::diagnostic::{Diagnostic, Diagnostics, Severity};
use farrier::game::Game;
use farrier::semantics::builtins::TABLE;
use farrier::shipped::Shipped;
use farrier::source::{FileError, Files, MemoryFiles, Sources};
use farrier::syntax::parse;
use farrier::syntax::text::RuleText;

const PAGES: [&str; 2] = ["games/language.md", "README.md"];

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

fn page(page: &str) -> String {
    std::fs::read_to_string(path(page)).expect("the page is there")
}

/// A fenced block.
struct Block {
    /// `README.md:12`, its first line.
    place: String,
    /// The words behind the fence.
    words: Vec<String>,
    text: String,
}

impl Block {
    fn is(&self, words: &[&str]) -> bool {
        self.words.iter().map(String::as_str).eq(words.iter().copied())
    }

    fn begins(&self, words: &[&str]) -> bool {
        self.words.len() >= words.len() && self.words.iter().zip(words).all(|(a, b)| a == b)
    }
}

fn blocks() -> Vec<Block> {
    let mut found = Vec::new();
    for name in PAGES {
        let text = page(name);
        let mut open: Option<Block> = None;
        for (i, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => found.extend(open.take()),
                (Some(words), None) => {
                    let words = words.split_whitespace().map(str::to_owned).collect();
                    open = Some(Block { place: format!("{name}:{}", i + 2), words, text: String::new() });
                }
                (None, Some(block)) => {
                    block.text += line;
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{name}: a fence is not closed");
    }
    found
}

/// Files in memory, then the shipped games.
struct Both(MemoryFiles);

impl Files for Both {
    fn read(&self, path: &str) -> Result<String, FileError> {
        self.0.read(path).or_else(|_| Shipped.read(path))
    }

    fn names(&self) -> Vec<String> {
        Shipped.names()
    }
}

fn files(list: &[(&str, &str)]) -> Both {
    Both(MemoryFiles(list.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect()))
}

fn say(found: &Diagnostics, sources: &Sources) -> String {
    let line = |d: &Diagnostic| {
        let at = sources.line_column(d.span());
        format!("  line {}: {} [{}] {}", at.line, d.message, d.code, d.help.clone().unwrap_or_default())
    };
    found.0.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Loads a game and runs the tests of the page's own file, `own`; what is wrong with it. Warnings on other
/// files are not its own.
fn tried(name: &str, own: &str, files: &Both, choices: &Choices) -> Result<(), String> {
    let mut sources = Sources::default();
    let (game, mut found) = Game::load(name, files, choices, &mut sources);
    let page = |d: &Diagnostic| sources.get(d.span().file).is_some_and(|file| file.name == own);
    found.0.retain(|d| d.severity == Severity::Error || page(d));
    if !found.is_empty() {
        return Err(say(&found, &sources));
    }
    let game = game.ok_or("it does not load, and nothing says why")?;
    let plain = Run::with(Choices::default());
    for verdict in own_tests::run(name, &game.definition, &plain, files, &mut sources) {
        let here = sources.get(verdict.span.file).is_some_and(|file| file.name == own);
        if here && !verdict.failures.is_empty() {
            let failures = Diagnostics(verdict.failures);
            return Err(format!("  the test \"{}\" fails:\n{}", verdict.name, say(&failures, &sources)));
        }
    }
    Ok(())
}

/// What a test has found wrong, by place.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn note(&mut self, place: &str, result: Result<(), String>) {
        if let Err(what) = result {
            self.0.push(format!("{place}\n{what}"));
        }
    }

    fn none(self, count: usize) {
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n\n"));
        assert!(count > 0, "there is nothing to be tested");
    }
}

#[test]
fn every_block_says_what_it_is() {
    let known = |b: &Block| {
        b.begins(&["toml", "game"])
            || b.begins(&["toml", "extension"])
            || b.is(&["toml", "part"])
            || b.begins(&["rule"])
            || b.is(&["text"])
            || b.is(&["sh"])
            || b.is(&["console"])
            // What `tests/tools/python_chess.py` does.
            || b.is(&["python"])
    };
    let odd: Vec<String> =
        blocks().iter().filter(|b| !known(b)).map(|b| format!("{} {:?}", b.place, b.words)).collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn every_game_loads_and_passes_its_tests() {
    let blocks = blocks();
    let games: Vec<&Block> = blocks.iter().filter(|b| b.begins(&["toml", "game"])).collect();
    let mut wrong = Wrong::default();
    for game in &games {
        let files = files(&[("./page.toml", &game.text)]);
        wrong.note(&game.place, tried("./page.toml", "./page.toml", &files, &Choices::default()));
    }
    wrong.none(games.len());
}

#[test]
fn every_extension_loads_and_passes_its_tests() {
    let blocks = blocks();
    let mut wrong = Wrong::default();
    let mut count = 0;
    for block in blocks.iter().filter(|b| b.begins(&["toml", "extension"])) {
        count += 1;
        let name = block.words.get(2).expect("an extension has a name");
        let target = block.text.lines().find_map(|l| l.strip_prefix("for")).unwrap_or_default();
        let target = target.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
        let path = format!("./{name}.toml");
        let sample = sample();
        let files = files(&[(&path, &block.text), ("sample", &sample)]);
        let choices = Choices { with: vec![path.clone()], ..Choices::default() };
        wrong.note(&block.place, tried(&target, &path, &files, &choices));
    }
    wrong.none(count);
}

#[test]
fn every_part_is_made_of_known_keys() {
    // What a part leaves to the rest of its file.
    const ELSEWHERE: [&str; 6] =
        ["missing-key", "unknown-name", "unknown-option", "unknown-drop", "unknown-player", "missing-player"];
    let blocks = blocks();
    let mut wrong = Wrong::default();
    let parts: Vec<&Block> = blocks.iter().filter(|b| b.is(&["toml", "part"])).collect();
    for part in &parts {
        let mut sources = Sources::default();
        let files = files(&[("./part.toml", &part.text)]);
        let (_, mut found) = load("./part.toml", &files, &Choices::default(), &mut sources);
        found.0.retain(|d| !ELSEWHERE.contains(&d.code));
        let result = if found.is_empty() { Ok(()) } else { Err(say(&found, &sources)) };
        wrong.note(&part.place, result);
    }
    wrong.none(parts.len());
}

fn sample() -> String {
    let blocks = blocks();
    let sample = blocks.iter().find(|b| b.is(&["toml", "game", "sample"]));
    sample.expect("the reference has a sample game").text.clone()
}

/// The lines of snippets: the rule, and what is said behind it.
fn lines(block: &Block) -> impl Iterator<Item = (&str, &str)> {
    block.text.lines().filter(|l| !l.trim().is_empty()).map(|line| match line.split_once('#') {
        Some((rule, said)) => (rule.trim(), said.trim()),
        None => (line.trim(), ""),
    })
}

/// Checks a rule as a part of the sample game. Gives the type, of an expression.
fn in_sample(grammar: &str, rule: &str) -> Result<String, String> {
    const LOCALS: &str = "x, y, S: sites, k: kind, n: int, p: player";
    let section = match grammar {
        "effects" => format!("[effects]\n\"probe({LOCALS})\""),
        "pattern" => "[relations]\nprobe".to_owned(),
        _ => format!("[define]\n\"probe({LOCALS})\""),
    };
    // What the page adds to the sample game where it speaks of directions.
    let more = "\"go(d: direction)\" = \"step d\"\n\"along(d: direction)\" = \"slide d through own\"\n";
    let rule = format!("{section} = '''{rule}'''\n");
    let text = match grammar {
        "pattern" => format!("for = \"sample\"\n{rule}{more}"),
        _ => format!("for = \"sample\"\n{rule}[relations]\n{more}"),
    };
    let files = files(&[("sample", &sample()), ("./probe-file.toml", &text)]);
    let choices = Choices { with: vec!["./probe-file.toml".to_owned()], ..Choices::default() };
    let mut sources = Sources::default();
    let (game, mut found) = Game::load("sample", &files, &choices, &mut sources);
    found.0.retain(|d| d.code != "unused");
    if !found.is_empty() {
        return Err(say(&found, &sources));
    }
    let game = game.ok_or("it does not load, and nothing says why")?;
    let probe = game.rules.defines.iter().find(|d| d.name == "probe");
    Ok(probe.map(|d| d.ty.to_string()).unwrap_or_default())
}

/// Reads a rule by its grammar.
fn parses(grammar: &str, rule: &str) -> Result<(), String> {
    let mut sources = Sources::default();
    let file = sources.add("rule", rule);
    let text = RuleText::plain(file, 0, rule);
    let read = match grammar {
        "flow" => parse::flow(&text).map(drop),
        "outcome" => parse::outcome(&text).map(drop),
        "choose" => parse::choose(&text).map(drop),
        other => panic!("there is no grammar `{other}`"),
    };
    read.map_err(|d| format!("  {}", d.message))
}

#[test]
fn every_rule_is_read() {
    let mut wrong = Wrong::default();
    let mut count = 0;
    for block in blocks() {
        let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
        let (grammar, good) = match words[..] {
            ["rule", "wrong", grammar] => (grammar, false),
            ["rule", grammar] => (grammar, true),
            _ => continue,
        };
        for (rule, said) in lines(&block).filter(|(rule, _)| !rule.is_empty()) {
            count += 1;
            let place = format!("{}: {rule}", block.place);
            let result = match grammar {
                "flow" | "outcome" | "choose" => parses(grammar, rule).map(|()| String::new()),
                _ => in_sample(grammar, rule),
            };
            let result = match (good, result) {
                (true, Ok(ty)) if grammar == "expr" => {
                    let told = said.split([':', ',', ' ']).next().unwrap_or_default();
                    if told == ty { Ok(()) } else { Err(format!("  its type is {ty}, not `{told}`")) }
                }
                (true, Ok(_)) | (false, Err(_)) => Ok(()),
                (true, Err(what)) => Err(what),
                (false, Ok(_)) => Err("  it is said to be wrong, and is not".to_owned()),
            };
            wrong.note(&place, result);
        }
    }
    wrong.none(count);
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Wrong::default();
    let mut count = 0;
    for name in PAGES {
        let text = page(name);
        let folder = path(name).parent().map(Path::to_owned).unwrap_or_default();
        // What is written as code has no links.
        let prose: Vec<&str> = text.split('`').step_by(2).collect();
        let prose = prose.join("`");
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path(name) } else { folder.join(file) };
            let result = match std::fs::read_to_string(&target) {
                _ if target.is_dir() => Ok(()),
                Err(_) => Err(format!("  `{link}` leads to no file")),
                Ok(text) if anchor.is_empty() || headings(&text).contains(&anchor.to_owned()) => Ok(()),
                Ok(_) => Err(format!("  `{link}` leads to no heading")),
            };
            wrong.note(name, result);
        }
    }
    wrong.none(count);
}

/// The anchors of a page's headings.
fn headings(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|l| l.starts_with('#'));
    let anchor = |line: &str| -> String {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    lines.map(anchor).collect()
}

/// The table of built-ins.
fn builtins() -> String {
    let mut out = String::from("| name | value | what it is |\n| --- | --- | --- |\n");
    for row in TABLE {
        let signature = row.signature().replace('`', "");
        let (form, result) = signature.rsplit_once(" -> ").expect("a signature has a result");
        out += &format!("| `{form}` | {result} | {} |\n", row.doc);
    }
    out
}

/// The tables of keys, one for each part of a file.
fn keys() -> String {
    let mut out = String::new();
    let part = |key: &KeyDoc| match key.path.split_once('.') {
        Some((first, _)) => first.to_owned(),
        None => String::new(),
    };
    let mut last: Option<String> = None;
    for key in schema() {
        let part = part(key);
        if last.as_ref() != Some(&part) {
            let title = match part.as_str() {
                "" => "The file itself".to_owned(),
                "tests" => "`[[tests]]`".to_owned(),
                part => format!("`[{part}]`"),
            };
            let blank = if last.is_some() { "\n" } else { "" };
            out += &format!(
                "{blank}**{title}**\n\n| key | holds | joined by | what it says |\n| --- | --- | --- | --- |\n"
            );
            last = Some(part);
        }
        let joins: Vec<String> = key.joins().iter().map(|j| format!("`.{}`", j.word())).collect();
        out +=
            &format!("| `{}` | {} | {} | {} |\n", key.path, key.holds.describe(), joins.join(" "), key.doc);
    }
    out
}

/// The table of shipped games.
fn games() -> String {
    let mut out =
        String::from("| game | title | author | group | options |\n| --- | --- | --- | --- | --- |\n");
    for name in Shipped::list() {
        let (game, _) = load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let game = game.expect("a shipped game loads");
        let options: Vec<String> = game.options.iter().map(|o| format!("`{}`", o.name.text)).collect();
        let (title, author) = (&game.title, game.author.as_deref().unwrap_or_default());
        let group = game.group.as_deref().unwrap_or_default();
        let options = options.join(", ");
        out += &format!("| [`{name}`](games/{name}.toml) | {title} | {author} | {group} | {options} |\n");
    }
    out
}

/// Whether what stands between two markers of a page is current; writes it where that is asked for.
fn current(name: &str, marker: &str, wanted: &str) {
    let text = page(name);
    let (begin, end) = (format!("<!-- {marker}:begin -->\n"), format!("<!-- {marker}:end -->"));
    let from = text.find(&begin).expect("the section begins") + begin.len();
    let to = text.find(&end).expect("the section ends");
    let wanted = format!("\n{wanted}\n");
    if text[from..to] == wanted {
        return;
    }
    if std::env::var_os("UPDATE").is_some() {
        let new = format!("{}{wanted}{}", &text[..from], &text[to..]);
        std::fs::write(path(name), new).expect("the page can be written");
        return;
    }
    panic!(
        "the section `{marker}` of {name} is out of date: run `UPDATE=1 cargo test --test language reference`"
    );
}

#[test]
fn the_generated_tables_are_current() {
    let language = "games/language.md";
    current(language, "builtins", &builtins());
    current(language, "keys", &keys());
    let words: Vec<String> = RESERVED.iter().map(|w| format!("`{w}`")).collect();
    current(language, "reserved", &format!("{}\n", words.join(" ")));
    current("README.md", "games", &games());
}
