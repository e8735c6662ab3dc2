//! What bounds the work and the depth of definitions: each is refused with a reason or loaded, played and checked
//! in good time.

use std::time::{Duration, Instant};

use crate::kit::{LONG, One, play, refused, small, try_out};
use farrier::analysis::check::{self, Effort};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::source::Sources;

/// A game of a few lines that scores something.
fn scored(board: &str, define: &str, rest: &str, value: &str) -> String {
    small(board, define, &format!("[score]\nvalue = \"{value}\"\n{rest}"))
}

/// What must be loaded, and quickly; the game of it.
fn quick(text: &str) -> Game {
    let begin = Instant::now();
    let (game, found) = Game::load("hostile", &One(text), &Choices::default(), &mut Sources::default());
    let (took, start) = (begin.elapsed(), text.chars().take(2000).collect::<String>());
    assert!(took < QUICK, "loading took {took:?}:\n{start}");
    let game = game.unwrap_or_else(|| panic!("{found:?}\n{start}"));
    play(&game, 1, 20);
    #[cfg(feature = "jit")]
    if let Ok(code) = game.compiled() {
        drop(code);
    }
    assert!(begin.elapsed() < LONG, "it took {:?}:\n{start}", begin.elapsed());
    game
}

/// The longest that loading may take, without optimization and beside other tests.
const QUICK: Duration = Duration::from_secs(20);

#[test]
fn circles_through_skip() {
    let game = |define: &str, skip: &str| {
        small("square = [5, 5]", define, "").replace("[turn]", &format!("[turn]\nskip = \"{skip}\""))
    };
    refused(&game("", "no next"), &["cycle"]);
    refused(&game("waits = \"no next\"", "waits"), &["cycle"]);
    refused(&game("a = \"b[next]\"\nb = \"own\"", "no a"), &["cycle"]);
    refused(&game("", "not can(put)").replace("text =", "where = \"some next\"\ntext ="), &["cycle"]);
    refused(&game("", "not can(put)").replace("put own guard", "put next guard"), &["cycle"]);
    // No circle: what asks for `next` is not asked by `skip`.
    quick(
        &game("waits = \"no next\"", "no own and ply > 2")
            .replace("main = \"put\"", "main = \"put if waits, put by next\""),
    );
}

/// Rules nested `deep` levels, so many of them, each in the next.
fn nested(
    count: usize,
    deep: usize,
    before: &str,
    after: &str,
    first: &str,
    name: &dyn Fn(usize) -> String,
) -> Vec<String> {
    let inner = |i: usize| if i == 0 { first.to_owned() } else { name(i - 1) };
    (0..count).map(|i| format!("{}{}{}", before.repeat(deep), inner(i), after.repeat(deep))).collect()
}

#[test]
fn chains_of_nested_rules() {
    let square = "square = [5, 5]";
    for (count, fits) in [(1, true), (4, true), (160, false)] {
        let check = |text: String| if fits { drop(quick(&text)) } else { refused(&text, &["limit"]) };
        let named = |i: usize| format!("d{i}");
        let rows = |rules: Vec<String>| -> String {
            rules.iter().enumerate().map(|(i, r)| format!("d{i} = \"{r}\"\n")).collect()
        };
        let last = format!("d{}", count - 1);
        let define = rows(nested(count, 95, "(ply + ", ")", "1", &named));
        check(scored(square, &define, "", &last));
        let define = rows(nested(count, 40, "abs(round * (ply - ", "))", "1", &named));
        check(scored(square, &define, "", &last));
        let define = rows(nested(count, 45, "near(own & ", ")", "vacant", &named));
        check(scored(square, &define, "", &format!("count({last})")));
        let define = rows(nested(count, 45, "not (own & ", ")", "vacant", &named));
        check(scored(square, &define, "", &format!("count({last})")));
        let rules = nested(count, 90, "if ply > 3 then ", "", "remove enemy", &|i| format!("e{i}()"));
        let effects: String =
            rules.iter().enumerate().map(|(i, r)| format!("\"e{i}()\" = \"{r}\"\n")).collect();
        let text = small(square, "", &format!("[effects]\n{effects}"));
        check(text.replace("put own guard at to", &format!("put own guard at to; e{}()", count - 1)));
        let rules = nested(count, 95, "try ", "", "put", &|i| format!("f{i}"));
        let flow: String = rules.iter().enumerate().map(|(i, r)| format!("f{i} = \"{r}\"\n")).collect();
        let text = small(square, "", &format!("[flow]\n{flow}"));
        check(text.replace("main = \"put\"", &format!("main = \"f{}\"", count - 1)));
        let count = if fits { count } else { 400 };
        let rules = nested(count, 1, "step any onto ", "", "own", &|i| format!("r{i}(own)"));
        let relations: String = rules.iter().enumerate().map(|(i, r)| format!("r{i} = \"{r}\"\n")).collect();
        let last = format!("count(r{}(own))", count - 1);
        check(scored(square, "", &format!("[relations]\n{relations}"), &last));
    }
    // So many levels are read, but not all that becomes of them.
    let rules = nested(3, 95, "near(own & ", ")", "vacant", &|i| format!("d{i}"));
    let define: String = rules.iter().enumerate().map(|(i, r)| format!("d{i} = \"{r}\"\n")).collect();
    refused(&scored(square, &define, "", "count(d2)"), &["limit"]);
    let rules = nested(170, 1, "step any onto ", "", "own", &|i| format!("r{i}(own)"));
    let relations: String = rules.iter().enumerate().map(|(i, r)| format!("r{i} = \"{r}\"\n")).collect();
    let text = scored(square, "", &format!("[relations]\n{relations}"), "count(~r169(own & r169(own)))");
    try_out(&text, 1);
    // Long without brackets: words side by side, choices, `let`s, flows one after the other.
    let define = format!("d = \"{}\"", "own ".repeat(5000));
    refused(&scored(square, &define, "", "count(d)"), &["limit"]);
    let choices: String = (0..2000).map(|i| format!(", n{i} in 1..1")).collect();
    let text = small(square, "", "").replace("to in vacant", &format!("to in vacant{choices}"));
    refused(&text, &["limit"]);
    let lets: String = (0..2000).map(|i| format!("l{i} = \"l{} + 1\", ", i + 1)).collect();
    let text = small(square, "", "")
        .replace("text =", &format!("let = {{ {lets} l2000 = \"1\" }}\nwhere = \"l0 > 0\"\ntext ="));
    refused(&text, &["limit"]);
    let flow = format!("main = \"{}put\"", "try put, ".repeat(5000));
    refused(&small(square, "", "").replace("main = \"put\"", &flow), &["limit"]);
    // Many sites that may be none, each in sight of the next: `if`s side by side, not all their combinations.
    let lets: String =
        (2..32).map(|i| format!("let s{i} = (if ply % {i} = 0 then to else none) : ")).collect();
    let sets: Vec<String> = (2..32).map(|i| format!("ahead(s{i})")).collect();
    let text = small(square, "", "[relations]\nahead = \"step forward\"");
    let remove = format!("put own guard at to; remove enemy & ({lets}{})", sets.join(" | "));
    quick(&text.replace("put own guard at to", &remove));
}

#[test]
fn relations_traits_flows_and_players_that_double() {
    let square = "square = [8, 8]";
    let rows = |n: usize, of: &dyn Fn(usize) -> String| -> String { (1..=n).map(of).collect() };
    let relations = rows(20, &|i| format!("r{i} = \"step any onto r{}(own)\"\n", i - 1));
    quick(&scored(square, "", &format!("[relations]\nr0 = \"step any\"\n{relations}"), "count(r20(own))"));
    for (n, fits) in [(6, true), (60, false)] {
        let relations =
            rows(n, &|i| format!("r{i} = \"step any onto r{}(own) | r{}(enemy)\"\n", i - 1, i - 1));
        let relations = format!("[relations]\nr0 = \"step forward\"\n{relations}");
        let text = scored(square, "", &relations, &format!("count(r{n}(own))"));
        if fits { drop(quick(&text)) } else { refused(&text, &["cost", "limit"]) }
    }
    let traits = rows(20, &|i| format!(", t{i} = \"step forward onto t{}(own)\"", i - 1));
    let text = scored(square, "", "", "count(t20(occupied))");
    quick(&text.replace("goes = \"step any\"", &format!("t0 = \"step any\"{traits}")));
    let players: Vec<String> = (0..8).map(|i| format!("\"p{i}\"")).collect();
    let define = format!(
        "d0 = \"near(own)\"\n{}",
        rows(8, &|i| format!("d{i} = \"union p in players : d{}[p]\"\n", i - 1))
    );
    let text = scored(square, &define, "", "count(d8)").replace("\"north\", \"south\"", &players.join(", "));
    quick(&text);
    let define =
        format!("d0 = \"count(own)\"\n{}", rows(60, &|i| format!("d{i} = \"d{} * d{}\"\n", i - 1, i - 1)));
    refused(&scored(square, &define, "", "d60"), &["cost"]);
    let define = format!(
        "\"d0(x: site?)\" = \"near(x)\"\n{}",
        rows(60, &|i| format!(
            "\"d{i}(x: site?)\" = \"d{}(first(near(x))) | d{}(first(own))\"\n",
            i - 1,
            i - 1
        ))
    );
    refused(&scored(square, &define, "", "count(d60(a1))"), &["cost"]);
    // Few steps to play, but very many to write out.
    let define = format!(
        "\"d0(x: site?)\" = \"near(x)\"\n{}",
        rows(18, &|i| format!(
            "\"d{i}(x: site?)\" = \"d{}(first(near(x))) | d{}(first(own))\"\n",
            i - 1,
            i - 1
        ))
    );
    refused(&scored(square, &define, "", "count(d18(first(own)))"), &["limit"]);
    let flows = rows(60, &|i| format!("f{i} = \"f{}, try f{}\"\n", i - 1, i - 1));
    let text = small(square, "", &format!("[flow]\nf0 = \"put\"\n{flows}"));
    refused(&text.replace("main = \"put\"", "main = \"f60\""), &["limit"]);
    // Walks with a choice of directions at each step are as many as all their products.
    let walk = format!("[relations]\nr = \"walk {}\"", "any ".repeat(12));
    let game = quick(&scored(square, "", &walk, "count(r(own))"));
    assert!(
        game.program
            .relations
            .iter()
            .any(|r| r.name == "r" && r.rows.iter().all(|row| row.count_ones() == 64))
    );
    let walk = format!("[relations]\nr = \"walk {}\"", "any ".repeat(2000));
    refused(&scored(square, "", &walk, "count(r(own))"), &["limit"]);
}

#[test]
fn the_longest_of_very_many_paths() {
    let text = small(
        "square = [8, 8]",
        "",
        "[setup]\ndo = \"put north guard at row(1); put south guard at row(8)\"",
    )
    .replace("choose = \"to in vacant\"", "choose = \"from in own, to in goes(from) & vacant\"")
    .replace("put own guard at to", "move from -> to")
    .replace("text = \"{to}\"", "text = \"{from}{to}\"")
    .replace("main = \"put\"", "main = \"longest repeat put\"");
    quick(&text);
    // Each path would ask for very much.
    let text =
        text.replace("text =", "where = \"some a in all : some b in own : a in near(b) & near(to)\"\ntext =");
    refused(&text, &["cost"]);
}

/// An expression costs the same wherever it is written.
#[test]
fn the_work_of_a_definition_counts_where_it_is_named() {
    let square = "square = [8, 8]";
    let verdict = |define: &str, rest: &str, value: &str| {
        let (loaded, found) = try_out(&scored(square, define, rest, value), 1);
        (loaded, found.0.iter().any(|d| d.code == "cost"))
    };
    let loops = "sum a in all : sum b in all : sum c in all : sum d in 1..2 :";
    for (around, allowed) in
        [("", true), ("sum s in own : ", true), ("sum s in own : sum t in own : ", false)]
    {
        let whole = format!("{around}{loops} a");
        let whole = whole.replace(": a", ": row(a)");
        let inner = format!("{loops} row(a)");
        let in_place = verdict("", "", &whole);
        assert_eq!(in_place, (allowed, !allowed), "{whole}");
        assert_eq!(
            verdict(&format!("heavy = \"{inner}\""), "", &format!("{around}heavy")),
            in_place,
            "{whole}"
        );
        let named = format!("heavy = \"{inner}\"\nmore = \"0 + heavy\"");
        assert_eq!(verdict(&named, "", &format!("{around}more")), in_place, "{whole}");
    }
    // Through a relation, a trait, an effect and `can` too.
    let set = "{a in all : some b in all : some c in all : some d in 1..2 : row(c) = d}";
    let onto = format!("[relations]\nr = \"step any onto {set}\"");
    assert_eq!(verdict("", &onto, "sum s in own : sum t in own : count(r(s))"), (false, true));
    let text = scored(square, "", "", "sum s in own : sum t in own : count(goes(s))");
    refused(&text.replace("step any", &format!("step any onto {set}")), &["cost"]);
    let text = scored(square, "", "", "sum s in own : sum t in own : if can(put) then 1 else 0");
    refused(&text.replace("text =", &format!("where = \"to in {set}\"\ntext =")), &["cost"]);
    let effects = format!("[effects]\n\"e()\" = \"remove {set}\"");
    let text = small(square, "", &effects);
    refused(
        &text.replace("put own guard at to", "for s in own : for t in own : e(); put own guard at to"),
        &["cost"],
    );
    // Many rules that each may be: together they are too much.
    let loops = loops.replace("1..2", "1..20");
    let ends: String = (0..200)
        .map(|i| format!("[end.e{i}]\nwhen = \"({loops} row(a)) = 7\"\nresult = \"draw\"\n"))
        .collect();
    refused(&small(square, "", &ends), &["cost"]);
}

#[test]
fn names_that_are_not_known() {
    let rows: String =
        (0..2400).map(|i| format!("aaaaaaaaaaaaaaaaaaaaab{i} = \"aaaaaaaaaaaaaaaaaaaaac{i}\"\n")).collect();
    refused(&small("square = [5, 5]", &rows, ""), &["unknown-name"]);
    let rows: String =
        (0..10).map(|i| format!("{}{i} = \"{}{i}\"\n", "a".repeat(30_000), "a".repeat(29_999))).collect();
    refused(&small("square = [5, 5]", &rows, ""), &["unknown-name"]);
}

/// Many options, large boards and slow rules: what is left out of a check is counted, and it ends.
#[test]
fn checks_end() {
    let check = |text: &str| {
        let begin = Instant::now();
        let effort = Effort { moves: 300_000, loads: 9_000_000, ..Effort::default() };
        let checked = check::check("hostile", &[], &One(text), &mut Sources::default(), &effort);
        assert!(begin.elapsed() < LONG, "it took {:?}", begin.elapsed());
        assert!(!checked.has_errors(), "{:?}", checked.findings.first());
        checked
    };
    let options = |n: usize| -> String {
        (0..n).map(|i| format!("[options.o{i}]\nsummary = \"o\"\ndefine.a{i} = \"own\"\n")).collect()
    };
    let pairs = |n: usize| n * (n - 1) / 2;
    let checked = check(&small("square = [5, 5]", "", &options(256)));
    assert_eq!(checked.combinations + checked.left_out, 1 + 256 + 1 + pairs(256));
    assert!(checked.combinations > 257 && checked.left_out > 0, "{} were tried", checked.combinations);
    let checked = check(&small("square = [32, 32]", "", &options(64)));
    assert_eq!(checked.combinations + checked.left_out, 1 + 64 + 1 + pairs(64));
    assert!(checked.combinations > 65, "{} were tried", checked.combinations);
    let loops = "sum a in all : sum b in all : sum c in all : sum d in all : row(a)";
    let end = format!("[end.slow]\nwhen = \"({loops}) = 7\"\nresult = \"draw\"\n");
    let checked = check(&small("square = [8, 8]", "", &end));
    assert!(checked.seen.plies > 0 && checked.seen.plies < 64, "{} plies", checked.seen.plies);
    // Nothing is farther away than there are sites, and no more steps are counted.
    let end = "[end.far]\nwhen = \"some distance(own, 2147483647)\"\nresult = \"draw\"\n";
    let checked = check(&small("square = [8, 8]", "", end));
    assert!(checked.findings.iter().all(|d| d.code != "cost"), "{:?}", checked.findings);
}
