//! Nothing that comes from outside makes Farrier panic or hang: broken, random and huge definitions,
//! texts of positions and set-ups, records.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::cases::cases;
use crate::kit::{LONG, refused, shipped, small, try_out, try_with};
use farrier::analysis::playout;
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::notation::record::Record;
use farrier::play::Rng;
use farrier::shipped::Shipped;
use farrier::source::Sources;

#[test]
fn truncated_definitions() {
    let deadline = Instant::now() + Duration::from_secs(15);
    let mut tried = 0;
    // Every game in turn, so that all are tried when the time is up.
    let texts: Vec<String> = Shipped::list().iter().map(|n| shipped(n)).collect();
    let mut rng = Rng::new(7);
    'all: loop {
        for text in &texts {
            let mut end = rng.pick(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            try_out(&text[..end], tried);
            tried += 1;
            if Instant::now() > deadline || tried >= u64::from(cases(1000)) {
                break 'all;
            }
        }
    }
    assert!(tried >= 100, "only {tried} were tried");
}

#[test]
fn random_edits() {
    let deadline = Instant::now() + Duration::from_secs(20);
    let texts: Vec<String> = Shipped::list().iter().map(|n| shipped(n)).collect();
    let words: Vec<&str> = texts.iter().flat_map(|t| t.split_whitespace()).collect();
    let mut rng = Rng::new(11);
    let (mut tried, mut games) = (0, 0);
    while Instant::now() < deadline && tried < u64::from(cases(1000)) {
        let mut text = texts[rng.pick(texts.len())].clone().into_bytes();
        for _ in 0..1 + rng.pick(3) {
            let at = rng.pick(text.len());
            match rng.pick(6) {
                0 => text[at] = rng.pick(128) as u8,
                1 => drop(text.remove(at)),
                2 => text.insert(at, b"\"'[]{}().,;=#|&~-+0123456789abc\n "[rng.pick(33)]),
                3 => {
                    let to = (at + rng.pick(40)).min(text.len());
                    text.drain(at..to);
                }
                4 => {
                    let word = words[rng.pick(words.len())];
                    text.splice(at..at, format!(" {word} ").into_bytes());
                }
                // A number gets another.
                _ => {
                    let digits: Vec<usize> = (0..text.len()).filter(|i| text[*i].is_ascii_digit()).collect();
                    if let Some(i) = (!digits.is_empty()).then(|| digits[rng.pick(digits.len())]) {
                        let numbers = ["0", "9", "-1", "31", "65", "1000", "2147483647", "99999999999"];
                        text.splice(i..=i, numbers[rng.pick(numbers.len())].bytes());
                    }
                }
            }
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        games += usize::from(try_out(&text, tried).0);
        tried += 1;
    }
    assert!(tried >= 100 && games > 0, "{tried} were tried, {games} of them games");
}

#[test]
fn words_in_other_places() {
    // Rules with their names exchanged are right syntax and mostly wrong types.
    let deadline = Instant::now() + Duration::from_secs(15);
    let mut rng = Rng::new(13);
    let (mut tried, mut games) = (0, 0);
    let texts: Vec<String> = Shipped::list().iter().map(|n| shipped(n)).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '-';
    while Instant::now() < deadline && tried < u64::from(cases(500)) {
        let text = &texts[rng.pick(texts.len())];
        let names: Vec<(usize, &str)> = text
            .match_indices(|c: char| c.is_ascii_lowercase())
            .filter(|(i, _)| !text[..*i].ends_with(is_name))
            .map(|(i, _)| (i, &text[i..i + text[i..].find(|c| !is_name(c)).unwrap_or(text.len() - i)]))
            .collect();
        let ((at, old), (_, new)) = (names[rng.pick(names.len())], names[rng.pick(names.len())]);
        let edited = format!("{}{new}{}", &text[..at], &text[at + old.len()..]);
        games += usize::from(try_out(&edited, tried).0);
        tried += 1;
    }
    assert!(tried >= 100 && games > 0, "{tried} were tried, {games} of them games");
}

#[test]
fn deep_nesting() {
    for n in [10, 100, 1000, 100_000] {
        let open = |a: &str, b: &str| format!("{}own{}", a.repeat(n), b.repeat(n));
        for (a, b) in [("(", ")"), ("near(", ")"), ("not ", ""), ("{x in ", " : true}"), ("own & (", ")")] {
            try_out(&small("square = [5, 5]", &format!("deep = \"{}\"", open(a, b)), ""), 1);
        }
        let list = format!("deep = {}{}", "[".repeat(n), "]".repeat(n));
        refused(&small("square = [5, 5]", &list, ""), &["toml", "wrong-type", "too-deep"]);
        let flow = format!("{}put{}", "try (".repeat(n), ")".repeat(n));
        try_out(
            &small("square = [5, 5]", "", "").replace("main = \"put\"", &format!("main = \"{flow}\"")),
            1,
        );
        let effect = format!("{}put own guard at to", "if true then ".repeat(n));
        try_out(&small("square = [5, 5]", "", "").replace("put own guard at to", &effect), 1);
        let keys = format!("a{} = 1", ".b".repeat(n));
        refused(&small("square = [5, 5]", &keys, ""), &["toml", "too-deep", "unknown-key", "wrong-type"]);
    }
}

#[test]
fn long_rules() {
    for n in [100, 10_000, 100_000] {
        let sum = format!("long = \"{}1\"", "1 + ".repeat(n));
        try_out(&small("square = [5, 5]", &sum, ""), 1);
        let union = format!("long = \"{}own\"", "own | ".repeat(n));
        try_out(&small("square = [5, 5]", &union, "[score]\nvalue = \"count(long)\""), 1);
        let effects = format!("{}put own guard at to", "remove enemy & own; ".repeat(n));
        try_out(&small("square = [5, 5]", "", "").replace("put own guard at to", &effects), 1);
        let flow = format!("{}put", "try put, ".repeat(n));
        try_out(
            &small("square = [5, 5]", "", "").replace("main = \"put\"", &format!("main = \"{flow}\"")),
            1,
        );
    }
}

#[test]
fn definitions_that_double() {
    // Each names the one before twice: put in, there would be 2^60 parts.
    for (first, join) in [("own", "|"), ("1", "+"), ("true", "and"), ("count(own)", "+")] {
        let mut define = format!("d0 = \"{first}\"\n");
        for i in 1..60 {
            define += &format!("d{i} = \"d{} {join} d{}\"\n", i - 1, i - 1);
        }
        let value = match join {
            "|" => "count(d59)",
            "and" => "if d59 then 1 else 0",
            _ => "d59",
        };
        try_out(&small("square = [5, 5]", &define, &format!("[score]\nvalue = \"{value}\"")), 1);
    }
    let mut effects = "[effects]\n\"e0()\" = \"remove enemy & own\"\n".to_owned();
    for i in 1..60 {
        effects += &format!("\"e{i}()\" = \"e{}(); e{}()\"\n", i - 1, i - 1);
    }
    let text =
        small("square = [5, 5]", "", &effects).replace("put own guard at to", "put own guard at to; e59()");
    try_out(&text, 1);
}

#[test]
fn huge_boards() {
    for n in ["0", "-1", "1", "33", "1000", "65536", "2147483647", "99999999999999999999"] {
        for m in ["1", "8", "2147483647"] {
            try_out(&small(&format!("square = [{n}, {m}]"), "", ""), 1);
            try_out(&small(&format!("hex = [{n}, {m}]"), "", ""), 1);
        }
        try_out(&small(&format!("hexhex = {n}"), "", ""), 1);
        try_out(&small(&format!("triangle = {n}"), "", ""), 1);
        try_out(&small(&format!("square = [5, 5]\nremove = \"a{n}\""), "", ""), 1);
    }
    let chain: Vec<String> = (0..20_000).map(|i| format!("s{i}")).collect();
    let graph = format!("graph.edges.\"e w\" = \"{}\"", chain.join("-"));
    refused(&small(&graph, "", ""), &["board"]);
}

#[test]
fn huge_numbers() {
    for n in ["0", "-1", "63", "64", "100000", "2147483647", "-2147483648", "99999999999999999999"] {
        let square = "square = [6, 6]";
        let game = small(square, "", "");
        for pattern in [format!("leap {n},{n}"), format!("leap 1,{n}"), format!("slide any upto {n}")] {
            let edited =
                game.replace("step any", &pattern).replace("to in vacant", "to in vacant | goes(own)");
            try_out(&edited, 1);
        }
        for e in [
            format!("count(row({n}))"),
            format!("count(side({n}))"),
            format!("count(line(own, {n}))"),
            format!("count(distance(own, {n}))"),
            format!("1 / {n} + 1 % {n} + abs({n}) * {n} * {n}"),
            format!("sum i in 1..{n} : i"),
            format!("sum i in {n}..3 : i"),
            format!("sum i in 1..{n} : sum j in 1..{n} : i * j"),
            format!("sum i in 1..{n} : count(own)"),
        ] {
            try_out(&small(square, "", &format!("[score]\nvalue = \"{e}\"")), 1);
            try_out(&small(square, &format!("fold = \"{e}\""), "[score]\nvalue = \"fold\""), 1);
        }
        for key in [
            format!("[pieces.guard]\nstack = {n}"),
            format!("[state]\nclock = {{ type = \"int\", start = {n} }}"),
            format!("[state]\nclock = {{ type = \"int\", lasts = {n} }}"),
            format!("[state]\nclock = {{ type = \"int\", per = \"site\", shuffle = \"0..{n}\" }}"),
            format!("[setup]\nboard = \"{n}/{n}/{n}/{n}/{n}/{n}\""),
            format!("[options.size]\nsummary = \"Size\"\nrange = [{n}, {n}]"),
            format!("[options.size]\nsummary = \"Size\"\nrange = [1, {n}]"),
            format!("[match]\ntarget = {n}\npoints = \"if won then {n} else 0\""),
            format!("[[tests]]\nname = \"perft\"\nperft = [{n}]"),
            format!("[[tests]]\nname = \"seed\"\nseed = {n}\ncount = {n}"),
        ] {
            try_out(&small(square, "", &key), 1);
        }
        try_out(
            &game.replace("to in vacant", &format!("to in vacant, n in 1..{n}")).replace("{to}", "{to}{n}"),
            1,
        );
    }
    for position in ["[2147483647]", "[1, 2147483647]", "[0]"] {
        try_out(&small("square = [6, 6]", "", &format!("[[tests]]\nname = \"p\"\nperft = {position}")), 1);
    }
}

#[test]
fn endless_work_is_refused() {
    let square = "square = [8, 8]";
    let score = |e: &str| small(square, "", &format!("[score]\nvalue = \"{e}\""));
    refused(&score("sum i in 0..2000000000 : i"), &["cost"]);
    refused(&score("sum i in 0..2000000000 : count(own)"), &["cost"]);
    refused(&score("sum i in 0..ply : sum j in 0..ply : i"), &["cost"]);
    let nested = "sum a in all : sum b in all : sum c in all : sum d in all : sum e in all : sum f in all : ";
    refused(&score(&format!("{nested} 1")), &["cost"]);
    refused(&score(&format!("{nested} count(own & near(f))")), &["cost"]);
    refused(
        &score(
            "count({a in all : some b in all : some c in all : some d in all : some e in all : some f in own : f = a})",
        ),
        &["cost"],
    );
    let effects = small(square, "", "").replace(
        "put own guard at to",
        "for a in all : for b in all : for c in all : for d in all : for e in all : for f in all : remove a",
    );
    refused(&effects, &["cost"]);
    let choose = small(square, "", "")
        .replace("to in vacant", "to in vacant, n in 1..2000000000")
        .replace("{to}", "{to}{n}");
    refused(&choose, &["cost"]);
    let define = "\"a(x)\" = \"sum y in all : b(y)\"\n\"b(x)\" = \"sum y in all : c(y)\"\n\"c(x)\" = \"sum y in all : d(y)\"\n\"d(x)\" = \"sum y in all : e(y)\"\n\"e(x)\" = \"sum y in all : row(y)\"";
    refused(&small(square, define, "[score]\nvalue = \"sum x in own : a(x)\""), &["cost"]);
    // Much, but not too much: what it costs is measured in play.
    let (loaded, found) = try_out(
        &small(
            square,
            "",
            "[score]\nvalue = \"sum a in own : sum b in own : sum c in all : sum i in 1..3 : if a in near(b) then 1 else 0\"",
        ),
        1,
    );
    assert!(loaded && !found.0.iter().any(|d| d.code == "cost"), "{found:?}");
}

#[test]
fn many_of_everything() {
    let game = small("square = [5, 5]", "", "");
    let many = |n: usize, row: &dyn Fn(usize) -> String| -> String { (0..n).map(row).collect() };
    for n in [100, 5000, 50_000] {
        try_out(
            &format!(
                "{game}{}",
                many(n, &|i| format!("[options.o{i}]\nsummary = \"o\"\ndefine.a{i} = \"own\"\n"))
            ),
            1,
        );
        try_out(&format!("{game}{}", many(n, &|i| format!("[pieces.p{i}]\nletter = \"p\"\n"))), 1);
        try_out(&format!("{game}[state]\n{}", many(n, &|i| format!("s{i} = {{ type = \"sites\" }}\n"))), 1);
        try_out(
            &format!(
                "{game}[state]\n{}",
                many(n, &|i| format!("s{i} = {{ type = \"int\", per = [\"site\", \"site\", \"kind\"] }}\n"))
            ),
            1,
        );
        try_out(&format!("{game}[relations]\n{}", many(n, &|i| format!("r{i} = \"slide any\"\n"))), 1);
        try_out(
            &format!("{game}{}", many(n, &|i| format!("[end.e{i}]\nwhen = \"no own\"\nresult = \"draw\"\n"))),
            1,
        );
        try_out(&format!("{game}{}", many(n, &|i| format!("[[tests]]\nname = \"{i}\"\n"))), 1);
        try_out(&game.replace("\"south\"", &many(n, &|i| format!("\"p{i}\", "))), 1);
    }
    let choices = Choices { with: (0..1_000_000).map(|i| format!("o{i}")).collect(), ..Choices::default() };
    assert!(!try_with(&game, &choices, 1).0);
    let choices = Choices {
        set: (0..10_000).map(|i| (format!("o{i}"), "\u{0}".repeat(i % 100))).collect(),
        ..Choices::default()
    };
    assert!(!try_with(&game, &choices, 1).0);
}

#[test]
fn garbage() {
    let mut rng = Rng::new(17);
    for n in [0, 1, 2, 10, 1000, 1 << 20, (1 << 20) + 1] {
        let bytes: Vec<u8> = (0..n).map(|_| rng.pick(256) as u8).collect();
        try_out(&String::from_utf8_lossy(&bytes), 1);
        let letters: String = (0..n).map(|_| b"abc []{}\"'=.,\n#0"[rng.pick(16)] as char).collect();
        try_out(&letters, 1);
        for unit in ["[", "{", "\"", "a.", "a=1\n", "\n", "\\", "#", "[a]\n", "\u{feff}", "\"\"\"", "é"] {
            try_out(&unit.repeat(n / unit.len()), 1);
        }
    }
    let game = small("square = [5, 5]", "", "");
    for byte in ["\u{0}", "\u{1b}[31m", "\u{202e}", "\r", "\u{7f}", "\u{10ffff}"] {
        for at in (0..game.len()).step_by(7) {
            try_out(&format!("{}{byte}{}", &game[..at], &game[at..]), 1);
        }
    }
}

/// A text with a few letters changed.
fn shaken(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.pick(4) {
        let at = rng.pick(letters.len() + 1);
        match rng.pick(4) {
            0 if at < letters.len() => drop(letters.remove(at)),
            1 if at < letters.len() => {
                let to = rng.pick(letters.len());
                letters.swap(at, to);
            }
            2 => {
                let long =
                    ["99999999999999999999", "(", ")", "{", "*", "2147483647", "-", "-1", "/", "é", "|"];
                letters.splice(at..at, long[rng.pick(long.len())].chars());
            }
            _ => letters.insert(at, rng.pick(128) as u8 as char),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn texts_of_positions() {
    let mut rng = Rng::new(19);
    let deadline = Instant::now() + Duration::from_secs(15);
    for (i, name) in Shipped::list().iter().enumerate() {
        let (game, _) = Game::load(name, &Shipped, &Choices::default(), &mut Sources::default());
        let game = game.expect("a shipped game");
        let mut machine = game.machine().expect("a sound program");
        let mut pos = game.start(&mut machine, None, i as u64).expect("a start");
        let mut texts: Vec<String> = game.texts().write_setup(&pos).into_iter().collect();
        for _ in 0..4 {
            texts.push(game.texts().write(&mut machine, &pos));
            playout::play(&mut machine, &mut pos, &mut rng, 8, |_, _, _, _| {});
        }
        for n in 0..400 {
            let text = match n {
                0 => String::new(),
                1 => "9".repeat(100_000),
                2 => "/".repeat(100_000),
                3 => "(".repeat(100_000),
                4 => " ".repeat(100_000),
                5 => "\u{0}é{}".repeat(1000),
                _ => shaken(&texts[rng.pick(texts.len())], &mut rng),
            };
            let done = catch_unwind(AssertUnwindSafe(|| {
                let Ok(mut pos) = game.start(&mut machine, Some(&text), 1) else { return };
                let mut rng = Rng::new(n);
                playout::play(&mut machine, &mut pos, &mut rng, 5, |_, _, _, _| {});
                game.texts().write(&mut machine, &pos);
                game.texts().write_setup(&pos);
            }));
            assert!(done.is_ok(), "{name} panicked on {text:?}");
            assert!(Instant::now() < deadline + LONG, "{name} takes too long");
        }
    }
}

#[test]
fn records() {
    let mut rng = Rng::new(23);
    let (game, _) = Game::load("hex", &Shipped, &Choices::default(), &mut Sources::default());
    let game = game.expect("a shipped game");
    let mut machine = game.machine().expect("a sound program");
    let start = game.start(&mut machine, None, 1).expect("a start");
    let record = playout::record(&game, &mut machine, &start, 1, 30);
    let text = record.write();
    assert_eq!(Record::read(&text).as_ref(), Ok(&record));
    for _ in 0..3000 {
        let text = shaken(&text, &mut rng);
        let done = catch_unwind(AssertUnwindSafe(|| {
            let Ok(record) = Record::read(&text) else { return };
            let _ = farrier::analysis::replay::verify(&game, &record);
        }));
        assert!(done.is_ok(), "this record makes it panic: {text}");
    }
    for text in ["", "\n\n", "{}", "[]", "null", "{\"game\":1}", "\u{0}"] {
        let _ = Record::read(text);
    }
    let deep =
        format!("{{\"game\":\"hex\",\"options\":{}1{}}}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(Record::read(&deep).is_err());
}
