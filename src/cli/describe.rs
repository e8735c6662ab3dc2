//! `farrier describe`

use std::io::Write;

use serde_json::{Map, Value, json};

use super::load::{self, ChoiceArgs};
use super::{Done, Exit, Format, text};
use crate::definition::{DecisionDef, Definition, Part, Rule, TemplatePart};
use crate::game::Game;
use crate::program;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    #[command(flatten)]
    choices: ChoiceArgs,
}

/// Describes what a definition means once its options are chosen.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let def = &game.definition;
    if format == Format::Json {
        let decisions: Vec<Value> = def
            .decisions
            .iter()
            .map(|d| {
                let mut row = Map::from_iter([("name".to_owned(), json!(d.name.text))]);
                row.extend(rules(def, d).into_iter().map(|(key, rule, _)| (key, json!(rule))));
                row.insert("chance".to_owned(), json!(d.chance));
                Value::Object(row)
            })
            .collect();
        let shown = json!({
            "name": game.name,
            "title": def.title,
            "decisions": decisions,
            "turn": turn(&game).into_iter().map(|(k, r, _)| (k, json!(r))).collect::<Map<_, _>>(),
            "options": load::all_options_json(&game),
            "listing": program::listing(&game.program).to_string(),
        });
        writeln!(out, "{shown}")?;
        return Ok(Exit::Fine);
    }
    writeln!(out, "{}\n\nDECISIONS", text::plain(&def.title))?;
    for d in &def.decisions {
        let chance = if d.chance { " (by chance)" } else { "" };
        writeln!(out, "\n  {}{chance}", text::plain(&d.name.text))?;
        told(rules(def, d), out)?;
    }
    writeln!(out, "\nTURN\n")?;
    told(turn(&game), out)?;
    if let Some(table) = load::options_table(&game) {
        writeln!(out, "\nOPTIONS\n\n{table}")?;
    }
    writeln!(out, "\nPROGRAM\n\n{}", text::plain(&program::listing(&game.program).to_string()))?;
    Ok(Exit::Fine)
}

/// A key, its rule, and the options and files that changed it.
type Row = (String, String, Vec<String>);

fn told(rows: Vec<Row>, out: &mut dyn Write) -> std::io::Result<()> {
    let wide = rows.iter().map(|(key, ..)| key.len()).max().unwrap_or(0);
    for (key, rule, origins) in rows {
        let by = if origins.is_empty() { String::new() } else { format!("   # {}", origins.join(", ")) };
        writeln!(out, "    {key:wide$}  {}", text::plain(&format!("{rule}{by}")))?;
    }
    Ok(())
}

fn row<T: std::fmt::Display>(def: &Definition, key: &str, rule: &Rule<T>) -> Row {
    (key.to_owned(), rule.tree.to_string(), origins(def, &rule.parts))
}

/// Who took part in a rule besides the file itself.
fn origins(def: &Definition, parts: &[Part]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for origin in parts.iter().filter_map(|p| def.origins.get(p.origin)) {
        if origin.option.is_some() && !out.contains(&origin.name) {
            out.push(origin.name.clone());
        }
    }
    out
}

fn rules(def: &Definition, d: &DecisionDef) -> Vec<Row> {
    let mut out = Vec::new();
    out.extend(d.when.as_ref().map(|r| row(def, "when", r)));
    out.extend(d.choose.as_ref().map(|r| row(def, "choose", r)));
    out.extend(d.lets.iter().map(|(name, r)| row(def, &format!("let {}", name.text), r)));
    out.extend(d.where_.as_ref().map(|r| row(def, "where", r)));
    out.extend(d.effects.as_ref().map(|r| row(def, "do", r)));
    out.extend(d.keeps.as_ref().map(|r| row(def, "keeps", r)));
    out.extend(d.weight.as_ref().map(|r| row(def, "weight", r)));
    out.extend(d.text.as_ref().map(|template| {
        let part = |p: &TemplatePart| match p {
            TemplatePart::Literal(t) => t.clone(),
            TemplatePart::Field { name, .. } => format!("{{{}}}", name.text),
        };
        let text: String = template.parts.iter().map(part).collect();
        ("text".to_owned(), text, Vec::new())
    }));
    out
}

fn turn(game: &Game) -> Vec<Row> {
    let def = &game.definition;
    let turn = &def.turn;
    let mut out = Vec::new();
    out.extend(turn.opening.iter().map(|r| row(def, "opening", r)));
    out.extend(turn.main.as_ref().map(|r| row(def, "main", r)));
    out.extend(def.flows.iter().map(|(name, r)| row(def, &format!("flow {}", name.text), r)));
    out.extend(turn.finish.as_ref().map(|r| row(def, "finish", r)));
    out.extend(turn.skip.as_ref().map(|r| row(def, "skip", r)));
    out.extend(turn.stuck.as_ref().map(|r| row(def, "stuck", r)));
    for end in &def.ends {
        let (key, when, mut by) = row(def, &format!("end {}", end.name.text), &end.when);
        by.extend(
            origins(def, &end.result.parts).into_iter().filter(|o| !by.contains(o)).collect::<Vec<_>>(),
        );
        out.push((key, format!("{} if {when}", end.result.tree), by));
    }
    out.extend(def.score.as_ref().map(|r| row(def, "score", r)));
    out
}
