//! The page of a comparison: whole, well-formed, self-contained, the same each time, and safe whatever a
//! definition calls its things.

#![cfg(feature = "report")]

use std::collections::BTreeMap;

use farrier::compare::model::{Comparison, Design, Effect, Matrix, MatrixOption};
use farrier::drawing::plan::SiteForm;
use farrier::report::page;
use roxmltree::{Document, ParsingOptions};

/// A comparison with every kind of figure.
fn sample() -> Comparison {
    let text = include_str!("../compare/sample.json");
    let mut c: Comparison = serde_json::from_str(text).expect("the sample is a comparison");
    c.matrix = None;
    c
}

/// A matrix of so many options, all combinations; effects and figures are made up but not all alike.
fn matrix(options: usize) -> Comparison {
    let mut c = sample();
    c.differences.clear();
    let names: Vec<String> = (0..options).map(|i| format!("option-{i}")).collect();
    let first = c.variants.first().expect("a variant").clone();
    let combinations = (0..1usize << options).map(|bits| {
        let on: Vec<bool> = (0..options).map(|i| bits >> i & 1 == 1).collect();
        let words = names.iter().zip(&on).filter(|(_, on)| **on).map(|(n, _)| format!("+{n}"));
        farrier::compare::model::Combination { variant: "game".to_owned() + &words.collect::<String>(), on }
    });
    let combinations: Vec<_> = combinations.collect();
    c.variants = combinations
        .iter()
        .map(|k| {
            let mut v = first.clone();
            v.variant.clone_from(&k.variant);
            v
        })
        .collect();
    let mut sets: Vec<Vec<String>> = names.iter().map(|n| vec![n.clone()]).collect();
    for (i, a) in names.iter().enumerate() {
        sets.extend(names.iter().skip(i + 1).map(|b| vec![a.clone(), b.clone()]));
    }
    let mut effects = Vec::new();
    for (i, options) in sets.iter().enumerate() {
        for m in &c.metrics {
            let mut e = Effect {
                metric: m.key.clone(),
                options: options.clone(),
                p: 0.5,
                p_adjusted: 1.0,
                ..Effect::default()
            };
            e.estimate.value = (i as f64 - 2.0) / 100.0;
            e.estimate.low = e.estimate.value - 0.01;
            e.estimate.high = e.estimate.value + 0.01;
            e.significant = i % 3 == 0;
            e.seen = (!e.significant).then_some(0.1);
            e.games_needed = (!e.significant).then_some(4321);
            effects.push(e);
        }
    }
    c.matrix = Some(Matrix {
        game: "game".to_owned(),
        options: names
            .iter()
            .map(|n| MatrixOption {
                name: n.clone(),
                summary: format!("What {n} does"),
                off: "off".to_owned(),
                on: "on".to_owned(),
            })
            .collect(),
        design: Design::Full,
        combinations,
        left_out: vec![("game+left-out".to_owned(), "it is forbidden".to_owned())],
        effects,
        aliased: vec![["option-0".to_owned(), "option-1".to_owned()]],
    });
    c
}

/// Reads a page as XML, which is stricter than HTML.
fn read(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|e| panic!("the page is not well-formed: {e}"))
}

/// All text that is shown, blanks evened out.
fn text(doc: &Document<'_>) -> String {
    let pieces = doc.descendants().filter(|n| n.is_text()).filter_map(|n| n.text());
    pieces.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Pages of every kind.
fn pages() -> Vec<(&'static str, String)> {
    let mut one = sample();
    one.variants.truncate(1);
    one.differences.clear();
    let mut hexagons = sample();
    let mut dots = sample();
    for (c, form) in [(&mut hexagons, SiteForm::Hexagon), (&mut dots, SiteForm::Dot)] {
        c.variants.iter_mut().for_each(|v| v.board.form = form);
    }
    let mut many = matrix(4);
    many.matrix = None;
    vec![
        ("two variants", page(&sample(), Some("farrier compare a b"))),
        ("one variant", page(&one, None)),
        ("hexagons", page(&hexagons, None)),
        ("dots", page(&dots, None)),
        ("sixteen variants", page(&many, None)),
        ("a matrix", page(&matrix(3), None)),
        ("a matrix of 64", page(&matrix(6), None)),
        ("nothing", page(&Comparison::default(), None)),
    ]
}

#[test]
fn pages_are_well_formed_and_need_nothing_else() {
    for (what, page) in pages() {
        let doc = read(&page);
        for node in doc.descendants().filter(roxmltree::Node::is_element) {
            let name = node.tag_name().name();
            assert!(
                !["script", "link", "img", "iframe", "object", "image", "use"].contains(&name),
                "{what}: <{name}>"
            );
            for a in node.attributes() {
                let key = a.name();
                assert!(
                    !key.starts_with("on") && !["href", "src", "style", "action"].contains(&key),
                    "{what}: {key}"
                );
            }
        }
        for outside in ["http:", "https:", "url(", "@import", "//"] {
            assert!(!page.contains(outside), "{what}: has {outside}");
        }
        assert!(!page.contains("NaN") && !page.contains("inf "), "{what}: a number that is none");
    }
}

#[test]
fn every_page_is_the_same_twice() {
    for ((what, a), (_, b)) in pages().into_iter().zip(pages()) {
        assert_eq!(a, b, "{what}");
    }
}

#[test]
fn every_metric_of_the_data_is_told() {
    for (what, c) in [("variants", sample()), ("matrix", matrix(3))] {
        let page = page(&c, Some("farrier compare a b --games 2000"));
        let doc = read(&page);
        // The heads of the tables that have all metrics of each variant, and what the metrics are.
        let heads = |caption: &str| -> Vec<String> {
            let says = |n: &roxmltree::Node<'_, '_>| n.text().is_some_and(|t| t.starts_with(caption));
            let caption = doc.descendants().filter(|n| n.has_tag_name("caption")).find(says).expect(caption);
            let table = caption.parent().expect("a table");
            let all = table.descendants().filter(|n| n.has_tag_name("th"));
            all.map(|n| n.descendants().filter(|d| d.is_text()).filter_map(|d| d.text()).collect()).collect()
        };
        let all = heads(if c.matrix.is_some() { "All combinations" } else { "All metrics" });
        let defined = heads("What the metrics are");
        let shown = text(&doc);
        for m in &c.metrics {
            for (table, heads) in [("figures", &all), ("definitions", &defined)] {
                let there = heads.iter().any(|h| h.starts_with(&m.name));
                assert!(there, "{what}: {} is not in the table of {table}", m.name);
            }
            assert!(shown.contains(&m.definition), "{what}: {} is not defined", m.name);
        }
        let settings = [
            "2,000 of each variant",
            "flat:40 against flat:10",
            env!("CARGO_PKG_VERSION"),
            "farrier compare a b --games 2000",
        ];
        for told in settings {
            assert!(shown.contains(told), "{what}: {told} is not told");
        }
        for option in c.matrix.iter().flat_map(|m| &m.options) {
            assert!(shown.contains(&option.summary), "{what}: {} is not told", option.name);
        }
    }
    let page = page(&matrix(2), None);
    assert!(page.contains("game+left-out") && page.contains("it is forbidden"));
}

#[test]
fn the_verdict_is_in_words() {
    let mut c = sample();
    let after = c.variants[1].estimates.get_mut("length").expect("a length");
    (after.value, after.low, after.high) = (83.0, 81.5, 84.5);
    let d = c.differences.iter_mut().find(|d| d.metric == "length").expect("a difference of length");
    d.estimate.value = -12.0;
    d.estimate.low = -14.0;
    d.estimate.high = -10.0;
    d.significant = true;
    d.games_needed = None;
    let d = c.differences.iter_mut().find(|d| d.metric == "first-wins").expect("a difference of wins");
    d.significant = false;
    d.seen = Some(0.061);
    d.games_needed = Some(5000);
    let page = page(&c, None);
    let shown = text(&read(&page)).replace('\u{a0}', " ");
    let said = "Games are 12.0 plies shorter (10.0 to 14.0): 83.0 instead of 95.0.";
    assert!(shown.contains(said), "{shown}");
    assert!(
        shown.contains("or more would have been seen. To find so little takes 5,000 games of each variant."),
        "{shown}"
    );
}

/// One sentence, a picture of it, at most five findings; what is trivial is called so; all else is folded.
#[test]
fn what_matters_stands_first() {
    let mut c = sample();
    // More than anybody reads: nine that differ, the first of them by little.
    for number in 0..4 {
        let (mut m, mut d) = (c.metrics[0].clone(), c.differences[0].clone());
        m.key = format!("more-{number}");
        d.metric.clone_from(&m.key);
        c.metrics.push(m);
        c.differences.push(d);
    }
    c.differences.iter_mut().enumerate().for_each(|(i, d)| {
        d.significant = true;
        d.effect = Some(if i == 0 { 0.1 } else { 0.3 });
    });
    let page = page(&c, None);
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what} is not there"));
    let (lead, picture, found) = (at("<p class=\"lead\">"), at("<figure>"), at("<ul class=\"found\">"));
    assert!(lead < picture && picture < found && found < at("<details class=\"part\""));
    let list = &page[found..found + page[found..].find("</ul>").unwrap()];
    assert_eq!(list.matches("<li>").count(), 6, "{list}");
    assert!(list.contains("The tables have 4 more differences."), "{list}");
    let doc = read(&page);
    let shown = text(&doc);
    // The largest are told, so not the trivial one; where it is among few, it is called so.
    assert_eq!(shown.matches("This is trivial.").count(), 0, "{shown}");
    c.differences.truncate(3);
    let few = farrier::report::page(&c, None);
    assert_eq!(text(&read(&few)).matches("This is trivial.").count(), 1, "{few}");
    assert!(shown.contains("differs, trivial") && shown.contains("Trivial is a difference below 0.2"));
    let parts: Vec<_> = doc.descendants().filter(|n| n.attribute("class") == Some("part")).collect();
    assert!(parts.len() >= 5 && parts.iter().all(|part| part.attribute("open").is_none()));
}

#[test]
fn a_game_against_itself_is_told_as_such() {
    for many in [1, 6] {
        let mut c = sample();
        // A pair with a sentence of its own, and one among many.
        for i in 1..many {
            let mut v = c.variants.last().expect("a variant").clone();
            v.variant = format!("game+twin-{i}");
            let mut more: Vec<_> =
                c.differences.iter().filter(|d| d.b == c.variants[1].variant).cloned().collect();
            more.iter_mut().for_each(|d| d.b.clone_from(&v.variant));
            c.differences.append(&mut more);
            c.variants.push(v);
        }
        c.same = c.differences.iter().map(|d| [d.a.clone(), d.b.clone()]).collect();
        c.same.dedup();
        c.differences[0].significant = true;
        c.differences.iter_mut().skip(1).for_each(|d| d.significant = false);
        let page = page(&c, None);
        let shown = text(&read(&page));
        let said =
            if many == 1 { "1 metric came out as different by chance" } else { "the same game, whatever" };
        assert!(shown.contains(said), "{shown}");
        assert!(
            !shown.contains("differ significantly") && !shown.contains("What is not known yet"),
            "{shown}"
        );
        assert!(shown.contains("by chance"), "{shown}");
    }
}

#[test]
fn intervals_say_what_they_are() {
    for (what, c, title) in
        [("variants", sample(), "Differences in standard"), ("matrix", matrix(3), "less the metric without")]
    {
        let page = page(&c, None);
        let shown = text(&read(&page)).replace('\u{a0}', " ");
        let at = shown.find(title).unwrap_or_else(|| panic!("{what}: {title}"));
        let said = &shown[at..at + 260];
        assert!(said.contains("95 % interval") && said.contains("each by itself"), "{what}: {said}");
        assert!(said.contains("after correction"), "{what}: {said}");
        assert!(shown.contains("95 %, each by itself: not widened for how many there are"), "{what}");
        assert!(shown.contains("Holm, over all tests"), "{what}");
    }
}

/// A metric without a phrase of its own would be told as "NAME is so much greater".
#[test]
fn every_metric_has_a_sentence() {
    for key in farrier::compare::keys() {
        for way in [1.0, -1.0] {
            let mut c = sample();
            c.metrics.truncate(1);
            c.differences.truncate(1);
            c.metrics[0].key = key.to_owned();
            c.metrics[0].name = "Nameless".to_owned();
            let d = &mut c.differences[0];
            d.metric = key.to_owned();
            d.significant = true;
            d.estimate.value = way;
            let page = page(&c, None);
            assert!(!page.contains("Nameless is"), "{key} has no sentence");
        }
    }
}

#[test]
fn hostile_names_stay_text() {
    let evil = "</title></style><script>alert(\"1\")</script>&amp;'\u{1}\u{202e}<!--]]>";
    let kept = evil.replace('\u{1}', "");
    let mut c = sample();
    c.verdict = vec![evil.to_owned()];
    c.notes = vec![evil.to_owned()];
    c.settings.agents = vec![evil.to_owned()];
    for m in &mut c.metrics {
        m.name = evil.to_owned();
        m.definition = evil.to_owned();
        m.unit = evil.to_owned();
        m.test = evil.to_owned();
        m.interval = evil.to_owned();
    }
    for (i, v) in c.variants.iter_mut().enumerate() {
        let old = std::mem::replace(&mut v.variant, format!("{evil}{i}"));
        for d in &mut c.differences {
            for side in [&mut d.a, &mut d.b] {
                if *side == old {
                    side.clone_from(&v.variant);
                }
            }
        }
        v.title = evil.to_owned();
        v.players = vec![evil.to_owned(), evil.to_owned()];
        v.outcomes.iter_mut().for_each(|o| o.outcome = evil.to_owned());
        v.board.sites.iter_mut().for_each(|s| s.name = evil.to_owned());
        v.heat.iter_mut().filter_map(|h| h.player.as_mut()).for_each(|p| *p = evil.to_owned());
        v.openings.top.iter_mut().for_each(|o| o.moves = vec![evil.to_owned()]);
        for d in &mut v.decisions {
            d.decision = evil.to_owned();
            d.option = Some(evil.to_owned());
            d.changed_by = vec![evil.to_owned()];
        }
        for o in &mut v.option_uses {
            o.option = evil.to_owned();
            o.value = evil.to_owned();
            o.summary = evil.to_owned();
            o.adds = vec![evil.to_owned()];
        }
        for p in &mut v.puzzles {
            p.position = evil.to_owned();
            p.solution = evil.to_owned();
            p.player = evil.to_owned();
        }
        if let Some(s) = &mut v.strength {
            s.steps.iter_mut().for_each(|step| step.stronger = evil.to_owned());
        }
        for worth in &mut v.restricted {
            worth.what = evil.to_owned();
            worth.agent = evil.to_owned();
        }
    }
    let mut m = matrix(2);
    if let Some(matrix) = &mut m.matrix {
        let names: BTreeMap<String, String> =
            matrix.options.iter().map(|o| (o.name.clone(), format!("{evil}{}", o.name))).collect();
        for o in &mut matrix.options {
            o.name.clone_from(&names[&o.name]);
            o.summary = evil.to_owned();
            o.on = evil.to_owned();
        }
        matrix.effects.iter_mut().flat_map(|e| &mut e.options).for_each(|o| o.clone_from(&names[o]));
        matrix.left_out = vec![(evil.to_owned(), evil.to_owned())];
        matrix.aliased = vec![[evil.to_owned(), evil.to_owned()]];
    }
    for (what, c) in [("variants", c), ("matrix", m)] {
        let page = page(&c, Some(evil));
        let doc = read(&page);
        assert!(doc.descendants().all(|n| !n.has_tag_name("script")), "{what}");
        assert_eq!(doc.descendants().filter(|n| n.has_tag_name("style")).count(), 1, "{what}");
        assert!(doc.descendants().all(|n| !n.is_comment()), "{what}");
        let whole =
            doc.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).any(|t| t.contains(&kept));
        assert!(whole, "{what}: the name is not told as it is");
    }
}

#[test]
fn pictures_and_tables_can_be_read_without_seeing() {
    for (what, page) in pages() {
        let doc = read(&page);
        for svg in doc.descendants().filter(|n| n.has_tag_name("svg")) {
            if svg.attribute("aria-hidden") == Some("true") {
                continue;
            }
            assert_eq!(svg.attribute("role"), Some("img"), "{what}");
            for tag in ["title", "desc"] {
                let child = svg.children().find(|n| n.has_tag_name(tag));
                let says = child.and_then(|n| n.text()).unwrap_or_default();
                assert!(!says.trim().is_empty(), "{what}: a picture without {tag}");
            }
            let texts = svg.descendants().filter(|n| n.has_tag_name("text")).count();
            assert!(texts > 0, "{what}: a picture without text");
            // Colours are the style's: what is written into a picture stays light in the dark.
            for node in svg.descendants() {
                let fixed =
                    |a: &str| node.attribute(a).is_some_and(|v| v.starts_with('#') || v.starts_with("rgb"));
                assert!(!fixed("fill") && !fixed("stroke"), "{what}: {node:?}");
            }
        }
        for table in doc.descendants().filter(|n| n.has_tag_name("table")) {
            assert!(table.children().any(|n| n.has_tag_name("caption")), "{what}: a table without caption");
            for th in table.descendants().filter(|n| n.has_tag_name("th")) {
                assert!(matches!(th.attribute("scope"), Some("col" | "row")), "{what}: a head without scope");
            }
            let cells =
                |n: &roxmltree::Node<'_, '_>| n.children().filter(roxmltree::Node::is_element).count();
            let widths: Vec<usize> =
                table.descendants().filter(|n| n.has_tag_name("tr")).map(|n| cells(&n)).collect();
            assert!(widths.windows(2).all(|w| w[0] == w[1]), "{what}: a table that is not even: {widths:?}");
        }
        let mut ids: Vec<&str> = doc.descendants().filter_map(|n| n.attribute("id")).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{what}: an id twice");
    }
}

/// The pictures of the page have what they should: curves, bands, marks, boards.
#[test]
fn pictures_show_the_data() {
    let c = sample();
    let page = page(&c, None);
    let doc = read(&page);
    let has = |class: &str| doc.descendants().filter(|n| n.attribute("class") == Some(class)).count();
    for (class, least) in
        [("line s0", 3), ("line s1", 3), ("band s0", 2), ("band s1", 2), ("fill s0", 3), ("fill s1", 3)]
    {
        assert!(has(class) >= least, "{class}: {}", has(class));
    }
    let sites = c.variants[0].board.sites.len();
    let named = doc
        .descendants()
        .filter(|n| n.has_tag_name("g") && n.children().any(|k| k.has_tag_name("title")))
        .count();
    // Two kinds of map, of all together and of two players; two variants and their difference.
    assert_eq!(named, sites * 2 * 3 * 3);
    // No name is left out of a matrix, and each combination has its row.
    let big = matrix(6);
    let big = farrier::report::page(&big, None);
    let doc = read(&big);
    let table = doc.descendants().find(|n| n.has_tag_name("table")).expect("a table");
    assert!(table.descendants().filter(|n| n.has_tag_name("tr")).count() > 6 + 15);
    let rows = doc
        .descendants()
        .filter(|n| n.has_tag_name("table"))
        .map(|t| t.descendants().filter(|n| n.has_tag_name("tr")).count());
    assert!(rows.into_iter().any(|r| r == 65), "64 combinations and a head");
}

/// The relative luminance of `#rrggbb` (WCAG 2).
fn luminance(color: &str) -> f64 {
    let part = |at: usize| {
        let byte = u8::from_str_radix(&color[at..at + 2], 16).expect("a colour");
        let c = f64::from(byte) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn colours_can_be_told_from_the_paper_in_light_and_dark() {
    let page = page(&sample(), None);
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
    let schemes: Vec<&str> = page.split(":root {").skip(1).filter_map(|s| s.split('}').next()).collect();
    assert_eq!(schemes.len(), 2);
    for (scheme, css) in ["light", "dark"].iter().zip(schemes) {
        let colors: BTreeMap<&str, &str> =
            css.split(';').filter_map(|d| d.trim().strip_prefix("--")?.split_once(": ")).collect();
        let paper = colors["paper"];
        for text in ["ink", "soft"] {
            assert!(contrast(colors[text], paper) >= 4.5, "{scheme}: {text}");
            assert!(contrast(colors[text], colors["stripe"]) >= 4.5, "{scheme}: {text} on a stripe");
        }
        for series in 0..6 {
            let color = colors[format!("s{series}").as_str()];
            assert!(contrast(color, paper) >= 3.0, "{scheme}: series {series}");
        }
        // What is written on a colour of a board: as the classes of the style say.
        for rule in page.split(" --h: var(--").skip(1) {
            let name = |s: &'_ str| s.split(')').next().unwrap_or_default().to_owned();
            let ground = name(rule);
            let ink = name(rule.split("--t: var(--").nth(1).expect("a colour of text"));
            let c = contrast(colors[ground.as_str()], colors[ink.as_str()]);
            assert!(c >= 4.5, "{scheme}: {ink} on {ground}: {c:.2}");
        }
    }
}

/// A page as users ask for it.
#[cfg(feature = "cli")]
#[test]
fn the_command_line_writes_it() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let run = |args: &[&str], file: &str| {
        let path = folder.join(file);
        let _ = std::fs::remove_file(&path);
        let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(args)
            .args(["--report", path.to_str().expect("a path of letters")])
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(&path).expect("a page")
    };
    const FILL: &str = "tests/compare/twice.toml";
    let twice = format!("{FILL}+twice");
    let page_of = run(&["compare", "--levels", "none", FILL, &twice, "--games", "40"], "report-compare.html");
    let shown = text(&read(&page_of)).replace('\u{a0}', " ");
    assert!(shown.contains("Games are 8 plies longer (in all games): 16 instead of 8."), "{shown}");
    assert!(shown.contains(&format!("farrier compare --levels none {FILL} {twice} --games 40")), "{shown}");
    let page_of = run(
        &["matrix", "--levels", "none", FILL, "--options", "twice,idle", "--games", "20"],
        "report-matrix.html",
    );
    let shown = text(&read(&page_of)).replace('\u{a0}', " ");
    assert!(shown.contains("With twice games are 8 plies longer"), "{shown}");
    assert!(shown.contains("No effect of idle by itself was found."), "{shown}");
    assert!(
        shown.contains("What was found Of 2 options 1 was found to change the games : twice."),
        "{shown}"
    );
    let nowhere = folder.join("no-such-folder/report.html");
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["compare", "--levels", "none", FILL, "--report", nowhere.to_str().expect("a path of letters")])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
}
