//! Heat maps and their differences, drawn on the board itself: squares, hexagons, or dots with lines.

use super::dots::shortened;
use super::html::{escape, grid, more, set};
use super::svg::frame;
use super::view::View;
use crate::compare::model::{HeatKind, HeatMap};
use crate::compare::numbers::{fixed, percent};
use crate::drawing::plan::{Plan, SiteForm};
use crate::drawing::svg::{Frame, form};
use crate::statistics::{holm, tails};

/// The steps of a scale from nothing to the most.
const STEPS: usize = 10;

/// The steps of a difference, on each side.
const SIDE: usize = 5;

/// The most sites that have their names, or their differences, written in them.
const MAX_WRITTEN_SITES: usize = 121;

/// The most boards beside each other; more are left to the data.
const MAX_BOARDS: usize = 12;

/// The text of a value.
fn told(kind: HeatKind, value: f64, most: f64) -> String {
    match kind {
        HeatKind::Occupied => set(&percent(value, 0)),
        HeatKind::Landed => set(&fixed(value, if most < 10.0 { 2 } else { 0 })),
    }
}

fn what(kind: HeatKind) -> (&'static str, &'static str) {
    match kind {
        HeatKind::Landed => ("Where pieces land", "times a game that a ply brings a piece to the site"),
        HeatKind::Occupied => {
            ("Where pieces stand", "the share of plies after which a piece stands on the site")
        }
    }
}

/// All heat maps of some views, each beside the others and their differences from the first.
pub(super) fn boards(views: &[View], confine: bool) -> String {
    let Some(first) = views.first() else { return String::new() };
    let mut open = String::new();
    let mut by_player = String::new();
    for kind in [HeatKind::Landed, HeatKind::Occupied] {
        if confine && kind == HeatKind::Occupied {
            continue;
        }
        let maps = first.heat.iter().filter(|h| h.kind == kind);
        for map in maps {
            match &map.player {
                None => open += &row(views, kind, None),
                Some(player) if !confine => by_player += &row(views, kind, Some(player)),
                Some(_) => {}
            }
        }
    }
    open + &more("The same for each player", &by_player)
}

fn row(views: &[View], kind: HeatKind, player: Option<&str>) -> String {
    let map = |view: &View| -> Option<HeatMap> {
        view.heat.iter().find(|h| h.kind == kind && h.player.as_deref() == player).cloned()
    };
    let maps: Vec<(&View, HeatMap)> = views.iter().filter_map(|v| map(v).map(|m| (v, m))).collect();
    let top = maps.iter().flat_map(|(_, m)| &m.values).fold(0.0f64, |t, v| t.max(*v));
    let Some((base, base_map)) = maps.first() else { return String::new() };
    if top <= 0.0 {
        return String::new();
    }
    // Where every site is used much alike, from nothing up all would look the same.
    let least = maps.iter().flat_map(|(_, m)| &m.values).fold(top, |t, v| t.min(*v));
    let from = if least > top / 2.0 && least < top { least } else { 0.0 };
    let differences: Vec<(&View, Vec<f64>, Vec<bool>)> = maps
        .iter()
        .skip(1)
        .filter(|(v, m)| v.board.sites == base.board.sites && m.values.len() == base_map.values.len())
        .map(|(v, m)| {
            let values = m.values.iter().zip(&base_map.values).map(|(b, a)| b - a).collect();
            (*v, values, certain(m, base_map))
        })
        .collect();
    let most = differences.iter().flat_map(|(_, d, _)| d).fold(0.0f64, |t, v| t.max(v.abs()));
    let mut out = String::new();
    let plain = maps.len() <= MAX_BOARDS / 2;
    for (view, map) in maps.iter().take(if plain { MAX_BOARDS } else { 1 }) {
        let says = format!("Most: {}.", extremes(&view.board, &map.values, kind, top));
        let level = |_: usize, v: f64| format!("q{}", step(v - from, top - from, STEPS));
        let text = |v: f64| told(kind, v, top);
        let picture = picture(&view.board, &map.values, &view.name, &says, &level, &text, false);
        out += &cell(&view.name, &picture, &says);
    }
    for (view, values, certain) in differences.iter().take(MAX_BOARDS) {
        let level =
            |i: usize, v: f64| if certain.get(i) == Some(&true) { side(v, most) } else { side(0.0, most) };
        let text = |v: f64| {
            let text = told(kind, v, most);
            let zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
            if v > 0.0 && !zero { format!("+{text}") } else { text }
        };
        let name = if differences.len() == 1 {
            "difference".to_owned()
        } else {
            format!("{} less {}", view.name, base.name)
        };
        let says = difference_says(&view.board, values, certain, kind, most);
        let picture = picture(&view.board, values, &name, &says, &level, &text, true);
        out += &cell(&name, &picture, &says);
    }
    let (title, unit) = what(kind);
    let whose = player.map(|p| format!(": {p}")).unwrap_or_default();
    let mut notes = String::new();
    if differences.len() + 1 < maps.len() {
        notes += " Boards of another form have no difference.";
    }
    if !differences.is_empty() {
        notes += " A difference has a colour where it is more than chance, over all sites together.";
    }
    if differences.len() > MAX_BOARDS {
        notes += &format!(" The other {} are in the data only.", differences.len() - MAX_BOARDS);
    }
    let least_told = if from > 0.0 { told(kind, from, top) } else { "0".to_owned() };
    let whole =
        scale(&(0..STEPS).map(|i| format!("q{i}")).collect::<Vec<_>>(), &least_told, &told(kind, top, top));
    let sides = if most > 0.0 {
        let levels =
            |i: usize| if i < SIDE { format!("m{}", SIDE - i) } else { format!("p{}", i + 1 - SIDE) };
        let t = told(kind, most, most);
        let all: Vec<String> = (0..SIDE * 2).map(levels).collect();
        scale(&all, &format!("\u{2212}{t}"), &format!("+{t}"))
    } else {
        String::new()
    };
    format!(
        "<figure class=\"wide\">\n<figcaption><h3>{}{}</h3>\n<p>Shown: {unit}.{notes}</p>\n{whole}{sides}</figcaption>\n\
         <div class=\"boards\">\n{out}</div>\n</figure>\n",
        escape(title),
        escape(&whose)
    )
}

fn cell(name: &str, picture: &str, says: &str) -> String {
    format!("<div><h4>{}</h4>\n{picture}\n<p class=\"small\">{}</p></div>\n", escape(name), escape(says))
}

/// The step of a value on a scale up to `top`.
fn step(value: f64, top: f64, steps: usize) -> usize {
    if top <= 0.0 {
        return 0;
    }
    // Never negative, and below `steps`.
    ((value / top * steps as f64).floor().max(0.0) as usize).min(steps - 1)
}

fn side(value: f64, most: f64) -> String {
    let step = if most > 0.0 { (value.abs() / most * SIDE as f64).ceil().max(0.0) as usize } else { 0 };
    match step.min(SIDE) {
        0 => "p0".to_owned(),
        n if value < 0.0 => format!("m{n}"),
        n => format!("p{n}"),
    }
}

/// The three sites with the greatest values.
fn extremes(board: &Plan, values: &[f64], kind: HeatKind, top: f64) -> String {
    let mut all: Vec<(&str, f64)> =
        board.sites.iter().map(|s| s.name.as_str()).zip(values.iter().copied()).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let told = all.iter().take(3).map(|(name, v)| format!("{name} {}", told(kind, *v, top)));
    told.collect::<Vec<_>>().join(", ")
}

/// Whether two maps differ by more than chance at each site: tested over all sites, with Holm's correction.
fn certain(a: &HeatMap, b: &HeatMap) -> Vec<bool> {
    let error = |map: &HeatMap, site: usize| map.errors.get(site).copied();
    let chance = |(site, (x, y)): (usize, (&f64, &f64))| match (error(a, site), error(b, site)) {
        (Some(e), Some(f)) => tails(x - y, e.hypot(f)),
        _ => 1.0,
    };
    let chances: Vec<f64> = a.values.iter().zip(&b.values).enumerate().map(chance).collect();
    holm(&chances).into_iter().map(|p| p <= 0.05).collect()
}

fn difference_says(board: &Plan, values: &[f64], certain: &[bool], kind: HeatKind, most: f64) -> String {
    let sites = board.sites.iter().map(|s| s.name.as_str()).zip(values.iter().copied());
    let known: Vec<(&str, f64)> =
        sites.enumerate().filter(|(i, _)| certain.get(*i) == Some(&true)).map(|(_, site)| site).collect();
    let named = || known.iter().copied();
    let up = named().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, v)| *v > 0.0);
    let down = named().min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, v)| *v < 0.0);
    let up = up.map(|(name, v)| format!("Most gained: {name} +{}.", told(kind, v, most)));
    let down = down.map(|(name, v)| format!("Most lost: {name} {}.", told(kind, v, most)));
    let both: Vec<String> = [up, down].into_iter().flatten().collect();
    if both.is_empty() { "No difference was found.".to_owned() } else { both.join(" ") }
}

/// The key of the colours.
fn scale(levels: &[String], low: &str, high: &str) -> String {
    let boxes = levels.iter().enumerate();
    let boxes = boxes.map(|(i, level)| {
        format!("<g class=\"{level}\"><rect x=\"{}\" y=\"0\" width=\"12\" height=\"12\"/></g>", i * 12)
    });
    format!(
        "<p class=\"scale\">{} <svg class=\"heat\" aria-hidden=\"true\" viewBox=\"0 0 {} 12\">{}</svg> {}</p>\n",
        escape(low),
        levels.len() * 12,
        boxes.collect::<String>(),
        escape(high)
    )
}

fn picture(
    board: &Plan,
    values: &[f64],
    title: &str,
    says: &str,
    level: &dyn Fn(usize, f64) -> String,
    text: &dyn Fn(f64) -> String,
    write_values: bool,
) -> String {
    let Some(place) = Frame::of(board, 0.0) else { return String::new() };
    let mut inner = String::new();
    if board.form == SiteForm::Dot {
        inner.extend(place.edges(board).map(|line| line + "\n"));
    }
    let written = board.sites.len() <= MAX_WRITTEN_SITES;
    for (i, (site, value)) in board.sites.iter().zip(values).enumerate() {
        let (x, y) = place.at(site.x, site.y);
        let label = if write_values { text(*value).replace("\u{a0}%", "") } else { site.name.clone() };
        let label = if written {
            format!("<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, escape(&shortened(&label, 6)))
        } else {
            String::new()
        };
        inner += &format!(
            "<g class=\"{}\"><title>{}: {}</title>{}{label}</g>\n",
            level(i, *value),
            escape(&site.name),
            escape(&text(*value)),
            form(board.form, x, y)
        );
    }
    frame("heat", title, says, place.size, &inner)
}

/// The boards as a part of the page.
pub(super) fn section(views: &[View]) -> String {
    grid(&boards(views, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_differs_for_certain_where_it_is_more_than_chance_over_all_sites() {
        let map = |values: &[f64], error: f64| HeatMap {
            values: values.to_vec(),
            errors: vec![error; values.len()],
            ..HeatMap::default()
        };
        let (a, b) = (map(&[1.0, 1.0, 1.0], 0.1), map(&[1.0, 1.3, 2.0], 0.1));
        // 0.3 of a standard error of 0.14 is more than chance by itself, not as one of three.
        assert_eq!(certain(&b, &a), [false, false, true]);
        let b = HeatMap { errors: Vec::new(), ..b };
        assert_eq!(certain(&b, &a), [false; 3], "nothing is known of one game");
    }
}
