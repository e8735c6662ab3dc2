//! Options: those that a game declares, their chosen values, their combinations.

use super::file::{File, OptionRow};
use super::model::{OptionDef, OptionKind, OptionValue, Text};
use super::overlay::{Layer, list};
use super::value::Held;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::syntax::ast::Name;

/// The most options that a game may have.
const MAX_OPTIONS: usize = 256;

/// The most options that may be chosen at once.
const MAX_CHOICES: usize = 1024;

/// The options to load a game with. All other options have their defaults.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Choices {
    /// Options that are on or off, to be on; and paths of extension files.
    pub with: Vec<String>,
    /// Options that are on or off, to be off.
    pub without: Vec<String>,
    /// Options and their values.
    pub set: Vec<(String, String)>,
}

impl Choices {
    /// Whether everything is left as it is.
    pub fn is_default(&self) -> bool {
        *self == Choices::default()
    }

    /// Whether others say all that these say.
    pub fn is_within(&self, other: &Choices) -> bool {
        self.with.iter().all(|w| other.with.contains(w))
            && self.without.iter().all(|w| other.without.contains(w))
            && self.set.iter().all(|s| other.set.contains(s))
    }

    /// How people say them; none for the defaults.
    pub fn told(&self) -> Option<String> {
        let mut on = self.with.clone();
        on.extend(self.set.iter().map(|(name, value)| format!("{name} = {value}")));
        let mut parts = Vec::new();
        if !on.is_empty() {
            parts.push(format!("with {}", on.join(", ")));
        }
        if !self.without.is_empty() {
            parts.push(format!("without {}", self.without.join(", ")));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The extension files among `with`.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.with.iter().map(String::as_str).filter(|w| is_path(w))
    }
}

/// Whether a word of `with` is the path of an extension file, not the name of an option.
pub(super) fn is_path(word: &str) -> bool {
    word.ends_with(".toml") || word.contains(['/', '\\'])
}

/// The last part of a path without `.toml`.
pub(super) fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.strip_suffix(".toml").unwrap_or(file)
}

/// An option with the overlays of all files that declare it.
#[derive(Clone, Debug)]
pub(super) struct Declared<'a> {
    /// Its definition.
    pub def: OptionDef,
    /// Options that it overrules.
    pub over: Vec<Name>,
    /// The rows that declare it, a parent's first.
    rows: Vec<&'a OptionRow>,
    /// The extension file that it is.
    extension: Option<&'a File>,
}

impl<'a> Declared<'a> {
    /// The overlays that take part, given the option's value.
    pub fn layers(&self) -> Vec<&'a Layer> {
        let on = self.def.value == OptionValue::Flag(true);
        if let Some(file) = self.extension {
            return if on { vec![&file.layer] } else { Vec::new() };
        }
        let mut layers = Vec::new();
        for row in &self.rows {
            if on {
                layers.push(&row.layer);
            }
            let of_value = row.is.iter().filter(|(v, _, _)| *v == self.def.value);
            layers.extend(of_value.map(|(_, _, layer)| layer));
        }
        layers
    }

    /// For people: `option a`, `option b = c`, `my.toml`.
    pub fn origin(&self) -> String {
        match (&self.extension, &self.def.value) {
            (Some(file), _) => file.shown.clone(),
            (None, OptionValue::Flag(true)) => format!("option {}", self.def.name.text),
            (None, value) => format!("option {} = {}", self.def.name.text, print(value)),
        }
    }
}

/// A value as files write it: flags are `true` and `false`.
pub(super) fn print(value: &OptionValue) -> String {
    match value {
        OptionValue::Flag(on) => on.to_string(),
        other => other.to_string(),
    }
}

/// Whether an option counts as on: a flag that is set, or a value that is not the default.
fn is_on(option: &OptionDef, value: &OptionValue) -> bool {
    match value {
        OptionValue::Flag(value) => *value,
        _ => *value != option.default,
    }
}

/// All options of the chain of files, the oldest first, then of the extensions by name.
pub(super) fn declare<'a>(
    files: &'a [File],
    extensions: &'a [File],
    out: &mut Diagnostics,
) -> Vec<Declared<'a>> {
    let mut rows: Vec<(Name, Vec<&OptionRow>)> = Vec::new();
    for file in files {
        for drop in &file.layer.drops {
            let [first, name] = &drop.path[..] else { continue };
            if first != "options" {
                continue;
            }
            let before = rows.len();
            rows.retain(|(known, _)| known.text != *name);
            if rows.len() == before {
                let message = format!("there is no option `{name}` to be dropped");
                let known = rows.iter().map(|(name, _)| name.text.as_str());
                let found = Diagnostic::error("unknown-drop", drop.span, message);
                out.push(found.suggest(name, known));
            }
        }
        for row in &file.options {
            match rows.iter_mut().find(|(name, _)| name.text == row.name.text) {
                Some((_, known)) => known.push(row),
                None => rows.push((row.name.clone(), vec![row])),
            }
        }
    }
    if let Some((name, _)) = rows.get(MAX_OPTIONS) {
        let message = format!("a game has at most {MAX_OPTIONS} options");
        out.push(Diagnostic::error("too-large", name.span, message));
        rows.truncate(MAX_OPTIONS);
    }
    let mut found: Vec<Declared<'a>> = Vec::new();
    for (name, rows) in rows {
        found.push(option(name, rows, out));
    }
    let mut sorted: Vec<&File> = extensions.iter().collect();
    sorted.sort_by_key(|file| stem(&file.asked));
    for file in sorted {
        let name = stem(&file.asked).to_string();
        let span = file.own.place("for").unwrap_or(file.own.span);
        if let Some(other) = found.iter().find(|other| other.def.name.text == name) {
            let message = format!("there is an option `{name}` already");
            let found = Diagnostic::error("double-name", span, message)
                .and(other.def.name.span, "it is declared here")
                .help("an extension is called by its file's name: give the file another one");
            out.push(found);
            continue;
        }
        found.push(extension(file, name, span, out));
    }
    check_names(&found, out);
    check_over(&found, out);
    found
}

fn option<'a>(name: Name, rows: Vec<&'a OptionRow>, out: &mut Diagnostics) -> Declared<'a> {
    // A child's row replaces its parent's, key by key.
    let last = |key: &str| rows.iter().rev().find_map(|row| row.own.get(key));
    let values = last("values").and_then(Vec::<(OptionValue, Span)>::of);
    let range = last("range").and_then(<(i32, i32)>::of);
    if last("values").is_some() && last("range").is_some() {
        let message = format!("option `{}` has either `values` or a `range`", name.text);
        out.push(Diagnostic::error("option", name.span, message));
    }
    let kind = match (range, values) {
        (Some((lo, hi)), _) => OptionKind::Range(*lo, *hi),
        (None, Some(values)) => values_kind(values, out),
        (None, None) => OptionKind::Flag,
    };
    // Values that could not be read may be any.
    let unread = kind == OptionKind::Flag && (last("values").is_some() || last("range").is_some());
    let fits = |value: &OptionValue| unread || holds(&kind, value);
    let first = match &kind {
        OptionKind::Flag => OptionValue::Flag(false),
        OptionKind::Words(words) => {
            words.first().map_or(OptionValue::Flag(false), |w| OptionValue::Word(w.clone()))
        }
        OptionKind::Numbers(numbers) => OptionValue::Number(numbers.first().copied().unwrap_or(0)),
        OptionKind::Range(lo, _) => OptionValue::Number(*lo),
    };
    let default = last("default").and_then(Vec::<(OptionValue, Span)>::of);
    let default = match default.and_then(|values| values.first()) {
        Some((value, _)) if fits(value) => value.clone(),
        Some((value, span)) => {
            let message = format!("`{}` is no value of this option", print(value));
            out.push(Diagnostic::error("option", *span, message).help(known(&kind)));
            first
        }
        None => first,
    };
    for row in &rows {
        for (value, span, _) in &row.is {
            if !fits(value) {
                let message = format!("`{}` is no value of option `{}`", print(value), name.text);
                out.push(Diagnostic::error("option", *span, message).help(known(&kind)));
            }
        }
        let entry = row.layer.entries.first().map(|entry| entry.span);
        let place = entry.or(row.layer.drops.first().map(|drop| drop.span));
        if let Some(place) = place.filter(|_| kind != OptionKind::Flag) {
            let message = format!(
                "option `{}` has values: what each of them changes stands in `[options.{}.is.VALUE]`",
                name.text, name.text
            );
            out.push(Diagnostic::error("option", place, message));
        }
    }
    let names = |key: &str| last(key).and_then(Vec::<Name>::of).cloned().unwrap_or_default();
    let def = OptionDef {
        summary: last("summary").and_then(Text::of).map(|text| text.text.clone()).unwrap_or_default(),
        kind,
        value: default.clone(),
        default,
        requires: names("requires"),
        conflicts: names("conflicts"),
        extension: None,
        name,
    };
    Declared { def, over: names("over"), rows, extension: None }
}

fn extension<'a>(file: &'a File, text: String, span: Span, out: &mut Diagnostics) -> Declared<'a> {
    if let Err(diagnostic) = super::names::check(&text, span, "an option") {
        let help = "an extension is called by its file's name: give the file another one";
        out.push(diagnostic.help(help));
    }
    for option in &file.options {
        let message = "an extension has no options of its own";
        let found = Diagnostic::error("option", option.name.span, message).help("write two extension files");
        out.push(found);
    }
    let def = OptionDef {
        name: Name { text, span },
        summary: file.own.text("summary").map(|text| text.text.clone()).unwrap_or_default(),
        kind: OptionKind::Flag,
        default: OptionValue::Flag(false),
        value: OptionValue::Flag(true),
        requires: file.own.names("requires").to_vec(),
        conflicts: file.own.names("conflicts").to_vec(),
        extension: Some(file.asked.clone()),
    };
    Declared { def, over: file.own.names("over").to_vec(), rows: Vec::new(), extension: Some(file) }
}

fn values_kind(values: &[(OptionValue, Span)], out: &mut Diagnostics) -> OptionKind {
    let (mut words, mut numbers) = (Vec::new(), Vec::new());
    for (value, span) in values {
        let double = match value {
            OptionValue::Word(word) if numbers.is_empty() => {
                let double = words.contains(word);
                words.push(word.clone());
                double
            }
            OptionValue::Number(number) if words.is_empty() => {
                let double = numbers.contains(number);
                numbers.push(*number);
                double
            }
            _ => {
                let message = "the values of an option are all words or all integers";
                out.push(Diagnostic::error("option", *span, message));
                continue;
            }
        };
        if double {
            let message = format!("`{}` is a value already", print(value));
            out.push(Diagnostic::error("option", *span, message));
        }
    }
    match (words.is_empty(), numbers.is_empty()) {
        (false, _) => OptionKind::Words(words),
        (true, false) => OptionKind::Numbers(numbers),
        // None could be read.
        (true, true) => OptionKind::Flag,
    }
}

/// Whether a value is one of an option's.
pub(super) fn holds(kind: &OptionKind, value: &OptionValue) -> bool {
    match (kind, value) {
        (OptionKind::Flag, OptionValue::Flag(_)) => true,
        (OptionKind::Words(words), OptionValue::Word(word)) => words.contains(word),
        (OptionKind::Numbers(numbers), OptionValue::Number(number)) => numbers.contains(number),
        (OptionKind::Range(lo, hi), OptionValue::Number(number)) => (lo..=hi).contains(&number),
        _ => false,
    }
}

/// For people: which values an option has.
pub(super) fn known(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Flag => "it is on or off: `true` or `false`".to_string(),
        OptionKind::Words(words) => {
            format!("its values are {}", list(words))
        }
        OptionKind::Numbers(numbers) => {
            let words: Vec<String> = numbers.iter().map(i32::to_string).collect();
            format!("its values are {}", list(&words))
        }
        OptionKind::Range(lo, hi) => format!("its values are {lo} to {hi}"),
    }
}

/// `requires`, `conflicts` and `over` name options that exist.
fn check_names(options: &[Declared<'_>], out: &mut Diagnostics) {
    for option in options {
        // An extension may speak of one that was not given.
        let lax = option.extension.is_some();
        let others = option.def.conflicts.iter().chain(&option.over);
        let names = option.def.requires.iter();
        for name in names.chain(others.filter(|_| !lax)) {
            if name.text == option.def.name.text {
                let message = format!("option `{}` speaks of itself here", name.text);
                let help = "leave it out: `requires`, `conflicts` and `over` speak of other options";
                out.push(Diagnostic::error("option", name.span, message).help(help));
            } else if !options.iter().any(|o| o.def.name.text == name.text) {
                out.push(unknown_option(name, options.iter().map(|o| &o.def.name)));
            }
        }
    }
}

/// No two options are `over` each other.
fn check_over(options: &[Declared<'_>], out: &mut Diagnostics) {
    for (at, one) in options.iter().enumerate() {
        for other in &options[at + 1..] {
            let says = |a: &Declared<'_>, b: &Declared<'_>| -> Option<Span> {
                a.over.iter().find(|name| name.text == b.def.name.text).map(|name| name.span)
            };
            if let Some(first) = says(one, other)
                && let Some(second) = says(other, one)
            {
                let [a, b] = [one, other].map(|option| &option.def.name.text);
                let message = format!("options `{a}` and `{b}` are over each other");
                let found = Diagnostic::error("option", second, message)
                    .here(format!("`{b}` is over `{a}`"))
                    .and(first, format!("`{a}` is over `{b}`"))
                    .help("leave out one of the two: the option that keeps its `over` overrules the other");
                out.push(found);
            }
        }
    }
}

/// The mistake that there is no option of a name.
pub(super) fn unknown_option<'a>(name: &Name, known: impl Iterator<Item = &'a Name>) -> Diagnostic {
    let message = format!("there is no option `{name}`");
    let found = Diagnostic::error("unknown-option", name.span, message);
    found.suggest(&name.text, known.map(|name| name.text.as_str()))
}

/// An error without a place: the command line was at fault.
pub(super) fn plain(code: &'static str, message: String, help: impl Into<String>) -> Diagnostic {
    let found = Diagnostic::error(code, Span::default(), message).help(help);
    Diagnostic { labels: Vec::new(), ..found }
}

/// Gives every option its chosen value, and checks `requires` and `conflicts`.
pub(super) fn choose(options: &mut [Declared<'_>], choices: &Choices, out: &mut Diagnostics) {
    let mut said: Vec<(usize, OptionValue)> = Vec::new();
    let mut wanted: Vec<(&str, Option<&str>, bool)> = Vec::new();
    let names = choices.with.iter().filter(|word| !is_path(word));
    wanted.extend(names.map(|name| (name.as_str(), None, true)));
    wanted.extend(choices.without.iter().map(|n| (n.as_str(), None, false)));
    wanted.extend(choices.set.iter().map(|(n, v)| (n.as_str(), Some(v.as_str()), true)));
    if wanted.len() > MAX_CHOICES {
        let message = format!("{} options are chosen, more than {MAX_CHOICES}", wanted.len());
        out.push(plain("option", message, "leave some out"));
        wanted.truncate(MAX_CHOICES);
    }
    for (name, value, on) in wanted {
        let Some(at) = options.iter().position(|o| o.def.name.text == name) else {
            out.push(unknown(name, options));
            continue;
        };
        let kind = &options[at].def.kind;
        let value = match (value, kind) {
            (Some(value), kind) => match read(value, kind) {
                Some(value) => value,
                None => {
                    let message = format!("`{value}` is no value of option `{name}`");
                    out.push(plain("option", message, known(kind)));
                    continue;
                }
            },
            (None, OptionKind::Flag) => OptionValue::Flag(on),
            (None, kind) => {
                let message = format!("option `{name}` is not just on or off");
                let help = format!("say `--set {name}=VALUE`: {}", known(kind));
                out.push(plain("option", message, help));
                continue;
            }
        };
        if let Some((_, other)) = said.iter().find(|(i, other)| *i == at && *other != value) {
            let message =
                format!("option `{name}` is set twice, to `{}` and to `{}`", print(other), print(&value));
            out.push(plain("option", message, "choose one"));
            continue;
        }
        said.push((at, value));
    }
    for (at, value) in said {
        options[at].def.value = value;
    }
    let defs: Vec<OptionDef> = options.iter().map(|o| o.def.clone()).collect();
    let values: Vec<OptionValue> = defs.iter().map(|def| def.value.clone()).collect();
    for broken in violations(&defs, &values) {
        let text = if broken.requires { "requires" } else { "conflicts with" };
        // An option with values is on while it is not at its default.
        let valued =
            defs.iter().find(|def| def.name.text == broken.other.text && def.kind != OptionKind::Flag);
        let help = match (broken.requires, valued) {
            (true, None) => "turn it on too, or leave the first one out".to_owned(),
            (false, None) => "turn one of them off".to_owned(),
            (true, Some(OptionDef { name, kind, .. })) => {
                format!(
                    "say `--set {}=VALUE`, with another value than its default: {}",
                    name.text,
                    known(kind)
                )
            }
            (false, Some(OptionDef { name, default, .. })) => {
                format!(
                    "turn the first one off, or leave `{}` at its default, `{}`",
                    name.text,
                    print(default)
                )
            }
        };
        let message = format!("option `{}` {text} `{}`", broken.option.text, broken.other.text);
        out.push(Diagnostic::error("option", broken.other.span, message).help(help));
    }
}

fn unknown(name: &str, options: &[Declared<'_>]) -> Diagnostic {
    let known: Vec<&str> = options.iter().map(|o| o.def.name.text.as_str()).collect();
    let message = format!("there is no option `{name}`");
    if let Some((option, value)) = name.split_once('=').filter(|(option, _)| known.contains(option)) {
        return plain("unknown-option", message, format!("a value is set by `--set {option}={value}`"));
    }
    let all = match known[..] {
        [] => "this game has no options".to_string(),
        _ => format!("the options are {}", list(&known).replace(" or ", " and ")),
    };
    match crate::diagnostic::nearest(name, known) {
        Some(near) => plain("unknown-option", message, format!("did you mean `{near}`? {all}")),
        None => {
            plain("unknown-option", message, format!("{all}; a file is named by its path: `./{name}.toml`"))
        }
    }
}

fn read(text: &str, kind: &OptionKind) -> Option<OptionValue> {
    let value = match kind {
        OptionKind::Flag => match text {
            "true" | "on" => OptionValue::Flag(true),
            "false" | "off" => OptionValue::Flag(false),
            _ => return None,
        },
        OptionKind::Words(_) => OptionValue::Word(text.to_string()),
        OptionKind::Numbers(_) | OptionKind::Range(..) => OptionValue::Number(text.parse().ok()?),
    };
    holds(kind, &value).then_some(value)
}

/// An option that is on against its own `requires` or `conflicts`.
struct Violation<'a> {
    option: &'a Name,
    other: &'a Name,
    requires: bool,
}

fn violations<'a>(defs: &'a [OptionDef], values: &[OptionValue]) -> Vec<Violation<'a>> {
    let on = |name: &Name| {
        let mut all = defs.iter().zip(values);
        all.any(|(def, value)| def.name.text == name.text && is_on(def, value))
    };
    let mut found = Vec::new();
    for (def, value) in defs.iter().zip(values) {
        if !is_on(def, value) {
            continue;
        }
        let option = &def.name;
        for (names, requires) in [(&def.requires, true), (&def.conflicts, false)] {
            let broken = names.iter().filter(|name| on(name) != requires);
            found.extend(broken.map(|other| Violation { option, other, requires }));
        }
    }
    found
}

/// At most so many of the combinations that `check` loads, and how many there are besides: the defaults, every
/// option alone in each of its values (both ends of a range), all options at once, and every pair. Combinations that
/// `requires` or `conflicts` forbid are left out. Pairs are in such an order that the first of them have all options.
pub fn combinations(options: &[OptionDef], most: usize) -> (Vec<Choices>, usize) {
    let other = |option: &OptionDef| -> Vec<OptionValue> {
        let mut values = match &option.kind {
            OptionKind::Flag => vec![OptionValue::Flag(false), OptionValue::Flag(true)],
            OptionKind::Words(words) => words.iter().cloned().map(OptionValue::Word).collect(),
            OptionKind::Numbers(all) => all.iter().copied().map(OptionValue::Number).collect(),
            OptionKind::Range(lo, hi) => vec![OptionValue::Number(*lo), OptionValue::Number(*hi)],
        };
        values.dedup();
        values.retain(|value| *value != option.default);
        values
    };
    let alone: Vec<(usize, OptionValue)> = options
        .iter()
        .enumerate()
        .flat_map(|(i, option)| other(option).into_iter().map(move |value| (i, value)))
        .collect();
    let n = alone.len();
    let first = |k: &usize| *k == 0 || alone[k - 1].0 != alone[*k].0;
    let all: Option<Vec<usize>> = (options.len() > 2).then(|| (0..n).filter(first).collect());
    let single = (0..n).map(|k| vec![k]);
    let pairs = (1..n).flat_map(|by| (by..n).map(move |k| vec![k - by, k]));
    let pairs = pairs.filter(|pair| alone[pair[0]].0 != alone[pair[1]].0);
    let mut found = vec![Choices::default()];
    let mut left_out = 0;
    for settings in single.chain(all).chain(pairs) {
        if found.len() >= most {
            left_out += 1;
            continue;
        }
        let mut values: Vec<OptionValue> = options.iter().map(|o| o.default.clone()).collect();
        for k in &settings {
            values[alone[*k].0] = alone[*k].1.clone();
        }
        if violations(options, &values).is_empty() {
            let choices = settings.iter().map(|k| (&options[alone[*k].0], &alone[*k].1));
            found.push(chosen(choices));
        }
    }
    (found, left_out)
}

fn chosen<'a>(values: impl Iterator<Item = (&'a OptionDef, &'a OptionValue)>) -> Choices {
    let mut choices = Choices::default();
    for (option, value) in values {
        let name = option.extension.as_ref().unwrap_or(&option.name.text);
        match value {
            OptionValue::Flag(true) => choices.with.push(name.clone()),
            OptionValue::Flag(false) => choices.without.push(option.name.text.clone()),
            value => choices.set.push((option.name.text.clone(), print(value))),
        }
    }
    choices
}
