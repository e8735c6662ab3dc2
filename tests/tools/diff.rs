//! `farrier diff`: differences are found, pointed at and told; what means the same is equal.

mod reformat;

use std::path::Path;

use crate::cases::cases;
use farrier::diff::{Change, Diff, Difference, Section, diff};
use farrier::game::Game;
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};
use farrier::variant::Variant;

fn load(word: &str, files: &dyn Files, sources: &mut Sources) -> Game {
    let (game, found) = Variant::parse(word).unwrap().load(files, sources);
    game.unwrap_or_else(|| {
        let at = |d: &farrier::diagnostic::Diagnostic| {
            format!("{:?} {} {:?}", sources.line_column(d.span()), d.message, sources.slice(d.span()))
        };
        panic!("{word}: {:#?}", found.0.iter().map(at).collect::<Vec<_>>())
    })
}

fn compare(left: &str, right: &str) -> Diff {
    let mut sources = Sources::default();
    let (l, r) = (load(left, &Shipped, &mut sources), load(right, &Shipped, &mut sources));
    diff(&l, &r, &[], &sources).unwrap()
}

fn sentences(diff: &Diff) -> Vec<&str> {
    diff.differences.iter().map(|d| d.sentence.as_str()).collect()
}

/// The options of which the two sides of a difference say that they made it.
fn options(d: &Difference) -> [Option<&str>; 2] {
    [&d.left, &d.right].map(|side| side.as_ref().and_then(|side| side.place.option.as_deref()))
}

#[test]
fn every_pair_of_combinations_differs_by_what_the_options_say() {
    let names = ["neighbor-attack", "switch-move", "single-pawn-blocks", "doubled-free-pawn"];
    let on = |set: usize| names.iter().enumerate().filter(move |(i, _)| set & (1 << i) != 0).map(|(_, n)| *n);
    let mut sources = Sources::default();
    let games: Vec<Game> = (0..16)
        .map(|set| {
            let word = on(set).fold("knights-and-pawns".to_owned(), |word, name| word + "+" + name);
            load(&word, &Shipped, &mut sources)
        })
        .collect();
    for (a, left) in games.iter().enumerate() {
        for (b, right) in games.iter().enumerate() {
            let found = diff(left, right, &[], &sources).unwrap();
            assert_eq!(found.is_equal(), a == b, "{a} {b}");
            assert!(found.notes.is_empty(), "{a} {b}: {:?}", found.notes);
            let (only_left, only_right) = (a & !b, b & !a);
            let (lefts, rights): (Vec<&str>, Vec<&str>) = (on(only_left).collect(), on(only_right).collect());
            let mut seen = Vec::new();
            for d in &found.differences {
                let [from, to] = options(d);
                seen.extend(from.into_iter().chain(to));
                match (d.section, d.change) {
                    (Section::Options, _) => {
                        let name = d.path.split('.').nth(1).unwrap();
                        assert!(lefts.contains(&name) || rights.contains(&name), "{}", d.sentence);
                    }
                    (_, Change::Added) => assert!(rights.contains(&to.unwrap()), "{}", d.sentence),
                    (_, Change::Removed) => assert!(lefts.contains(&from.unwrap()), "{}", d.sentence),
                    _ => {
                        let right = to.is_some_and(|name| rights.contains(&name));
                        let left = from.is_some_and(|name| lefts.contains(&name));
                        assert!(left || right, "{}", d.sentence);
                    }
                }
            }
            for name in lefts.iter().chain(&rights) {
                let path = format!("options.{name}.is");
                assert!(found.differences.iter().any(|d| d.path == path), "{name} is told");
                assert!(seen.contains(name), "{a} {b}: something is said to come from {name}");
            }
        }
    }
}

#[test]
fn a_reformatted_game_is_the_same_game() {
    let mut files = MemoryFiles::default();
    for name in Shipped::list() {
        files.0.insert(name.clone(), reformat::reformat(&name));
    }
    for name in Shipped::list() {
        let mut sources = Sources::default();
        let (game, copy) = (load(&name, &Shipped, &mut sources), load(&name, &files, &mut sources));
        let found = diff(&game, &copy, &[], &sources).unwrap();
        assert!(found.is_equal(), "{name}: {:#?}", sentences(&found));
        assert!(found.notes.is_empty(), "{name}: {:#?}", found.notes);
        let text = Shipped.read(&name).unwrap();
        assert_ne!(text, files.0[&name]);
        // It is not equal because nothing was compared: with each end and decision gone it differs.
        let less =
            files.0[&name].lines().filter(|l| !l.starts_with("\"turn\" . \"main\"")).collect::<Vec<_>>();
        let less = less.join("\n") + "\nturn.main = \"pass\"\n";
        let mut files = files.clone();
        files.0.insert(name.clone(), less);
        let copy = load(&name, &files, &mut sources);
        assert!(!diff(&game, &copy, &[], &sources).unwrap().is_equal(), "{name}");
    }
}

#[test]
fn a_game_with_all_names_exchanged_is_the_same_game() {
    for name in Shipped::list() {
        for seed in 1..=u64::from(cases(1)) {
            let files = MemoryFiles(reformat::exchanged(&name, seed).into_iter().collect());
            let mut sources = Sources::default();
            let (game, copy) = (load(&name, &Shipped, &mut sources), load(&name, &files, &mut sources));
            let found = diff(&game, &copy, &[], &sources).unwrap();
            assert!(found.is_equal(), "{name} {seed}: {:#?}", sentences(&found));
            assert!(found.same_program, "{name} {seed}");
            assert!(found.notes.iter().all(|note| note.change == Change::Renamed), "{:#?}", found.notes);
            let back = diff(&copy, &game, &[], &sources).unwrap();
            assert_eq!(found.mirrored(), back, "{name} {seed}");
        }
    }
}

#[test]
fn left_and_right_can_be_changed_over() {
    let mut words = Shipped::list();
    words.extend(
        ["hex:size=9", "knightcap:scoring=compound", "knights-and-pawns+switch-move"].map(str::to_owned),
    );
    // A game and its variants come one after the other.
    words.sort();
    let mut sources = Sources::default();
    let games: Vec<Game> = words.iter().map(|word| load(word, &Shipped, &mut sources)).collect();
    for (a, left) in games.iter().enumerate() {
        // Less than a quarter of all pairs, some near and some far.
        for further in [0, 1, 13, 2, 5, 34, 3, 8, 21].into_iter().take(cases(3) as usize) {
            let b = a + further;
            let Some(right) = games.get(b) else { break };
            let there = diff(left, right, &[], &sources).unwrap();
            let back = diff(right, left, &[], &sources).unwrap();
            assert_eq!(there.is_equal(), a == b, "{} {}", words[a], words[b]);
            let (there, back) = (there.mirrored(), back);
            for (x, y) in there.differences.iter().zip(&back.differences) {
                assert_eq!(x, y, "{} {}", words[a], words[b]);
            }
            assert_eq!(there, back, "{} {}", words[a], words[b]);
        }
    }
}

/// What two effects say differs in a local only, which has another number in each of the two.
#[test]
fn what_is_said_to_have_moved_does_not_depend_on_the_side() {
    let text = |choose: &str, effects: &str| {
        format!(
            "name = \"Two\"\nboard.square = [3, 3]\npieces.man.letter = \"m\"\nturn.main = \"go\"\nturn.stuck = \"draw\"\n\
             [decisions.go]\nchoose = \"{choose}\"\ndo = \"{effects}\"\ntext = \"{{x}}{{y}}\"\n"
        )
    };
    let one = text("x in own, y in vacant", "remove x; remove y");
    let other = text("y in vacant, x in own", "remove y; remove x");
    let third = text("y in vacant, x in own", "remove y; lift x; remove x");
    let files = MemoryFiles::default().with("./a.toml", one).with("./b.toml", other).with("./c.toml", third);
    let mut sources = Sources::default();
    let games = ["./a.toml", "./b.toml", "./c.toml"].map(|word| load(word, &files, &mut sources));
    for left in &games {
        for right in &games {
            let there = diff(left, right, &[], &sources).unwrap();
            assert_eq!(there.mirrored(), diff(right, left, &[], &sources).unwrap());
        }
    }
    let found = diff(&games[0], &games[1], &[], &sources).unwrap();
    assert_eq!(found.differences.iter().filter(|d| d.change == Change::Moved).count(), 2);
}

/// Compares a shipped game with a copy in which one text was replaced.
fn edited(game: &str, from: &str, to: &str) -> (Diff, Sources, usize) {
    let text = Shipped.read(game).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from} is there once");
    let at = text.find(from).unwrap();
    let mut files = MemoryFiles::default();
    for name in Shipped::list() {
        files.0.insert(name.clone(), Shipped.read(&name).unwrap());
    }
    files.0.insert("copy.toml".to_owned(), text.replace(from, to));
    let mut sources = Sources::default();
    let (l, r) = (load(game, &files, &mut sources), load("copy.toml", &files, &mut sources));
    (diff(&l, &r, &[], &sources).unwrap(), sources, at)
}

#[test]
fn one_word_deep_in_a_rule_is_pointed_at() {
    // The game, what is replaced by what with a mark before the word that differs, the key, the sentence.
    let edits = [
        (
            "chess",
            "remove back(@to & passed)",
            "remove back(@from & passed)",
            "decisions.move.do",
            "decision `move`, what happens (`do`): `to` became `from` in `to & passed`",
        ),
        (
            "chess",
            "passed = skipped & takes(@enemy pawn)",
            "passed = skipped & takes(@own pawn)",
            "decisions.move.do",
            "decision `move`, what happens (`do`): `enemy` became `own` in `enemy pawn`",
        ),
        (
            "chess",
            "(column(s) + row(s)) % @2 = 0",
            "(column(s) + row(s)) % @3 = 0",
            "regions.dark",
            "region `dark`: `2` became `3` in `(column(s) + row(s)) % 2`",
        ),
        (
            "chess",
            "= \"leap 1,2\",         takes = \"@leap 1,2\"",
            "= \"leap 1,2\",         takes = \"@leap 1,3\"",
            "pieces.knight.takes",
            "piece `knight`, `takes`: `leap 1,2` became `leap 1,3`",
        ),
        (
            "chess",
            "(count(knight | @bishop) <= 1",
            "(count(knight | @queen) <= 1",
            "end.dead.when",
            "end `dead`, the condition `when`: `bishop` became `queen` in `knight | bishop`",
        ),
        (
            "chess",
            "slide @forward upto 2 leaving starts",
            "slide @backward upto 2 leaving starts",
            "pieces.pawn.goes",
            "piece `pawn`, `goes`: `forward` became `backward` in `slide forward`",
        ),
        (
            "chess",
            "if some checkers then @mover loses",
            "if some checkers then @opponent loses",
            "turn.stuck",
            "the turn, what happens without a move (`stuck`): `mover` became `opponent` in `mover loses`",
        ),
        (
            "knights-and-pawns",
            "if to in pawn then reserve[@opponent] += 1",
            "if to in pawn then reserve[@mover] += 1",
            "decisions.knight.do",
            "decision `knight`, what happens (`do`): `opponent` became `mover` in `reserve[opponent] += 1`",
        ),
        (
            "knights-and-pawns",
            "knight, fill, free-pawn if @quiet",
            "knight, fill, free-pawn if @true",
            "turn.main",
            "the turn, its course (`main`): `quiet` became `true` in `free-pawn if quiet`",
        ),
        (
            "knightshade",
            "distance(centre, base - @2)",
            "distance(centre, base - @3)",
            "regions.penultimate",
            "region `penultimate`: `2` became `3` in `base - 2`",
        ),
    ];
    for (game, from, to, path, sentence) in edits {
        let mark = from.find('@').unwrap();
        assert_eq!(to.find('@'), Some(mark), "the mark is at one place");
        let (found, sources, at) = edited(game, &from.replace('@', ""), &to.replace('@', ""));
        assert_eq!(sentences(&found), [sentence]);
        let d = &found.differences[0];
        assert_eq!((d.path.as_str(), d.change), (path, Change::Changed));
        let file = sources.iter().find(|(_, s)| s.name == format!("{game}.toml")).unwrap().0;
        let start = (at + mark) as u32;
        let place = sources.line_column(farrier::source::Span { file, start, end: start });
        for side in [&d.left, &d.right] {
            let side = side.as_ref().unwrap();
            assert_eq!((side.place.line, side.place.column), (place.line, place.column), "{sentence}");
            let marked: Vec<&str> =
                side.written.iter().flat_map(|w| w.marks.iter().map(|m| &w.text[m.clone()])).collect();
            assert_eq!(marked, [side.text.as_str()]);
        }
        assert_eq!(d.left.as_ref().unwrap().place.file, format!("{game}.toml"));
        assert_eq!(d.right.as_ref().unwrap().place.file, "copy.toml");
    }
}

#[test]
fn what_is_put_into_something_else_is_told_as_a_whole() {
    let found = compare("knightcap", "knightcap:scoring=compound");
    let score: Vec<&str> = found
        .differences
        .iter()
        .filter(|d| d.section == Section::Score)
        .map(|d| d.sentence.as_str())
        .collect();
    assert_eq!(
        score,
        [
            "the score: `taken` became `banked` in `taken[mover]`",
            "the score: `count(knight & mine)` became `group(count(knight & mine))`"
        ]
    );
}

#[test]
fn the_texts_of_a_decision_are_told_apart() {
    let (found, ..) = edited("draughts", "joined = \"{to}\"", "");
    assert_eq!(
        sentences(&found),
        ["decision `jump`: the text behind another ply (`joined`) is gone: `{to}`"]
    );
}

#[test]
fn an_option_of_a_value_is_pointed_at_by_its_effects() {
    let found = compare("hex:size=9", "hex");
    let goal = found.differences.iter().find(|d| d.path == "define.goal.blue").unwrap();
    assert_eq!(
        goal.sentence,
        "definition `goal`, of blue: `size (now 9)` became `size (now 11)` in `column(size)`"
    );
    assert!(!found.same_rules());
}

/// A small game with what is to be compared in it.
fn small(more: &str) -> String {
    let head = r#"
name = "Small"
board.square = [5, 5]
pieces.man = { letter = "m" }
pieces.king = { letter = "k" }
decisions.go = { choose = "from in own, to in near(from)", do = "move from -> to", text = "{from}{to}" }
turn.main = "go"
"#;
    format!("{head}{more}\n")
}

fn compare_texts(left: &str, right: &str, map: &[(String, String)]) -> Result<Diff, String> {
    let mut files = MemoryFiles::default();
    files.0.insert("./left.toml".to_owned(), left.to_owned());
    files.0.insert("./right.toml".to_owned(), right.to_owned());
    let mut sources = Sources::default();
    let (l, r) = (load("./left.toml", &files, &mut sources), load("./right.toml", &files, &mut sources));
    diff(&l, &r, map, &sources).map_err(|error| format!("{} {:?}", error.message, error.help))
}

#[test]
fn equal_by_meaning_is_what_the_documentation_says() {
    let when = |rule: &str| small(&format!("end.e = {{ when = '{rule}', result = 'draw' }}"));
    let equal = [
        ("some own & man and ply > 3", "3 < ply and some (man own)"),
        ("no own or ply = 2 or ply > 9", "ply > 9 or (2 = ply or not (some own))"),
        ("some x in own : x not in edge", "some y in own : not (y in edge)"),
        ("some x in own : some y in enemy : x in near(y)", "some b in own : some a in enemy : b in near(a)"),
        ("1 + 2 * ply >= 9", "9 <= ply * 2 + 1"),
        ("some x in own : x in edge and row(x) = 2", "some q in own : 2 = row(q) and q in edge"),
        ("some (own | vacant | man)", "some (man | (vacant | own))"),
        (
            "after (let x = first(own); remove x; let y = first(own); remove y) : no own",
            "after ((let a = first(own); (remove a)); let b = first(own); (remove b)) : no own",
        ),
    ];
    for (a, b) in equal {
        let found = compare_texts(&when(a), &when(b), &[]).unwrap();
        assert!(found.is_equal(), "{a} / {b}: {:?}", sentences(&found));
    }
    let different = [
        ("some own & man and ply > 3", "some own & man and ply < 3"),
        ("some x in own : some y in enemy : x in near(y)", "some x in own : some y in enemy : y in near(x)"),
        ("some x in own : some y in own : x in near(y)", "some x in own : some y in own : x in near(x)"),
        ("ply - 1 - 2 > 0", "ply - (1 - 2) > 0"),
        ("ply - 1 > 0", "1 - ply > 0"),
        ("ply + 1 + 2 > 0", "ply + (1 + 2) > 0"),
        ("no own or ply = 2 and ply > 9", "(no own or ply = 2) and ply > 9"),
        ("some own - edge - man", "some own - man - edge"),
        ("not (ply = 1 or ply = 2)", "not (ply = 1) and not (ply = 2)"),
        (
            "after (let x = first(own); remove x; let y = first(own); remove y) : no own",
            "after (let x = first(own); let y = first(own); remove x; remove y) : no own",
        ),
    ];
    for (a, b) in different {
        let found = compare_texts(&when(a), &when(b), &[]).unwrap();
        assert!(!found.is_equal(), "{a} / {b}");
    }
    let patterns = [
        ("step n e or leap 1,2", "leap 2,1 or step e n", true),
        ("slide n through vacant onto enemy", "slide n onto enemy through vacant", true),
        ("walk n e", "walk e n", false),
        ("step n or none", "step n", true),
        ("pairs a1-b2-c3", "pairs b2-c3 a1-b2", true),
        ("step n onto own", "step n leaving own", false),
    ];
    for (a, b, equal) in patterns {
        let game = |rule: &str| {
            small(&format!("relations.r = '{rule}'\nend.e = {{ when = 'some r(own)', result = 'draw' }}"))
        };
        let found = compare_texts(&game(a), &game(b), &[]).unwrap();
        assert_eq!(found.is_equal(), equal, "{a} / {b}: {:?}", sentences(&found));
    }
    let flows = [
        ("either go or pass", "either pass or go", true),
        ("go, (go, pass)", "go, go, pass", true),
        ("go, pass", "pass, go", false),
        ("try go", "may go", false),
    ];
    for (a, b, equal) in flows {
        let game = |rule: &str| {
            small(&format!("flow.f = '{rule}'")).replace("turn.main = \"go\"", "turn.main = \"f\"")
        };
        let found = compare_texts(&game(a), &game(b), &[]).unwrap();
        assert_eq!(found.is_equal(), equal, "{a} / {b}: {:?}", sentences(&found));
    }
}

#[test]
fn names_are_only_names() {
    let left = small(
        "define = { far = 'edge & vacant', 'lies(x)' = 'x in far' }\n\
         state = { quiet = { type = 'int' }, loud = { type = 'int' } }\n\
         turn.finish = 'quiet += 1; loud = quiet'\n\
         end.e = { when = 'some y in own : lies(y)', result = 'draw' }\n",
    );
    let right = small(
        "define = { rim = 'vacant & edge', 'there(q)' = 'q in rim' }\n\
         state = { b = { type = 'int' }, a = { type = 'int' } }\n\
         turn.finish = 'a += 1; b = a'\n\
         end.finis = { when = 'some q in own : there(q)', result = 'draw' }\n",
    )
    .replace("decisions.go", "decisions.step")
    .replace("turn.main = \"go\"", "turn.main = \"step\"")
    .replace("pieces.king", "pieces.chief");
    let found = compare_texts(&left, &right, &[]).unwrap();
    assert!(found.is_equal(), "{:?}", sentences(&found));
    let mut notes: Vec<&str> = found.notes.iter().map(|d| d.sentence.as_str()).collect();
    notes.sort_unstable();
    // Two variables that are used alike in one rule cannot be told apart by where they are used.
    assert_eq!(notes.len(), 7, "{notes:#?}");
    assert!(notes.contains(&"definition `far` is called `rim` now"), "{notes:#?}");
    assert!(notes.contains(&"decision `go` is called `step` now"));
    assert!(notes.contains(&"piece `king` is called `chief` now"));
}

#[test]
fn a_definition_stands_for_what_it_says() {
    let when =
        |rule: &str, more: &str| small(&format!("{more}\nend.e = {{ when = '{rule}', result = 'draw' }}"));
    let inlined = when("ply > 3 and no own & edge and no man", "");
    let named = when("no man and lost", "define = { lost = 'no rim and ply > 3', rim = 'edge & own' }");
    let found = compare_texts(&inlined, &named, &[]).unwrap();
    assert!(found.is_equal(), "{:?}", sentences(&found));
    assert_eq!(found.notes.len(), 2, "the two names: {:?}", found.notes);
    // What a name ranges over depends on how kinds are written: `some` of sites, `some` of kinds.
    let alone = when("some q in man : some own & q", "");
    let kinds = when("some q in k : some own & q", "define.k = 'man'");
    assert!(!compare_texts(&alone, &kinds, &[]).unwrap().is_equal());
    // A name that a difference uses is one itself.
    let other = when("no man or lost", "define = { lost = 'no rim and ply > 3', rim = 'edge & own' }");
    let found = compare_texts(&inlined, &other, &[]).unwrap();
    let new: Vec<&str> = found.differences.iter().filter(|d| d.whole).map(|d| d.path.as_str()).collect();
    assert_eq!(new, ["define.lost", "define.rim"]);
}

#[test]
fn definitions_that_double_do_not_take_for_ever() {
    let mut defines = vec!["define.d0 = 'own'".to_owned()];
    defines.extend((1..40).map(|i| format!("define.d{i} = 'near(d{}) | d{0}'", i - 1)));
    let left = small("end.e = { when = 'no own', result = 'draw' }");
    let right = small(&format!("{}\nend.e = {{ when = 'no d6', result = 'draw' }}", defines[..7].join("\n")));
    assert!(!compare_texts(&left, &right, &[]).unwrap().is_equal());
}

#[test]
fn what_is_mapped_is_one_thing() {
    let left = small("define.far = 'edge & vacant'\nend.e = { when = 'no far', result = 'draw' }");
    let right = small("define.rim = 'edge & own'\nend.e = { when = 'no rim', result = 'draw' }");
    let plain = compare_texts(&left, &right, &[]).unwrap();
    assert!(plain.differences.iter().any(|d| d.path == "end.e.when"), "{:?}", sentences(&plain));
    let pair = |a: &str, b: &str| [(a.to_owned(), b.to_owned())];
    let mapped = compare_texts(&left, &right, &pair("far", "rim")).unwrap();
    assert_eq!(sentences(&mapped), ["definition `far`: `vacant` became `own` in `edge & vacant`"]);
    let wrong = compare_texts(&left, &right, &pair("fat", "rim")).unwrap_err();
    assert!(
        wrong.contains("`fat` is no name that the left variant defines")
            && wrong.contains("did you mean `far`"),
        "{wrong}"
    );
    assert!(compare_texts(&left, &right, &pair("far", "rin")).unwrap_err().contains("did you mean `rim`"));
}

#[test]
fn exchanged_names_are_only_names() {
    let game = |[foo, bar, some, all, lost, won]: [&str; 6], ends: &str| {
        small(&format!(
            "define = {{ {foo} = 'edge & own', {bar} = 'corners' }}\n\
             state = {{ {some} = {{ type = 'int' }}, {all} = {{ type = 'int' }} }}\n\
             turn.finish = '{some} += 1; {all} = {some} + 2'\n\
             end.{lost} = {{ when = 'no {foo} and {all} > 9', result = 'draw' }}\n\
             end.{won} = {{ when = '{ends}some own & {bar} and {some} > 3', result = 'mover wins' }}\n"
        ))
    };
    let names = ["foo", "bar", "a", "b", "lost", "won"];
    let others = ["bar", "foo", "b", "a", "won", "lost"];
    let found = compare_texts(&game(names, ""), &game(others, ""), &[]).unwrap();
    assert!(found.is_equal() && found.same_program, "{:#?}", sentences(&found));
    assert_eq!(found.notes.len(), 6, "{:#?}", found.notes);
    assert!(found.notes.iter().any(|note| note.sentence == "definition `foo` is called `bar` now"));
    assert!(found.notes.iter().any(|note| note.sentence == "end `lost` is called `won` now"));
    // One real difference beside exchanged names is the only one.
    let found = compare_texts(&game(names, ""), &game(others, "ply > 5 and "), &[]).unwrap();
    let told = sentences(&found);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(
        told[0].starts_with("end `won`, the condition `when`: the condition `ply > 5` is new"),
        "{told:?}"
    );
    assert!(!found.same_program);
    // What only looks like an exchange of names is none: what is used has changed, not what it is called.
    let right = game(names, "").replace("no foo", "no bar").replace("& bar", "& foo");
    assert!(!compare_texts(&game(names, ""), &right, &[]).unwrap().is_equal());
    // Things that are alike go by their names, and by their places where these say nothing.
    let twins = |x: &str, y: &str| {
        small(&format!(
            "state = {{ {x} = {{ type = 'int' }}, {y} = {{ type = 'int' }} }}\nturn.finish = '{x} += 1; {y} += 1'"
        ))
    };
    for (x, y) in [("a", "b"), ("b", "a"), ("c", "d")] {
        assert!(compare_texts(&twins("a", "b"), &twins(x, y), &[]).unwrap().is_equal(), "{x} {y}");
    }
}

/// A game of two players: what they are called, which of the names goes up and which down, and the text of
/// a move.
fn of_players(first: &str, second: &str, [up, down]: [&str; 2], text: &str) -> String {
    let chosen = if text.contains("{p}") { "near(from), p in players\"" } else { "near(from)\"" };
    small(&format!(
        "players = ['{first}', '{second}']\n\
         define.goal = {{ {up} = 'row(5)', {down} = 'row(1)' }}\n\
         end.home = {{ when = 'some own & goal', result = 'mover wins' }}\n\
         setup.board = 'm4/5/5/5/4M'\n"
    ))
    .replace("near(from)\"", chosen)
    .replace("{from}{to}", text)
}

#[test]
fn players_are_told_apart_by_their_names() {
    let plain = |first: &str, second: &str, goals| of_players(first, second, goals, "{from}{to}{p}");
    let left = plain("white", "black", ["white", "black"]);
    // Everything is exchanged: what White was is Black now, who begins.
    let exchanged = plain("black", "white", ["black", "white"]);
    let found = compare_texts(&left, &exchanged, &[]).unwrap();
    assert_eq!(
        sentences(&found),
        ["the names of the players: `white, black` became `black, white`"],
        "{:#?}",
        found.notes
    );
    assert!(found.notes.is_empty() && !found.same_program);
    let map = [("white", "black"), ("black", "white")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let found = compare_texts(&left, &exchanged, &map).unwrap();
    assert!(found.is_equal(), "{:#?}", sentences(&found));
    assert_eq!(found.notes.len(), 2, "{:#?}", found.notes);
    // Another player begins, and all else goes with the names.
    let order = plain("black", "white", ["white", "black"]).replace("m4/5/5/5/4M", "M4/5/5/5/4m");
    let found = compare_texts(&left, &order, &[]).unwrap();
    assert_eq!(sentences(&found), ["the order of the players: `white, black` became `black, white`"]);
    // Names that texts of moves print are a part of the rules, others are not.
    let red = |text| of_players("red", "blue", ["red", "blue"], text);
    let found = compare_texts(&left, &red("{from}{to}{p}"), &[]).unwrap();
    let told = ["white` became `red`", "black` became `blue`"]
        .map(|names| format!("the name of a player, which texts of moves print: `{names}"));
    let mut sentences = sentences(&found);
    sentences.sort_unstable_by_key(|sentence| sentence.contains("black"));
    assert_eq!(sentences, told);
    let map = [("white", "red"), ("black", "blue")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert!(compare_texts(&left, &red("{from}{to}{p}"), &map).unwrap().is_equal());
    let silent = of_players("white", "black", ["white", "black"], "{from}{to}");
    let found = compare_texts(&silent, &red("{from}{to}"), &[]).unwrap();
    assert!(found.is_equal() && found.notes.len() == 2, "{:#?}", found.differences);
    assert!(found.same_program, "nothing that is played names them");
}

#[test]
fn the_order_of_effects_and_ends_has_a_meaning() {
    let a = small(
        "end.a = { when = 'no own', result = 'draw' }\nend.b = { when = 'no enemy', result = 'mover wins' }",
    );
    let b = small(
        "end.b = { when = 'no enemy', result = 'mover wins' }\nend.a = { when = 'no own', result = 'draw' }",
    );
    assert_eq!(
        sentences(&compare_texts(&a, &b, &[]).unwrap()),
        ["the order in which the ends are looked at: `a, b` became `b, a`"]
    );
    let effects = |rule: &str| small(&format!("state.n.type = 'int'\nturn.finish = '{rule}'"));
    let found = compare_texts(&effects("n = 1; n += 2"), &effects("n += 2; n = 1"), &[]).unwrap();
    assert_eq!(found.differences.len(), 1);
    assert_eq!(found.differences[0].change, Change::Moved);
}

#[cfg(feature = "cli")]
mod cli {
    use super::*;
    use assert_cmd::Command;
    use serde_json::Value;

    fn run(args: &[&str], code: i32) -> (String, String) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("diff").args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
        (out, err)
    }

    fn snapshot(name: &str, text: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff"));
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }

    #[test]
    fn views_for_people() {
        let tree = ["chess", "knight-scattering-chess", "--width", "100"];
        snapshot("scattering", &run(&tree, 1).0);
        snapshot("far", &run(&["chess", "hex", "--width", "100"], 1).0);
        let pair =
            ["knights-and-pawns", "knights-and-pawns+neighbor-attack", "--side-by-side", "--width", "100"];
        let columns = run(&pair, 1).0;
        assert!(columns.lines().all(|line| line.chars().count() <= 100), "{columns}");
        snapshot("columns", &columns);
        assert_eq!(
            run(&["hex", "hex:size=11"], 0).0,
            "hex:size=11 against hex\n\nhex and hex:size=11 are equal by meaning\n\
             Both are the same program: no line of play tells them apart.\n"
        );
        // Rules in another order.
        let text = Shipped.read("knights-and-pawns").unwrap();
        let rule = "vacant | enemy knight | enemy single pawn";
        assert!(text.contains(rule));
        let path = crate::cli::tempfile(
            "reordered.toml",
            text.replace(rule, "enemy single pawn | vacant | enemy knight"),
        );
        let said = run(&["knights-and-pawns", &path], 0).0;
        assert!(said.contains("equal by meaning\nThey mean the same, built in another order"), "{said}");
    }

    #[test]
    fn what_an_option_changes_is_told_while_it_is_off() {
        let text = Shipped.read("knights-and-pawns").unwrap();
        let rule = "put own pawn at from; ";
        assert!(text.contains(rule));
        let path = crate::cli::tempfile("toggled.toml", text.replace(rule, ""));
        let (old, new) = ("knights-and-pawns+switch-move", format!("{path}+switch-move"));
        let said = run(&["knights-and-pawns", &path], 0).0;
        let told = format!("1 more difference with an option toggled: `farrier diff {old} {new}`\n");
        assert!(said.contains("equal by meaning") && said.ends_with(&told), "{said}");
        // As it says.
        assert!(run(&[old, &new], 1).0.contains("1 difference: "));
        // Neither of what is chosen nor of one file is more told.
        let chosen = format!("{path}~switch-move");
        assert!(!run(&["knights-and-pawns", &chosen], 0).0.contains("more difference"));
        assert!(
            !run(&["knights-and-pawns", "knights-and-pawns+single-pawn-blocks"], 1).0.contains("toggled")
        );
        let (out, _) = run(&["knights-and-pawns", &path, "--format", "json"], 0);
        let found: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(found["toggled"], serde_json::json!([{ "left": old, "right": new, "differences": 1 }]));
    }

    #[test]
    fn games_that_have_little_in_common_are_told_briefly() {
        let games = Shipped::list();
        for (i, a) in games.iter().enumerate() {
            let b = &games[(i + 5) % games.len()];
            let text = run(&[a, b, "--width", "100"], 1).0;
            assert!(text.lines().count() < 140, "{a} {b}: {}", text.lines().count());
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        }
    }

    #[test]
    fn json_says_what_the_text_says() {
        let (out, _) = run(&["hex", "hex~pie-rule", "--format", "json"], 1);
        let found: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(found["equal"], false);
        assert_eq!((&found["same_rules"], &found["same_program"]), (&false.into(), &false.into()));
        let list = found["differences"].as_array().unwrap();
        let swap = list.iter().find(|d| d["path"] == "decisions.swap").unwrap();
        assert_eq!(swap["change"], "removed");
        assert_eq!(swap["left"]["option"], "pie-rule");
        assert_eq!(swap["left"]["file"], "hex.toml");
        assert!(swap["right"].is_null());
        assert_eq!(swap["left"]["written"][0]["text"], "swap sides");
        let (out, _) = run(&["hex", "hex", "--format", "json"], 0);
        let found: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&found["equal"], &found["same_program"]), (&true.into(), &true.into()));
        let (out, _) = run(&["hex+nothing", "hexx", "--format", "json"], 1);
        assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["diagnostics"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn wrong_words_are_told() {
        let (_, err) = run(&["hex+nothing", "hexx"], 1);
        assert!(err.contains("nothing") && err.contains("did you mean `hex`?"), "{err}");
        assert!(run(&["hex:", "hex"], 2).1.contains("`hex:` is no variant"));
        run(&["hex"], 2);
        assert!(run(&["hex", "chess", "--map", "stone"], 2).1.contains("A=B"));
        assert!(run(&["hex", "chess", "--map", "stone=kimg"], 1).1.contains("did you mean `king`"));
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let file = std::env::temp_dir().join(format!("farrier-diff-{}.html", std::process::id()));
        let path = file.to_string_lossy().into_owned();
        run(&["chess", "knight-scattering-chess", "--html", &path], 1);
        let page = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert!(page.contains("<mark>own &amp; leap(enemy knight) &amp; leap(S) - king</mark>"));
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
        for outside in ["src=", "href=", "url(", "@import", "<script"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(
            run(&["hex", "chess", "--html", "tests/no-such-folder/a.html"], 1)
                .1
                .contains("cannot be written")
        );
    }
}
