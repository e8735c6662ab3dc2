//! `farrier describe`

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::load::{self, ChoiceArgs};
use super::{Done, Exit, Format, text};
use crate::definition::{DecisionDef, Definition, Param, Part, PerPlayer, Rule, TemplatePart, TraitValue};
use crate::game::Game;
use crate::program;
use crate::syntax::ast::Name;
use crate::wording::distinct;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    #[command(flatten)]
    choices: ChoiceArgs,
}

/// Describes the meaning of a definition once its options are chosen.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let title = &game.definition.title;
    let Described { named, decisions, turn, listing } = Described::of(&game);
    if format == Format::Json {
        let keys = |rows: Vec<Row>| rows.into_iter().map(|row| (row.key, json!(row.rule)));
        let decisions = decisions.into_iter().map(|decision| {
            let mut row = Map::from_iter([("name".to_owned(), json!(decision.name))]);
            row.extend(keys(decision.rules));
            row.insert("chance".to_owned(), json!(decision.chance));
            Value::Object(row)
        });
        let named = named
            .into_iter()
            .map(|Section { name, rows }| (name.to_owned(), keys(rows).collect::<Map<_, _>>().into()));
        let shown = json!({
            "name": game.name,
            "title": title,
            "named": named.collect::<Map<_, _>>(),
            "decisions": decisions.collect::<Vec<_>>(),
            "turn": keys(turn).collect::<Map<_, _>>(),
            "options": load::all_options_json(&game),
            "listing": listing,
        });
        writeln!(out, "{shown}")?;
        return Ok(Exit::Fine);
    }
    writeln!(out, "{}", text::plain(title))?;
    for Section { name, rows } in named.iter().filter(|section| !section.rows.is_empty()) {
        writeln!(out, "\n{}\n", name.to_uppercase())?;
        told(rows, out)?;
    }
    writeln!(out, "\nDECISIONS")?;
    for decision in &decisions {
        let chance = if decision.chance { " (by chance)" } else { "" };
        writeln!(out, "\n  {}{chance}", text::plain(&decision.name))?;
        told(&decision.rules, out)?;
    }
    writeln!(out, "\nTURN\n")?;
    told(&turn, out)?;
    if let Some(table) = load::options_table(&game) {
        writeln!(out, "\nOPTIONS\n\n{table}")?;
    }
    writeln!(out, "\nPROGRAM\n\n{}", text::plain(&listing))?;
    Ok(Exit::Fine)
}

/// The meaning of a game once its options are chosen.
#[derive(Serialize)]
pub(super) struct Described {
    /// What has a name that rules use: pieces, relations, definitions, effects.
    pub named: Vec<Section>,
    pub decisions: Vec<Decision>,
    /// The course of turns, the ends and the score.
    pub turn: Vec<Row>,
    /// The program that is run.
    pub listing: String,
}

/// The rules of a table of the definition.
#[derive(Serialize)]
pub(super) struct Section {
    pub name: &'static str,
    pub rows: Vec<Row>,
}

#[derive(Serialize)]
pub(super) struct Decision {
    pub name: String,
    /// Whether chance decides.
    pub chance: bool,
    pub rules: Vec<Row>,
}

/// A rule.
#[derive(Serialize)]
pub(super) struct Row {
    pub key: String,
    pub rule: String,
    /// The options and files that changed it.
    pub by: Vec<String>,
}

impl Described {
    pub(super) fn of(game: &Game) -> Described {
        let def = &game.definition;
        let decision =
            |d: &DecisionDef| Decision { name: d.name.text.clone(), chance: d.chance, rules: rules(def, d) };
        Described {
            named: named(def),
            decisions: def.decisions.iter().map(decision).collect(),
            turn: turn(game),
            listing: program::listing(&game.program).to_string(),
        }
    }
}

fn told(rows: &[Row], out: &mut dyn Write) -> std::io::Result<()> {
    let wide = rows.iter().map(|row| row.key.len()).max().unwrap_or(0);
    for Row { key, rule, by } in rows {
        let by = if by.is_empty() { String::new() } else { format!("   # {}", by.join(", ")) };
        writeln!(out, "    {key:wide$}  {}", text::plain(&format!("{rule}{by}")))?;
    }
    Ok(())
}

fn row<T: std::fmt::Display>(def: &Definition, key: &str, rule: &Rule<T>) -> Row {
    Row { key: key.to_owned(), rule: rule.tree.to_string(), by: origins(def, &rule.parts) }
}

/// The options and files that changed a rule.
fn origins(def: &Definition, parts: &[Part]) -> Vec<String> {
    let origins = parts.iter().filter_map(|p| def.origins.get(p.origin));
    distinct(origins.filter(|origin| origin.option.is_some()).map(|origin| origin.name.clone()))
}

/// The tables of names. A pattern is told as the walks that it means, whatever notation it was written in.
fn named(def: &Definition) -> Vec<Section> {
    let plain = |key: String, rule: String| Row { key, rule, by: Vec::new() };
    let mut pieces = Vec::new();
    for piece in &def.pieces {
        for (name, value) in &piece.traits {
            let key = format!("{} {}", piece.name.text, name.text);
            pieces.push(match value {
                TraitValue::Pattern(rule) => row(def, &key, rule),
                TraitValue::Group(is_in, _) => plain(key, is_in.to_string()),
                TraitValue::Int(number, _) => plain(key, number.to_string()),
                TraitValue::Kind(kind) => plain(key, kind.text.clone()),
            });
        }
    }
    let mut defines = Vec::new();
    for define in &def.defines {
        let key = head(&define.name, &define.params);
        match &define.body {
            PerPlayer::All(rule) => defines.push(row(def, &key, rule)),
            PerPlayer::Each(rules) => {
                let each = def.players.iter().zip(rules);
                defines
                    .extend(each.map(|(player, rule)| row(def, &format!("{key} of {}", player.text), rule)));
            }
        }
    }
    let relations = def.relations.iter().map(|r| row(def, &head(&r.name, &r.params), &r.body));
    let effects = def.effects.iter().map(|e| row(def, &head(&e.name, &e.params), &e.body));
    vec![
        Section { name: "pieces", rows: pieces },
        Section { name: "relations", rows: relations.collect() },
        Section { name: "definitions", rows: defines },
        Section { name: "effects", rows: effects.collect() },
    ]
}

/// A name with its parameters.
fn head(name: &Name, params: &[Param]) -> String {
    let param = |p: &Param| match &p.ty {
        Some(ty) => format!("{}: {}", p.name.text, ty.text),
        None => p.name.text.clone(),
    };
    match params {
        [] => name.text.clone(),
        _ => format!("{}({})", name.text, params.iter().map(param).collect::<Vec<_>>().join(", ")),
    }
}

fn rules(def: &Definition, d: &DecisionDef) -> Vec<Row> {
    let mut out = Vec::new();
    out.extend(d.when.as_ref().map(|r| row(def, "when", r)));
    out.extend(d.choose.as_ref().map(|r| row(def, "choose", r)));
    out.extend(d.lets.iter().map(|(name, r)| row(def, &format!("let {}", name.text), r)));
    out.extend(d.where_.as_ref().map(|r| row(def, "where", r)));
    out.extend(d.effects.as_ref().map(|r| row(def, "do", r)));
    out.extend(d.keeps.as_ref().map(|r| row(def, "keeps", r)));
    out.extend((!d.repeats).then(|| Row {
        key: "repeats".to_owned(),
        rule: "false".to_owned(),
        by: Vec::new(),
    }));
    out.extend(d.weight.as_ref().map(|r| row(def, "weight", r)));
    for (key, template) in [("text", &d.text), ("joined", &d.joined)] {
        let Some(template) = template else { continue };
        let part = |p: &TemplatePart| match p {
            TemplatePart::Literal(t) => t.clone(),
            TemplatePart::Field { name, .. } => format!("{{{}}}", name.text),
        };
        let text: String = template.parts.iter().map(part).collect();
        out.push(Row { key: key.to_owned(), rule: text, by: Vec::new() });
    }
    out
}

fn turn(game: &Game) -> Vec<Row> {
    let def = &game.definition;
    let turn = &def.turn;
    let mut out = Vec::new();
    out.extend(game.teams().map(|teams| Row { key: "teams".to_owned(), rule: teams, by: Vec::new() }));
    out.extend(turn.opening.iter().map(|r| row(def, "opening", r)));
    out.extend(turn.main.as_ref().map(|r| row(def, "main", r)));
    out.extend(def.flows.iter().map(|(name, r)| row(def, &format!("flow {}", name.text), r)));
    out.extend(turn.finish.as_ref().map(|r| row(def, "finish", r)));
    out.extend(turn.skip.as_ref().map(|r| row(def, "skip", r)));
    out.extend(turn.stuck.as_ref().map(|r| row(def, "stuck", r)));
    for end in &def.ends {
        let Row { key, rule: when, by } = row(def, &format!("end {}", end.name.text), &end.when);
        let by = distinct(by.into_iter().chain(origins(def, &end.result.parts)));
        out.push(Row { key, rule: format!("{} if {when}", end.result.tree), by });
    }
    out.extend(def.score.as_ref().map(|r| row(def, "score", r)));
    out
}
