//! From a name to a definition.

use std::sync::Arc;

use super::file::{self, File};
use super::merge::{Active, Slot, put_file, put_options};
use super::model::{Beside, Definition, OptionDef, Origin, Said};
use super::options::{self, Choices, stem};
use super::overlay::{Drop, Layer};
use super::read::Reader;
use super::tree;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::{FileError, FileId, Files, Sources, Span};
use crate::syntax::ast::Name;

/// How many files may extend each other in a row.
const MAX_EXTENDING_FILES: usize = 16;

/// How many extension files may be given.
const MAX_EXTENSIONS: usize = 32;

/// Loads a game: its file, the files that it extends, the extensions and options that are chosen.
///
/// All mistakes of all files are reported at once, those of options that are off too. Where there
/// are errors a definition may still come back, without the parts that could not be read. It is good for
/// finding further mistakes, never for playing.
pub fn load(
    name: &str,
    files: &dyn Files,
    choices: &Choices,
    sources: &mut Sources,
) -> (Option<Definition>, Diagnostics) {
    Parsed::new(name, files, choices, sources).choose(choices)
}

/// The files of a game, parsed: from here a definition is made for any choice of its options.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The game's file and those that it extends, the oldest first.
    chain: Vec<File>,
    extensions: Vec<File>,
    weights: Option<Beside>,
    /// Whether every file is there and is TOML.
    whole: bool,
    found: Diagnostics,
}

impl Parsed {
    /// Reads a game's files and the extension files that were chosen.
    pub fn new(name: &str, files: &dyn Files, choices: &Choices, sources: &mut Sources) -> Parsed {
        let mut found = Diagnostics::default();
        let mut loader = Loader { files, sources, out: &mut found, whole: true };
        let chain = loader.chain(name);
        let extensions = loader.extensions(choices, &chain);
        let weights = chain.iter().rev().find_map(|file| loader.weights(file));
        let whole = loader.whole;
        Parsed { chain, extensions, weights, whole, found }
    }

    /// The definition with the same extension files and other options; and all mistakes, those of the files too.
    pub fn choose(&self, choices: &Choices) -> (Option<Definition>, Diagnostics) {
        let mut out = self.found.clone();
        let definition = match self.whole {
            true => build(&self.chain, &self.extensions, choices, &mut out),
            false => None,
        };
        let definition = definition.map(|it| Definition { weights: self.weights.clone(), ..it });
        out.sort();
        (definition, out)
    }
}

/// Where the fitted weights of a definition lie, if they are there: `my-game.weights.toml` beside `my-game.toml`. None
/// for a shipped game, which has them elsewhere.
pub fn weights_of(path: &str) -> Option<String> {
    options::is_path(path).then(|| format!("{}.weights.toml", path.strip_suffix(".toml").unwrap_or(path)))
}

/// The game that an extension file is for, by the name or path under which it can be read: that of its key `for`, or
/// the file of that name beside it. None if the file is no extension, or there is no such game.
pub fn game_of(path: &str, files: &dyn Files) -> Option<String> {
    let text = files.read(path).ok().filter(|text| text.len() <= tree::MAX_FILE_BYTES)?;
    let tree::Kind::Table(keys) = tree::parse(&text, FileId::default(), &mut Diagnostics::default())?.kind
    else {
        return None;
    };
    let named = keys.into_iter().find_map(|(key, node)| match node.kind {
        tree::Kind::Text(game) if key.text == "for" => Some(game),
        _ => None,
    })?;
    let places = [inside(path, &named), inside(path, &format!("./{named}.toml"))];
    places.into_iter().flatten().find(|place| files.read_for(path, place).is_ok())
}

fn build(
    chain: &[File],
    extensions: &[File],
    choices: &Choices,
    out: &mut Diagnostics,
) -> Option<Definition> {
    let file = chain.last()?;
    let mut declared = options::declare(chain, extensions, out);
    options::choose(&mut declared, choices, out);
    let mut origins: Vec<Origin> =
        chain.iter().map(|file| Origin { name: file.shown.clone(), option: None }).collect();
    let mut root = Slot::default();
    for (origin, file) in chain.iter().enumerate() {
        put_file(&mut root, &file.layer, origin, out);
    }
    let mut active = Vec::new();
    for option in &declared {
        let layers = option.layers();
        if layers.iter().all(|layer| layer.entries.is_empty() && layer.drops.is_empty()) {
            continue;
        }
        active.push(Active {
            name: option.def.name.text.clone(),
            over: option.over.iter().map(|name| name.text.clone()).collect(),
            layers,
            origin: origins.len(),
        });
        origins.push(Origin { name: option.origin(), option: Some(option.def.name.text.clone()) });
    }
    put_options(&mut root, &active, out);
    let options: Vec<OptionDef> = declared.iter().map(|option| option.def.clone()).collect();
    let reader = Reader {
        root: &root,
        file,
        extensions,
        options: &options,
        players: Vec::new(),
        lost: Vec::new(),
        out,
    };
    let mut definition = reader.definition(origins)?;
    definition.flawed = out.has_errors();
    definition.lost.extend(chain.iter().chain(extensions).flat_map(|file| file.lost.iter().cloned()));
    definition.own = std::iter::once(file).chain(extensions).map(|file| file.id).collect();
    let layers = chain.iter().map(|file| &file.layer).chain(active.iter().flat_map(|a| a.layers.clone()));
    definition.dropped = layers.flat_map(|layer| &layer.drops).filter_map(dropped).collect();
    definition.said = Said::of(&root, chain, &active);
    definition.elsewhere = elsewhere(chain, extensions, &declared);
    Some(definition)
}

/// The name that a path to be taken out ends with.
fn dropped(drop: &Drop) -> Option<Name> {
    Some(Name { text: drop.path.last()?.clone(), span: drop.span })
}

/// Names of rules that need not take part. A game without options has none: there all rules take part,
/// but those that a child replaces, which are not its fault.
fn elsewhere(chain: &[File], extensions: &[File], declared: &[options::Declared]) -> Vec<String> {
    if declared.is_empty() {
        return Vec::new();
    }
    let mut layers: Vec<&Layer> = Vec::new();
    for file in chain.iter().chain(extensions) {
        layers.push(&file.layer);
        for option in &file.options {
            layers.push(&option.layer);
            layers.extend(option.is.iter().map(|(_, _, layer)| layer));
        }
    }
    let entries = layers.into_iter().flat_map(|layer| &layer.entries);
    let mut words: Vec<String> = entries.flat_map(|entry| entry.value.words()).collect();
    words.sort();
    words.dedup();
    words
}

struct Loader<'a> {
    files: &'a dyn Files,
    sources: &'a mut Sources,
    out: &'a mut Diagnostics,
    /// Whether every file is there and is TOML.
    whole: bool,
}

impl Loader<'_> {
    /// The weights beside a file.
    fn weights(&mut self, of: &File) -> Option<Beside> {
        let path = weights_of(&of.asked)?;
        match self.files.read_for(&of.asked, &path) {
            Ok(text) => {
                let text: Arc<str> = text.into();
                Some(Beside { file: self.sources.add(path, Arc::clone(&text)), text })
            }
            Err(FileError::Missing) => None,
            Err(FileError::Unreadable(why)) => {
                let place = Span { file: of.id, start: 0, end: 0 };
                let message = format!("the weights in `{path}` cannot be read: {why}");
                self.out.push(Diagnostic::warning("weights", place, message));
                None
            }
        }
    }

    /// The file of a game and all that it extends, the oldest first.
    fn chain(&mut self, name: &str) -> Vec<File> {
        let mut chain: Vec<File> = Vec::new();
        let mut wanted = name.to_string();
        let mut place: Option<Span> = None;
        loop {
            let child = chain.last().map(|file| file.asked.clone());
            let Some(file) = self.file(&wanted, place.zip(child)) else { break };
            if let Some(span) = file.own.place("for") {
                let named = file.own.text("for");
                match (game_of(&wanted, self.files), named) {
                    (None, Some(named)) => {
                        match inside(&wanted, &named.text) {
                            Err(message) => self.out.push(Diagnostic::error("path", named.span, message).help(
                                "an extension is for a game by its name, or a file in its own folder or below",
                            )),
                            Ok(_) => self.unreadable(&named.text, Some(named.span), FileError::Missing, false),
                        }
                        self.whole = false;
                    }
                    (game, _) => {
                        let game = game.unwrap_or_else(|| "GAME".to_string());
                        let message = format!("`{wanted}` is an extension, not a game");
                        let found = Diagnostic::error("extends", span, message)
                            .help(format!("load it with a game that it is for: `{game} --with {wanted}`"));
                        self.refuse(found);
                    }
                }
            }
            let parent = file.own.text("extends").cloned();
            chain.push(file);
            let Some(parent) = parent else { break };
            let extends = |message| Diagnostic::error("extends", parent.span, message);
            let refused = match inside(&wanted, &parent.text) {
                Err(message) => Diagnostic::error("path", parent.span, message)
                    .help("a file extends a game by its name, or a file in its own folder or below"),
                Ok(path) if chain.iter().any(|file| same(&file.asked, &path)) => {
                    extends(format!("`{}` extends itself in a circle", parent.text))
                }
                Ok(_) if chain.len() >= MAX_EXTENDING_FILES => {
                    extends(format!("more than {MAX_EXTENDING_FILES} files extend each other"))
                }
                Ok(path) => {
                    wanted = path;
                    place = Some(parent.span);
                    continue;
                }
            };
            self.refuse(refused);
            break;
        }
        chain.reverse();
        chain
    }

    /// The extension files that were chosen.
    fn extensions(&mut self, choices: &Choices, chain: &[File]) -> Vec<File> {
        let mut found: Vec<File> = Vec::new();
        for path in choices.files() {
            if found.iter().any(|file| same(&file.asked, path)) {
                continue;
            }
            if found.len() == MAX_EXTENSIONS {
                let message = format!("more than {MAX_EXTENSIONS} extension files");
                self.out.push(options::plain("file", message, "leave some out"));
                break;
            }
            let Some(file) = self.file(path, None) else { continue };
            // Of one for another game all rules may be wrong here: one mistake says it.
            if self.check_for(&file, chain) {
                found.push(file);
            }
        }
        found
    }

    /// Reports why there is no game.
    fn refuse(&mut self, mistake: Diagnostic) {
        self.out.push(mistake);
        self.whole = false;
    }

    /// An extension is for this game or one that it extends; whether it is not known to be for another.
    fn check_for(&mut self, file: &File, chain: &[File]) -> bool {
        let Some(for_) = file.own.text("for") else {
            if file.own.get("for").is_none() {
                let span = Span { file: file.id, start: 0, end: 0 };
                let found = Diagnostic::error("missing-key", span, "the key `for` is missing")
                    .help("an extension says which game it is for");
                self.out.push(found);
            }
            return true;
        };
        let games: Vec<&str> = chain.iter().map(|file| stem(&file.asked)).collect();
        let known = |file: &File| same(&file.asked, &for_.text) || stem(&file.asked) == for_.text;
        let is_for_another = !chain.is_empty() && !chain.iter().any(known);
        if is_for_another {
            let message =
                format!("this extension is for `{}`, not for {}", for_.text, super::overlay::list(&games));
            let found = Diagnostic::error("extends", for_.span, message);
            self.out.push(found.suggest(&for_.text, games));
        }
        !is_for_another
    }

    /// Reads one file. If another file names it, `named` is the place and that file's path. None if there is no
    /// such file, which is reported.
    fn file(&mut self, path: &str, named: Option<(Span, String)>) -> Option<File> {
        let file = self.read(path, named);
        self.whole &= file.is_some();
        file
    }

    fn read(&mut self, path: &str, named: Option<(Span, String)>) -> Option<File> {
        let read = match &named {
            Some((_, from)) => self.files.read_for(from, path),
            None => self.files.read(path),
        };
        let (place, from) = named.unzip();
        let text = match read {
            Ok(text) => text,
            Err(error) => {
                let beside = self.is_beside(path, from.as_deref());
                self.unreadable(path, place, error, beside);
                return None;
            }
        };
        let shown = match options::is_path(path) {
            true => path.to_string(),
            false => format!("{path}.toml"),
        };
        if text.len() > tree::MAX_FILE_BYTES {
            let message =
                format!("`{path}` is larger than {} bytes, the most that is read", tree::MAX_FILE_BYTES);
            self.fault(place, message, "a definition is a page or two".to_string());
            return None;
        }
        let id: FileId = self.sources.add(shown.clone(), text);
        let source = std::sync::Arc::clone(&self.sources.get(id)?.text);
        let before = self.out.0.len();
        let root = tree::parse(&source, id, self.out)?;
        // The rest of a file with mistakes is checked too, without the lines that cannot be read.
        let line = |found: &Diagnostic| self.sources.line_column(found.span()).line;
        let places = self.out.0[before..].iter().flat_map(|found| &found.labels);
        let bad: Vec<usize> = places.map(|label| self.sources.line_column(label.span).line).collect();
        self.whole &= bad.is_empty();
        let mut more = Diagnostics::default();
        let mut file = file::read(id, source, &root, &mut more);
        // A line is counted from the file's beginning, so it is asked only where it matters.
        more.0.retain(|found| bad.is_empty() || !bad.contains(&line(found)));
        // A word of the language that was to be a name is met again wherever it is used.
        let word = |found: &Diagnostic| self.sources.slice(found.span()).to_owned();
        let refused: Vec<String> = more.0.iter().filter(|d| d.code == "reserved-name").map(word).collect();
        more.0.retain(|found| found.code != "syntax" || !refused.contains(&word(found)));
        self.out.append(more);
        (file.shown, file.asked) = (shown, path.to_string());
        Some(file)
    }

    /// Whether a word that is no path is the name of a file: beside the file that has the word, or where the program
    /// runs.
    fn is_beside(&self, word: &str, from: Option<&str>) -> bool {
        let path = format!("./{word}.toml");
        let read = match from {
            _ if options::is_path(word) => return false,
            None => self.files.read(&path),
            Some(from) => match inside(from, &path) {
                Ok(path) => self.files.read_for(from, &path),
                Err(_) => return false,
            },
        };
        read.is_ok()
    }

    fn unreadable(&mut self, path: &str, place: Option<Span>, error: FileError, beside: bool) {
        let names = self.files.names();
        match error {
            FileError::Missing => {
                let message = format!("there is no game or file `{path}`");
                let near = nearest(path, names.iter().map(String::as_str));
                let help = match near {
                    _ if beside => format!("a file is named by its path: did you mean `./{path}.toml`?"),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "a file is named by its path, such as `./my-game.toml`".to_string(),
                };
                self.fault(place, message, help);
            }
            FileError::Unreadable(why) => {
                let message = format!("`{path}` cannot be read: {why}");
                self.fault(place, message, "a definition is a file with a text in UTF-8".to_string());
            }
        }
    }

    fn fault(&mut self, place: Option<Span>, message: String, help: String) {
        match place {
            Some(span) => self.out.push(Diagnostic::error("file", span, message).help(help)),
            None => self.out.push(options::plain("file", message, help)),
        }
    }
}

/// The path of a file that another one names: a bare name is a game's, anything else lies in the
/// folder of the file that names it, or below.
fn inside(from: &str, path: &str) -> Result<String, String> {
    let outside = || format!("`{path}` leads out of the folder");
    if path.is_empty() {
        return Err("this path is empty".to_string());
    }
    if path.contains(char::is_control) {
        return Err("no file can have this name".to_string());
    }
    if path.starts_with(['/', '\\', '~']) || path.contains([':', '\\']) {
        return Err(outside());
    }
    if path.split('/').any(|part| part == "..") {
        return Err(outside());
    }
    if !options::is_path(path) {
        return Ok(path.to_string());
    }
    let plain = path.strip_prefix("./").unwrap_or(path);
    Ok(match from.rfind(std::path::is_separator) {
        Some(slash) => format!("{}/{plain}", &from[..slash]),
        None => path.to_string(),
    })
}

/// Whether two paths name one file.
fn same(a: &str, b: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.split('/').filter(|part| *part != "." && !part.is_empty());
        parts.map(str::to_string).collect()
    };
    parts(a) == parts(b)
}
