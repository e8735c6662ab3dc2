//! A comparison as one HTML page with pictures.
//!
//! ```text
//! Comparison -> words (sentences)   \
//!            -> View (the figures of one variant, or of several together)
//!                 -> panels, matrix -> dots, curves -> svg (plotters, colours made classes)  -> page
//!                                   -> board                                                /
//!            -> tables              /
//! ```
//!
//! The page needs nothing else: style and pictures are in it, there is no script and no address. It is read from
//! the top: one sentence of verdict, the picture that shows it (the points of the first player; of a matrix the
//! table of effects), the other findings, the effects of options. All else is folded: open questions, pictures,
//! all figures in tables, how it was measured. Folded parts are printed. Up to [`svg::SERIES`] variants have a colour,
//! a mark and a form of line each and are drawn over each other; of more, each is a row.
//!
//! Sentences and figures are those of [`compare::words`](words) and [`compare::numbers`](crate::compare::numbers),
//! which the terminal prints too; [`html::set`] makes their minus and per cent signs fit for print.
//!
//! The same data give the same bytes. The page is well-formed as XML too. Whatever comes from a definition goes
//! through [`html::escape`], in pictures through plotters, which escapes it.

mod board;
mod curves;
mod dots;
mod html;
mod matrix;
mod panels;
mod scatter;
mod svg;
mod tables;
mod tuned;
mod view;

pub use tuned::tuned;

use html::{Html, escape, folded, grid, list, section};
use panels::Named;
use view::{View, short_names};

use crate::compare::model::Comparison;
use crate::compare::words;
use crate::wording::many;

const STYLE: &str = include_str!("style.css");

/// The page of a comparison or a matrix; `command` is the command line, if that is to be told.
pub fn page(c: &Comparison, command: Option<&str>) -> String {
    let n = Named { c, names: labels(c) };
    let title = title(c, &n);
    let body = c.matrix.as_ref().map_or_else(|| of_variants(c, &n), |matrix| of_matrix(c, &n, matrix));
    let notes: Vec<Html> = c.notes.iter().map(|note| Html::sentence(note)).collect();
    let notes = list("notes", &notes);
    let method = folded("method", "How it was measured", &tables::method(c, command));
    shell(&title, &subtitle(c), &(body + &folded("notes", "To be read with care", &notes) + &method))
}

/// A page.
fn shell(title: &str, subtitle: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<header>\n<h1>{0}</h1>\n<p>{1}</p>\n</header>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title),
        escape(subtitle),
    )
}

/// The names of variants in pictures and tables. Where there are many they begin with a number, which is seen even
/// where a name is too long.
fn labels(c: &Comparison) -> Vec<String> {
    let names = short_names(&c.variants);
    if names.len() <= svg::SERIES {
        return names;
    }
    names.iter().enumerate().map(|(i, name)| format!("{}. {name}", i + 1)).collect()
}

/// A sentence in which the finding is strong: the part before its first bracket or colon.
fn finding(sentence: &str) -> Html {
    let outside = |at: &usize| sentence[..*at].matches('`').count().is_multiple_of(2);
    let end = [" (", ": ", "; "].iter().filter_map(|sign| sentence.find(sign)).filter(outside).min();
    let (says, rest) = sentence.split_at(end.unwrap_or(sentence.len()));
    Html(format!("<strong>{}</strong>{}", Html::sentence(says), Html::sentence(rest)))
}

fn sentences(class: &str, all: &[String]) -> String {
    list(class, &all.iter().map(|sentence| finding(sentence)).collect::<Vec<_>>())
}

/// The first sentence, the picture that shows it, and the other findings.
fn verdict(c: &Comparison, picture: &str) -> String {
    let lead =
        words::lead(c).iter().map(|s| format!("<p class=\"lead\">{}</p>\n", finding(s))).collect::<String>();
    let legend = format!("<p class=\"small\">{}</p>\n", Html::sentence(&words::legend(c)));
    let found = sentences("found", &words::findings(c));
    section("verdict", "What was found", &(lead + picture + &found + &legend))
}

fn title(c: &Comparison, n: &Named<'_>) -> String {
    let first = c.variants.first();
    let game = first.map_or(String::new(), |v| v.title.clone());
    match (&c.matrix, &n.names[..]) {
        (Some(_), _) => format!("{game}: what its options do"),
        (None, [_]) => format!("{game} in play"),
        (None, [a, b]) if c.variants.iter().any(|v| v.title != game) => format!("{b} against {a}"),
        (None, [a, b]) => format!("{game}: {b} against {a}"),
        (None, _) => format!("{game}: {} compared", many(c.variants.len() as u64, "variant")),
    }
}

fn subtitle(c: &Comparison) -> String {
    let s = &c.settings;
    let each = match (&c.matrix, c.variants.len()) {
        (Some(m), _) => format!(" of each of {}", many(m.combinations.len() as u64, "combination")),
        (None, 1) => String::new(),
        (None, _) => " of each variant".to_owned(),
    };
    format!("{}{each}, played by {}, seed {}", many(s.games, "game"), s.agents.join(" and "), s.seed)
}

fn of_variants(c: &Comparison, n: &Named<'_>) -> String {
    let few = n.few();
    let views: Vec<View> = n.all().map(|(v, name)| View::one(name, v)).collect();
    let lengths: Vec<_> = n.all().map(|(v, name)| (name.clone(), &v.lengths)).collect();
    let margins = n.all().filter_map(|(v, name)| Some((name.clone(), v.margins.as_ref()?)));
    let margins: Vec<_> = margins.collect();
    let branching = if few { panels::branching(&views) } else { String::new() };
    let effects = panels::effects(n);
    let effects = if few { grid(&effects) } else { effects };
    // Where only one variant counts a score, its name tells whose it is.
    let apart = match &margins[..] {
        [(name, _)] if c.variants.len() > 1 => format!("How far scores are apart at the end of {name}"),
        _ => "How far scores are apart at the end".to_owned(),
    };
    let flow =
        panels::distribution("How long games are", "plies", &lengths) + &branching + &panels::offers(n);
    let score = panels::distribution(&apart, "points", &margins) + &panels::leads(n);
    let strengths = panels::strengths(n);
    let (picture, effects) = if strengths.is_empty() { (effects, strengths) } else { (strengths, effects) };
    let uses = sentences("found", &words::uses(c));
    verdict(c, &picture)
        + &section(
            "use",
            if uses.is_empty() { "What players do" } else { "What the options do" },
            &(uses
                + &grid(&(panels::options(n) + &panels::worths(n) + &panels::decisions(n)))
                + &tables::first_uses(n)),
        )
        + &folded("open", "What is not known yet", &sentences("open", &words::open(c)))
        + &folded("effects", "All differences", &effects)
        + &folded("flow", "How games go", &grid(&flow))
        + &folded("ends", "How games end", &grid(&(panels::ends(n) + &score + &panels::strength(n))))
        + &folded("boards", "On the board", &board::section(&views))
        + &folded(
            "tables",
            "All figures",
            &(tables::metrics(n)
                + &tables::differences(n)
                + &tables::ends(n)
                + &tables::decisions(n)
                + &tables::options(n)
                + &tables::openings(n)
                + &tables::puzzles(n)),
        )
}

fn of_matrix(c: &Comparison, n: &Named<'_>, m: &crate::compare::model::Matrix) -> String {
    verdict(c, &matrix::colours(c, m))
        + &folded("open", "What is not known yet", &sentences("open", &words::open(c)))
        + &folded("effects", "What each option does", &matrix::main_effects(c, m))
        + &folded("pairs", "What options do to each other", &matrix::pairs(c, m))
        + &folded("options", "With and without each option", &matrix::with_and_without(c, m))
        + &folded(
            "tables",
            &format!("All figures of {}", many(c.variants.len() as u64, "combination")),
            &(tables::combinations(c) + &tables::effects(c) + &tables::decisions(n) + &tables::options(n)),
        )
}
