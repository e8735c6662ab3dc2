//! Where two variants differ: found, as soon as possible, with the rule that it comes from.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::cases::cases;
use farrier::definition::{OptionDef, OptionKind, OptionValue};
use farrier::distinguish::{Report, Search, Side, What, distinguish};
use farrier::game::Game;
use farrier::play::{History, Machine, Moves, Position};
use farrier::shipped::Shipped;
use farrier::source::{FileError, Files, Sources};
use farrier::variant::Variant;

/// Shipped games, and changed copies of them by path.
#[derive(Default)]
struct Copies(BTreeMap<String, String>);

impl Files for Copies {
    fn read(&self, path: &str) -> Result<String, FileError> {
        match self.0.get(path) {
            Some(text) => Ok(text.clone()),
            None => Shipped.read(path),
        }
    }
}

impl Copies {
    /// A copy of a game in which some words were replaced, each of which stands there exactly once.
    fn with(path: &str, game: &str, changes: &[(&str, &str)]) -> Copies {
        let mut text = Shipped.read(game).expect("a shipped game");
        for (from, to) in changes {
            assert_eq!(text.matches(from).count(), 1, "`{from}` stands once in {game}");
            text = text.replace(from, to);
        }
        Copies(BTreeMap::from([(path.to_owned(), text)]))
    }
}

fn quick() -> Search {
    Search { positions: 3_000, games: 640, depth: 400, seed: 1, setup: None, map: Vec::new() }
}

fn load(files: &Copies, text: &str) -> (Variant, Game, Sources) {
    let variant = Variant::parse(text).expect("a variant");
    let mut sources = Sources::default();
    let (game, found) = variant.load(files, &mut sources);
    (variant, game.unwrap_or_else(|| panic!("{text}: {found:?}")), sources)
}

fn compare(files: &Copies, a: &str, b: &str, search: &Search) -> Report {
    let (a, b) = (load(files, a), load(files, b));
    let a = Side { variant: &a.0, game: &a.1, sources: &a.2 };
    let b = Side { variant: &b.0, game: &b.1, sources: &b.2 };
    distinguish(&a, &b, files, search, &|_| true).unwrap_or_else(|f| panic!("{f:?}"))
}

/// The keys that a report blames.
fn blamed(report: &Report) -> Vec<&str> {
    let found = report.difference.as_ref().expect("a difference");
    assert!(found.cause.proved, "mixtures show it: {found:?}");
    found.cause.keys.iter().map(|k| k.key.as_str()).collect()
}

/// The values of an option that are not its default; of a range both ends.
fn others(option: &OptionDef) -> Vec<OptionValue> {
    let mut values = match &option.kind {
        OptionKind::Flag => vec![OptionValue::Flag(false), OptionValue::Flag(true)],
        OptionKind::Words(words) => words.iter().cloned().map(OptionValue::Word).collect(),
        OptionKind::Numbers(all) => all.iter().copied().map(OptionValue::Number).collect(),
        OptionKind::Range(low, high) => vec![OptionValue::Number(*low), OptionValue::Number(*high)],
    };
    values.retain(|v| *v != option.default);
    values
}

fn word(game: &str, option: &OptionDef, value: &OptionValue) -> String {
    let name = &option.name.text;
    match value {
        OptionValue::Flag(true) => format!("{game}+{name}"),
        OptionValue::Flag(false) => format!("{game}~{name}"),
        OptionValue::Word(word) => format!("{game}:{name}={word}"),
        OptionValue::Number(n) => format!("{game}:{name}={n}"),
    }
}

/// Every value of every option of a shipped game is told from the default, and the option is named: of one in three,
/// where few cases are tried. Says how many values there are.
fn every_option(games: &[&str]) -> usize {
    let mut count = 0;
    for game in games {
        let (_, loaded, _) = load(&Copies::default(), game);
        for option in &loaded.definition.options {
            for value in others(option) {
                count += 1;
                if count % 3 >= cases(1) as usize {
                    continue;
                }
                let variant = word(game, option, &value);
                let report = compare(&Copies::default(), game, &variant, &quick());
                let found = report.difference.as_ref().unwrap_or_else(|| panic!("{variant}: {report:?}"));
                let options: Vec<&str> = found.cause.options.iter().map(|o| o.name.as_str()).collect();
                assert_eq!(options, [option.name.text.as_str()], "{variant}");
                assert!(found.cause.options[0].alone, "{variant}");
                assert!(found.cause.proved && !found.cause.keys.is_empty(), "{variant}: {:?}", found.cause);
                // What the option's overlay says is blamed, if it has one.
                let name = Some(option.name.text.clone());
                let text = Shipped.read(game).unwrap();
                let overlay = text.contains(&format!("[options.{}.is.", option.name.text))
                    || matches!(option.kind, OptionKind::Flag);
                let said = found.cause.keys.iter().flat_map(|k| [&k.a, &k.b]).flatten();
                let by_option = said.flat_map(|s| &s.places).any(|p| p.option == name);
                assert_eq!(by_option, overlay, "{variant}: {:?}", found.cause.keys);
            }
        }
    }
    count
}

#[test]
fn every_option_of_the_games_of_pieces_is_found() {
    let games = [
        "arimaa",
        "backgammon",
        "breakthrough",
        "campaign",
        "clobber",
        "dai-hasami-shogi",
        "hamilton-chess",
        "joust",
        "knight-fight",
    ];
    assert_eq!(every_option(&games), 19);
    let games =
        ["knights-and-pawns", "lines-of-action", "nine-mens-morris", "oware", "pocket-knight", "quoridor"];
    assert_eq!(every_option(&games), 13);
}

#[test]
fn every_option_of_the_games_of_stones_is_found() {
    let games =
        ["go", "gomoku", "havannah", "hex", "knightshade", "knightvision", "pente", "twixt", "yavalath"];
    assert_eq!(every_option(&games), 28);
    let games = ["domineering", "dots-and-boxes", "game-of-y", "konane", "no-knights-attack"];
    assert_eq!(every_option(&games), 17);
}

#[test]
fn every_option_of_the_other_games_is_found() {
    assert_eq!(every_option(&["knight-scattering-chess", "knightcap", "teeko", "three-check"]), 8);
}

#[test]
fn no_shipped_option_is_left_out() {
    let all: usize = Shipped::list()
        .iter()
        .flat_map(|game| load(&Copies::default(), game).1.definition.options.clone())
        .map(|option| others(&option).len())
        .sum();
    assert_eq!(all, 19 + 13 + 28 + 17 + 8, "the tests above speak of every game with options");
}

/// Whether two positions show the same, told by plain lists of texts.
fn shows(game: &Game, machine: &mut Machine, pos: &Position) -> (Vec<String>, Option<String>) {
    let mut moves = Moves::new();
    machine.moves(pos, &mut moves);
    let mut texts = game.move_texts(&moves);
    texts.sort();
    (texts, machine.outcome(pos).map(|o| format!("{o:?}")))
}

/// The length of the shortest line that tells two games apart, by trying every line of each length.
fn brute(a: (&Game, &mut Machine, &Position), b: (&Game, &mut Machine, &Position), left: usize) -> bool {
    let (first, second) = (shows(a.0, a.1, a.2), shows(b.0, b.1, b.2));
    if left == 0 {
        return first != second;
    }
    let (mut x, mut y) = (Moves::new(), Moves::new());
    first.0.iter().any(|text| {
        a.1.moves(a.2, &mut x);
        b.1.moves(b.2, &mut y);
        let m = (a.0.read_move(&x, text).unwrap(), b.0.read_move(&y, text).unwrap());
        let (mut p, mut q) = (a.2.clone(), b.2.clone());
        a.1.play(&mut p, m.0, &mut History::new(), &mut x);
        b.1.play(&mut q, m.1, &mut History::new(), &mut y);
        brute((a.0, a.1, &p), (b.0, b.1, &q), left - 1)
    })
}

#[test]
fn a_search_stops_when_its_answer_is_not_wanted() {
    let files = Copies::default();
    let (variant, game, sources) = load(&files, "chess");
    let side = || Side { variant: &variant, game: &game, sources: &sources };
    let asked = AtomicU32::new(0);
    let stop = |_| {
        asked.fetch_add(1, Ordering::Relaxed);
        false
    };
    let search = Search { positions: 10_000_000, games: 100_000, ..quick() };
    let report = distinguish(&side(), &side(), &files, &search, &stop).unwrap();
    assert!(report.difference.is_none() && !report.complete);
    assert!(asked.into_inner() <= 2 && report.games < 10_000, "{} games", report.games);
}

#[test]
fn no_line_is_shorter_than_the_shortest() {
    let three = Copies::with("./x.toml", "tic-tac-toe", &[("line(own, 3)", "line(own, 3, orthogonal)")]);
    let wide = Copies::with("./x.toml", "connect-four", &[("line(own, 4)", "line(own, 2, e)")]);
    let cases = [
        (three, "tic-tac-toe", "./x.toml", 5),
        (wide, "connect-four", "./x.toml", 3),
        (Copies::default(), "hex:size=3", "hex:size=3~pie-rule", 1),
        (Copies::default(), "knights-and-pawns", "knights-and-pawns+single-pawn-blocks", 3),
        (Copies::default(), "knight-fight", "knight-fight:erase-double=must", 1),
    ];
    for (files, a, b, length) in cases {
        let report = compare(&files, a, b, &quick());
        let found = report.difference.expect(b);
        assert!(found.shortest, "{b}");
        assert_eq!(found.line.len(), length, "{b}: {:?}", found.line);
        let (a, b) = (load(&files, a).1, load(&files, b).1);
        let (mut x, mut y) = (a.machine().unwrap(), b.machine().unwrap());
        let (p, q) = (a.start(&mut x, None, 1).unwrap(), b.start(&mut y, None, 1).unwrap());
        let shortest = (0..=length).find(|n| brute((&a, &mut x, &p), (&b, &mut y, &q), *n));
        assert_eq!(shortest, Some(length));
    }
}

/// The castling rule of a copy lets the king pass an attacked square.
fn through() -> Copies {
    Copies::with("./x.toml", "chess", &[("threats(from | stop | to)", "threats(from | to)")])
}

#[test]
fn castling_through_an_attacked_square_is_found() {
    let report = compare(&through(), "chess", "./x.toml", &Search { positions: 500, ..quick() });
    assert_eq!(blamed(&report), ["decisions.castle.where"]);
    let found = report.difference.unwrap();
    assert_eq!((found.what, found.a.only.len()), (What::Moves, 0));
    assert_eq!(found.b.only[0].0, "castle");
    let text = Shipped.read("chess").unwrap();
    let line = text.lines().position(|l| l.starts_with("where  = \"no between(from, corner)")).unwrap() + 1;
    let key = &found.cause.keys[0];
    let place = |s: &Option<farrier::distinguish::Said>| {
        let place = &s.as_ref().unwrap().places[0];
        (place.file.clone(), place.line, place.column)
    };
    let column = text.lines().nth(line - 1).unwrap().find("stop").unwrap() + 1;
    assert_eq!(place(&key.a), ("chess.toml".to_owned(), line, column));
    assert_eq!(place(&key.b).1, line);
}

#[test]
#[ignore = "a thousand random games and more: half a minute without optimization"]
fn a_right_that_lasts_a_turn_too_long_is_found() {
    let longer = [("passed = { type = \"sites\", lasts = 1 }", "passed = { type = \"sites\", lasts = 2 }")];
    let files = Copies::with("./x.toml", "chess", &longer);
    let report = compare(&files, "chess", "./x.toml", &Search { games: 4_000, ..quick() });
    assert_eq!(blamed(&report), ["state.passed.lasts"]);
    let found = report.difference.unwrap();
    assert!(found.line.len() < 30, "{:?}", found.line);
    let text = Shipped.read("chess").unwrap();
    let line = text.lines().position(|l| l.starts_with("passed = {")).unwrap() + 1;
    for said in [&found.cause.keys[0].a, &found.cause.keys[0].b] {
        assert_eq!(said.as_ref().unwrap().places[0].line, line);
    }
}

#[test]
#[ignore = "games of hundreds of plies: half a minute without optimization"]
fn a_count_of_plies_deep_in_a_game_is_found() {
    let files = Copies::with("./x.toml", "chess", &[("quiet >= 100", "quiet >= 90")]);
    let report = compare(&files, "chess", "./x.toml", &Search { games: 4_000, ..quick() });
    assert_eq!(blamed(&report), ["end.fifty-moves.when"]);
    assert_eq!(report.difference.unwrap().what, What::Over);
}

#[test]
fn a_count_of_repetitions_is_found_and_merging_stays_exact() {
    // Two kings and a pawn that cannot move: positions come again at once.
    let setup = Some("8/8/8/4p2k/4P3/8/8/K7 w - -".to_owned());
    let search = Search { positions: 60_000, games: 0, setup, ..quick() };
    let twice = Copies::with("./x.toml", "chess", &[("seen >= 3", "seen >= 2")]);
    let report = compare(&twice, "chess", "./x.toml", &search);
    assert_eq!(blamed(&report), ["end.repetition.when"]);
    let found = report.difference.unwrap();
    assert_eq!((found.what, found.line.len(), found.shortest), (What::Over, 4, true));
    assert_eq!(found.b.result.as_deref(), Some("draw"));
}

#[test]
fn moves_back_and_forth_show_a_count_of_repetitions() {
    let files = Copies::with("./x.toml", "chess", &[("seen >= 3", "seen >= 4")]);
    let search = Search { positions: 1_000, ..quick() };
    let report = compare(&files, "chess", "./x.toml", &search);
    assert_eq!(blamed(&report), ["end.repetition.when"]);
    let found = report.difference.unwrap();
    // Nobody can leave a position and come back to it in less than two plies of each player, and a position
    // that is there for the third time was left twice: no line is shorter than 8 plies. That is not proved
    // by trying all of them.
    assert_eq!((found.what, found.line.len(), found.shortest), (What::Over, 8, false), "{:?}", found.line);
    assert_eq!(found.a.result.as_deref(), Some("draw"));
    assert!(report.depth < Some(7));
}

#[test]
fn few_moves_show_what_happens_without_one() {
    let rule = "if some checkers then mover loses else draw";
    let files = Copies::with("./x.toml", "chess", &[(rule, "mover loses")]);
    let report = compare(&files, "chess", "./x.toml", &quick());
    assert_eq!(blamed(&report), ["turn.stuck"]);
    let found = report.difference.unwrap();
    assert_eq!((found.what, found.a.result.as_deref()), (What::Result, Some("draw")));
    assert!(found.line.len() <= 80 && !found.shortest, "{} plies: {:?}", found.line.len(), found.line);
}

#[test]
fn what_counts_up_while_positions_come_again_is_not_merged_away() {
    let text = include_str!("../distinguish/wander.toml");
    let mut files = Copies(BTreeMap::from([("./a.toml".to_owned(), text.to_owned())]));
    files.0.insert("./b.toml".to_owned(), text.replace("steps >= 30", "steps >= 25"));
    let search = Search { games: 0, ..quick() };
    let report = compare(&files, "./a.toml", "./b.toml", &search);
    assert_eq!(blamed(&report), ["end.tired.when"]);
    let found = report.difference.unwrap();
    assert_eq!((found.what, found.line.len(), found.shortest), (What::Over, 25, true));
    let report = compare(&files, "./a.toml", "./a.toml", &search);
    assert!(report.complete && report.depth == Some(30), "{report:?}");
}

#[test]
fn who_decides_is_compared_where_the_moves_are_the_same() {
    let report = compare(&Copies::default(), "knightcap", "knightcap:first=black", &quick());
    let found = report.difference.expect("the other one begins");
    assert_eq!((found.what, found.line.len(), found.a.only.len()), (What::Mover, 0, 0));
}

#[test]
fn of_two_changes_only_the_one_that_shows_is_blamed() {
    let both = [("threats(from | stop | to)", "threats(from | to)"), ("quiet >= 100", "quiet >= 90")];
    let files = Copies::with("./x.toml", "chess", &both);
    let search = Search { setup: Some("3k1r2/8/8/8/8/8/8/R3K2R w KQ -".to_owned()), ..quick() };
    let report = compare(&files, "chess", "./x.toml", &search);
    assert_eq!(blamed(&report), ["decisions.castle.where"]);
    let found = report.difference.unwrap();
    assert_eq!((found.line.len(), found.cause.differing), (0, 2));
    assert_eq!(found.b.only, [("castle".to_owned(), vec!["e1g1".to_owned()])]);
}

#[test]
fn the_options_that_show_are_told_from_those_that_do_not() {
    let b = "knights-and-pawns+switch-move+doubled-free-pawn";
    let report = compare(&Copies::default(), "knights-and-pawns", b, &quick());
    let found = report.difference.unwrap();
    let options: Vec<&str> = found.cause.options.iter().map(|o| o.name.as_str()).collect();
    assert_eq!((found.line.len(), options), (0, vec!["switch-move"]));
}

#[test]
fn a_game_and_a_copy_in_other_layout_never_differ() {
    let mut files = Copies::default();
    let text = Shipped.read("knights-and-pawns").unwrap();
    let plain: Vec<String> = (text.lines())
        .take_while(|l| !l.starts_with("[[tests]]"))
        .map(|l| l.split("  #").next().unwrap().replace("  = ", "=").replace(" & ", "  &  "))
        .collect();
    assert_ne!(plain.join("\n\n"), text);
    files.0.insert("./x.toml".to_owned(), plain.join("\n\n"));
    let search = Search { games: 32, depth: 60, ..quick() };
    for b in ["knights-and-pawns", "./x.toml"] {
        let report = compare(&files, "knights-and-pawns", b, &search);
        assert_eq!(report.difference, None, "{b}");
        assert!(report.same && report.depth >= Some(3) && report.games == 32, "{report:?}");
    }
}

#[test]
fn a_small_game_is_proved_as_a_whole() {
    let report =
        compare(&Copies::default(), "tic-tac-toe", "tic-tac-toe", &Search { positions: 30_000, ..quick() });
    assert!(report.complete && report.difference.is_none(), "{report:?}");
    // No line is longer than the board has squares, and no random game is needed.
    assert_eq!((report.depth, report.games), (Some(9), 0));
}

#[test]
fn renamed_words_are_mapped() {
    let files = Copies::with("./x.toml", "knights-and-pawns", &[("\"{from}~{to}\"", "\"{from}/{to}\"")]);
    let (a, b) = ("knights-and-pawns+switch-move", "./x.toml+switch-move");
    let search = Search { games: 32, depth: 60, ..quick() };
    let report = compare(&files, a, b, &search);
    assert_eq!(report.difference.expect("other texts").line.len(), 0);
    let map = vec![("~".to_owned(), "/".to_owned())];
    let report = compare(&files, a, b, &Search { map, ..search });
    assert_eq!(report.difference, None);
}

/// Who writes the player of a move, with other names of the players.
fn of_players(first: &str, second: &str) -> String {
    format!(
        "name = 'P'\nplayers = ['{first}', '{second}']\nboard.square = [3, 3]\npieces.man = {{ letter = 'm' }}\n\
         decisions.go = {{ choose = 'to in vacant, p in players', do = 'put own at to', text = '{{to}}{{p}}' }}\n\
         turn.main = 'go'\n"
    )
}

#[test]
fn players_are_told_apart_by_their_names() {
    let mut files = Copies(BTreeMap::from([("./a.toml".to_owned(), of_players("white", "black"))]));
    files.0.insert("./b.toml".to_owned(), of_players("black", "white"));
    files.0.insert("./c.toml".to_owned(), of_players("red", "blue"));
    files.0.insert(
        "./d.toml".to_owned(),
        of_players("red", "blue").replace("{p}", "").replace(", p in players", ""),
    );
    files.0.insert("./e.toml".to_owned(), files.0["./d.toml"].replace("'red', 'blue'", "'white', 'black'"));
    let search = Search { positions: 2_000, games: 16, ..quick() };
    let found = compare(&files, "./a.toml", "./b.toml", &search).difference.unwrap();
    assert_eq!((found.what, found.line.len()), (What::Mover, 0));
    let found = compare(&files, "./a.toml", "./c.toml", &search).difference.unwrap();
    assert_eq!((found.what, found.line.len()), (What::Moves, 0));
    assert_eq!(compare(&files, "./d.toml", "./e.toml", &search).difference, None);
    let map = |pairs: [(&str, &str); 2]| pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    for (b, names) in [("./b.toml", ["black", "white"]), ("./c.toml", ["red", "blue"])] {
        let map = map([("white", names[0]), ("black", names[1])]);
        let report = compare(&files, "./a.toml", b, &Search { map, ..search.clone() });
        assert_eq!(report.difference, None, "{b}");
    }
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let search = Search { positions: 1_500, ..quick() };
        let deep = pool.install(|| compare(&through(), "chess", "./x.toml", &search));
        let dealt = pool.install(|| {
            compare(
                &Copies::default(),
                "knightcap",
                "knightcap:scoring=compound",
                &Search { games: 64, ..quick() },
            )
        });
        [deep, dealt]
    };
    assert_eq!(on(1), on(2));
}

#[cfg(feature = "cli")]
mod command {
    use assert_cmd::Command;
    use serde_json::Value;

    fn run(args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
        let output = command.arg("distinguish").args(args).output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text");
        (output.status.code().expect("it ends"), text(output.stdout), text(output.stderr))
    }

    #[test]
    fn a_difference_is_printed_with_its_boards_and_its_rule() {
        let (code, out, err) = run(&["knights-and-pawns", "knights-and-pawns+doubled-free-pawn"]);
        assert_eq!((code, err.as_str()), (1, ""));
        for part in [
            "They differ after 3 plies (no shorter line tells them apart):",
            "A                          B",
            "3   N  .  .  .  .  .  3    3   N  .  .  .  .  .  3",
            "A  black decides",
            "B  white decides",
            "option doubled-free-pawn: off in A, on in B",
            "B  knights-and-pawns.toml:92:24 (option doubled-free-pawn)",
            "try [free, may] free",
        ] {
            assert!(out.contains(part), "`{part}` is in\n{out}");
        }
    }

    #[test]
    fn only_what_is_proved_is_promised() {
        let pair = ["knights-and-pawns", "knights-and-pawns+doubled-free-pawn", "--positions", "1"];
        let (code, out, _) = run(&pair);
        assert_eq!(code, 1);
        assert!(out.contains("(a shorter line may exist: all of at most 0 plies were tried):"), "{out}");
        let (_, out, _) = run(&["knight-fight", "knight-fight:erase-double=must", "--seed", "3"]);
        assert!(out.contains("(no shorter line from what seed 3 deals tells them apart):"), "{out}");
    }

    #[test]
    fn what_is_proved_is_printed_where_nothing_differs() {
        let (code, out, _) = run(&["chess", "chess", "--positions", "600", "--games", "4", "--depth", "40"]);
        assert_eq!(code, 0);
        assert!(out.contains("proved    all lines of at most 2 plies"), "{out}");
        assert!(out.contains("probed    4 random games, 160 plies in all"), "{out}");
    }

    #[test]
    fn json_says_the_same_to_programs() {
        let (code, out, _) = run(&["hex", "hex~pie-rule", "--format", "json"]);
        let all: Value = serde_json::from_str(&out).expect("JSON");
        let found = &all["difference"];
        assert_eq!((code, &all["different"], &all["proved_depth"]), (1, &true.into(), &0.into()));
        assert_eq!(found["what"], "moves");
        assert_eq!(found["line"].as_array().map(Vec::len), Some(1));
        assert_eq!(found["a"]["only"]["swap"][0], "swap");
        assert_eq!(found["cause"]["options"][0]["name"], "pie-rule");
        assert_eq!(found["cause"]["keys"][0]["key"], "turn.opening");
        assert_eq!(found["cause"]["keys"][0]["a"]["places"][0]["option"], "pie-rule");
        assert_eq!(found["cause"]["keys"][0]["b"], Value::Null);
    }

    #[test]
    fn wrong_words_are_told() {
        let cases = [
            (vec!["hex", "hexx"], 1, "did you mean `hex`?"),
            (vec!["hex", "hex+pie-rul"], 1, "did you mean `pie-rule`?"),
            (vec!["hex", "hex+"], 2, "nothing follows `+`"),
            (vec!["hex"], 2, "required"),
            (vec!["hex", "hex", "--map", "a"], 2, "a word and what it becomes are written A=B"),
            (vec!["hex", "hex", "--map", "a=b", "--map", "a=c"], 2, "says twice what `a` becomes"),
            (vec!["chess", "chess", "--map", "L=S"], 1, "no move or player of chess has the word `L`"),
            (vec!["hex", "hex", "--map", "swop=q"], 1, "did you mean `swap`?"),
            (vec!["hex", "hex", "--games", "-1"], 2, "invalid value '-1' for '--games"),
            (vec!["hex", "hex", "--setup", "x"], 1, "the set-up cannot be read"),
        ];
        for (args, wanted, part) in cases {
            let (code, _, err) = run(&args);
            assert_eq!(code, wanted, "{args:?}: {err}");
            assert!(err.contains(part), "{args:?}: {err}");
        }
    }
}
