//! Comparing variants: the figures are right, the same on one thread and on many, and the statistics keep
//! what they promise.

use farrier::compare::lead::LEAST;
use farrier::compare::model::{Comparison, FORMAT, HeatKind, Histogram, PuzzleKind, VariantResult};
use farrier::compare::record::GameRecord;
use farrier::compare::run::{self, Archive, Plan, Taker};
use farrier::compare::{self, Contestant, Pairs, Rules, Tally};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{History, Moves, Rng};
use farrier::search::{AgentSpec, Making, Playouts, Situation};
use farrier::shipped::Shipped;
use farrier::source::{FileError, Files, Sources};
use farrier::variant::Variant;

/// A game that begins in a position.
const ENDING: &str = "name = \"Ending\"\nextends = \"chess\"\n[position]\nstart = \"START\"\n";

/// Shipped games, and those of the tests.
struct Library;

impl Files for Library {
    fn read(&self, path: &str) -> Result<String, FileError> {
        match path {
            "./twice.toml" => Ok(include_str!("../compare/twice.toml").to_owned()),
            "./rook.toml" => Ok(ENDING.replace("START", "4k3/8/8/8/8/8/8/R3K3 w - -")),
            "./queen.toml" => Ok(ENDING.replace("START", "4k3/8/8/8/8/8/8/Q3K3 w - -")),
            "./copy.toml" => Shipped.read("knights-and-pawns"),
            _ => Shipped.read(path),
        }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

pub(crate) fn load(words: &[&str]) -> Vec<Contestant> {
    let variants: Vec<Variant> = words.iter().map(|w| Variant::parse(w).unwrap()).collect();
    match Contestant::load_all(&variants, &Library, &mut Sources::default()) {
        Ok(all) => all,
        Err(_) => panic!("{words:?} load"),
    }
}

pub(crate) fn plan(games: u64, seed: u64) -> Plan {
    let rules = Rules {
        agents: vec![AgentSpec::parse("random").unwrap()],
        strength: Vec::new(),
        seed,
        plies: 2000,
        opening: 2,
        looks: true,
        leads: 0,
        level_leads: 0,
        level_watch: 100,
        ..Rules::default()
    };
    Plan { rules, games, strength_games: 0, ..Plan::default() }
}

/// The tallies and all games.
fn play_with(
    all: &[Contestant],
    plan: &Plan,
    archive: &mut Archive,
) -> (Vec<Tally>, Vec<(GameRecord, bool)>) {
    let mut games = Vec::new();
    let mut taker = |game: &GameRecord, new: bool| -> Result<(), ()> {
        games.push((game.clone(), new));
        Ok(())
    };
    let tallies =
        all.iter().map(|c| run::play(c, plan, archive, Taker::Games(&mut taker)).expect("it plays"));
    (tallies.collect(), games)
}

pub(crate) fn play(all: &[Contestant], plan: &Plan) -> Vec<Tally> {
    play_with(all, plan, &mut Archive::default()).0
}

pub(crate) fn compared(words: &[&str], plan: &Plan) -> Comparison {
    let all = load(words);
    compare::compare(&all, &play(&all, plan), plan, &[], Pairs::WithFirst)
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Made-up figures of every kind: what draws comparisons can be tried on them.
fn sample() -> Comparison {
    serde_json::from_str(include_str!("../compare/sample.json")).expect("the sample has the form of today")
}

#[test]
fn a_comparison_is_written_and_read() {
    let sample = sample();
    assert_eq!(sample.format, FORMAT);
    for comparison in [sample, compared(&["tic-tac-toe", "tic-tac-toe"], &plan(20, 1))] {
        let text = serde_json::to_string(&comparison).unwrap();
        assert!(!text.contains("null,null"), "no figure is a NaN: {text}");
        assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), comparison);
    }
}

#[test]
fn a_seed_gives_the_same_figures_on_one_thread_and_on_many() {
    let words = ["knights-and-pawns", "knights-and-pawns+switch-move"];
    let mut plan = plan(30, 7);
    plan.rules.strength = ["flat:2", "random"].map(|a| AgentSpec::parse(a).unwrap()).to_vec();
    plan.strength_games = 2;
    let one = on_threads(1, || compared(&words, &plan));
    let many = on_threads(3, || compared(&words, &plan));
    assert_eq!(one, many);
    plan.rules.seed = 8;
    assert_ne!(compared(&words, &plan).variants, one.variants);
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let all = load(&["tic-tac-toe", "knights-and-pawns+switch-move"]);
    let plan = plan(12, 3);
    let (whole, games) = play_with(&all, &plan, &mut Archive::default());
    let wanted = compare::compare(&all, &whole, &plan, &[], Pairs::WithFirst);

    let mut first = Archive::default();
    let mut file = first.admit(&all, &plan.rules).unwrap();
    // The first variant is whole, of the second every other game is there, the last first.
    let kept = games.iter().rev().filter(|(g, _)| g.variant == "tic-tac-toe" || g.game % 2 == 0);
    let mut keeper = first.keeper();
    file.extend(kept.map(|(g, _)| keeper.line(g)));
    let read = |file: &[String]| {
        let mut archive = Archive::default();
        file.iter().for_each(|line| archive.read(line, &plan.rules).unwrap());
        archive
    };
    let mut archive = read(&file);
    assert!(archive.admit(&all, &plan.rules).unwrap().is_empty(), "all lines are there");
    let (again, games) = play_with(&all, &plan, &mut archive);
    assert_eq!(games.iter().filter(|(_, new)| *new).count(), 6);
    assert_eq!(compare::compare(&all, &again, &plan, &[], Pairs::WithFirst), wanted);

    // Other settings and another definition are refused.
    let mut other = plan.rules.clone();
    other.seed = 4;
    let error = Archive::default().read(&file[0], &other).unwrap_err();
    assert!(error.message.contains("--seed was 3, is 4"), "{}", error.message);
    let mut changed = load(&["tic-tac-toe"]);
    changed[0].game = load(&["gomoku"]).remove(0).game;
    let error = read(&file).admit(&changed, &plan.rules).unwrap_err();
    assert!(error.message.contains("`tic-tac-toe` has changed"), "{}", error.message);
    // More games go on from fewer; a further variant may join.
    let mut more = read(&file);
    assert_eq!(more.admit(&load(&["tic-tac-toe", "breakthrough"]), &plan.rules).unwrap().len(), 1);
    assert!(Archive::default().read("{\"ply\":1}", &plan.rules).is_err());
}

#[test]
fn another_start_is_another_game() {
    let all = load(&["./rook.toml", "./queen.toml"]);
    assert_eq!(all[0].game.program, all[1].game.program, "only the start differs");
    assert_ne!(all[0].fingerprint(), all[1].fingerprint());
    assert!(!all[0].game.is_same_as(&all[1].game));
}

/// One definition, and the shipped ones.
struct Text(String);

impl Files for Text {
    fn read(&self, path: &str) -> Result<String, FileError> {
        match path.strip_prefix("./") {
            Some(beside) if beside.ends_with(".weights.toml") => Err(FileError::Missing),
            Some(_) => Ok(self.0.clone()),
            None => Shipped.read(path),
        }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

#[test]
fn whatever_is_run_or_written_makes_another_game() {
    const FILL: &str = include_str!("../compare/twice.toml");
    let shipped = |name: &str| Shipped.read(name).unwrap();
    let set_up = format!("{FILL}\n[setup]\nboard = \"D.....d.\"\n");
    let game = |text: String, path: &str| {
        let (game, found) = Game::load(path, &Text(text), &Choices::default(), &mut Sources::default());
        game.unwrap_or_else(|| panic!("{found:?}"))
    };
    for (text, from, to) in [
        // The directions of a line, set-up squares, a picture, a table of many sites.
        (shipped("tic-tac-toe"), "line(own, 3)", "line(own, 3, orthogonal)"),
        (shipped("breakthrough"), "\"row(1) | row(2)\"", "\"row(1) | row(3)\""),
        (shipped("reversi"), "black disc at d5 | e4", "black disc at d5 | e3"),
        (set_up.clone(), "D.....d.", "D....d.."),
        (set_up.clone(), "D.....d.", "d.....D."),
        (shipped("breakthrough"), "step forward\"", "step forward backward\""),
        // Names and texts of moves and positions.
        (set_up.clone(), "\"{to}\"", "\"x{to}\""),
        (set_up.clone(), "\"red\"", "\"rot\""),
        (FILL.to_owned(), "letter = \"d\"", "letter = \"e\""),
        (shipped("chess"), "RNBQKBNR w", "RNBQKBRN w"),
    ] {
        assert!(text.contains(from), "{from}");
        let before = game(text.clone(), "./game.toml");
        let after = game(text.replace(from, to), "./game.toml");
        assert_ne!(before.fingerprint(), after.fingerprint(), "{from} and {to}");
        // How the file is called and written is no part of it.
        let same = game(format!("# a comment\n{text}").replace('\n', "\n\n"), "./other.toml");
        assert_eq!(before.fingerprint(), same.fingerprint(), "{from}");
    }
    // The same on every machine and in every run.
    let game = game(FILL.to_owned(), "./game.toml");
    assert_eq!(game.fingerprint().to_string(), FILLED, "a change here makes old files of games useless");
    // What a game is held against is a part of what is recorded.
    let with = |text: &str| {
        let variant = Variant::parse("./game.toml+twice").unwrap();
        let loaded = Contestant::load(&variant, &Text(text.to_owned()), &mut Sources::default());
        loaded.ok().unwrap().fingerprint()
    };
    let other = FILL.replace("end.full.when = \"no vacant\"", "end.full.when = \"no  vacant\"");
    assert_eq!(with(FILL), with(&other));
    let other = FILL
        .replace("(no vacant) and not again\"\nresult", "(no vacant) and (not again) or d1 in own\"\nresult");
    assert_ne!(other, FILL);
    assert_ne!(with(FILL), with(&other), "the game without the option is another one");
}

/// The fingerprint of `compare/twice.toml`.
const FILLED: &str = "badae99e88a707ff";

#[test]
fn a_position_is_worth_what_random_games_from_it_bring() {
    // Noughts and crosses at random: the first player wins 58.5 %, 12.7 % are drawn. The agents' best hope would be
    // far above that.
    let game = load(&["tic-tac-toe"]).remove(0).game;
    let mut machine = game.machine().unwrap();
    let pos = game.start(&mut machine, None, 1).unwrap();
    let mut moves = Moves::new();
    machine.moves(&pos, &mut moves);
    let mut history = History::new();
    history.push(machine.full_hash(&pos));
    let at = Situation { pos: &pos, history: &history, moves: &moves, played: &[] };
    let mut values = Vec::new();
    Playouts::default().value(&mut machine, at, 10_000, &mut Rng::new(5), &mut values);
    // Four standard errors.
    assert!((values[0] - 0.6485).abs() < 0.019, "{values:?}");
    assert!((values[0] + values[1] - 1.0).abs() < 1e-9, "{values:?}");
}

#[test]
fn who_is_ahead_does_not_depend_on_how_often_it_is_asked() {
    let all = load(&["hex:size=4"]);
    let mut plan = plan(40, 1);
    plan.rules.looks = false;
    plan.rules.agents = vec![AgentSpec::parse("flat:20").unwrap()];
    let mut games_of = Vec::new();
    let mut found = Vec::new();
    for leads in [0, LEAST, 4 * LEAST] {
        plan.rules.leads = leads;
        let (tallies, games) = play_with(&all, &plan, &mut Archive::default());
        games_of.push(games.into_iter().map(|(g, _)| (g.result, g.plies, g.opening)).collect::<Vec<_>>());
        found.push(compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst).variants.remove(0));
    }
    // The games are the same, whether it is asked or not.
    assert!(games_of.windows(2).all(|w| w[0] == w[1]));
    assert!(!found[0].estimates.contains_key("drama") && found[0].leads.is_empty());
    for key in ["lead-changes", "drama", "settled"] {
        let [few, many] = [&found[1].estimates[key], &found[2].estimates[key]];
        let inside = |value: f64, e: &farrier::compare::model::Estimate| e.low <= value && value <= e.high;
        assert!(inside(few.value, many) && inside(many.value, few), "{key}: {few:?} and {many:?}");
    }
    // A game of some ten plies in which the lead changed at nearly every one, before.
    assert!(found[1].estimates["lead-changes"].value < 2.0, "{:?}", found[1].estimates["lead-changes"]);
}

#[test]
fn who_begins_is_taken_from_play() {
    // In Knightcap the player who is named second empties a square before the first leap; with the option the other
    // one. Both are the same game with colours exchanged.
    let words = ["knightcap", "knightcap:first=black"];
    let all = load(&words);
    let mut plan = plan(400, 1);
    plan.rules.looks = false;
    let (tallies, games) = play_with(&all, &plan, &mut Archive::default());
    let found = compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst);
    for (word, who, number) in [(words[0], "black", 1), (words[1], "white", 0)] {
        assert!(games.iter().filter(|(g, _)| g.variant == word).all(|(g, _)| g.first == Some(number)));
        let v = found.variants.iter().find(|v| v.variant == word).unwrap();
        assert_eq!(v.first.as_deref(), Some(who));
        let wins = v.outcomes.iter().find(|o| o.outcome == who).unwrap().games;
        let decided: u64 = v.outcomes.iter().filter(|o| o.outcome != "draw").map(|o| o.games).sum();
        assert!((v.estimates["first-wins"].value - wins as f64 / decided as f64).abs() < 1e-12);
    }
    let d = found.differences.iter().find(|d| d.metric == "first-wins").unwrap();
    assert!(d.p > 0.01 && d.estimate.value.abs() < 0.07, "{d:?}");
    // Where chance makes the first plies, who begins is who decides first.
    let found = compared(&["knightcap"], &plan);
    assert!(found.verdict.iter().any(|s| s.contains("black wins")), "{:?}", found.verdict);
}

#[test]
fn sites_that_no_piece_ever_comes_to_are_told() {
    let said = |word: &str| {
        let notes = compared(&[word], &plan(60, 1)).notes;
        notes.into_iter().find(|note| note.contains("no piece ever came to"))
    };
    // Hounds and fox walk over the dark squares only.
    let note = said("fox-and-hounds").unwrap();
    assert_eq!(note, "In `fox-and-hounds` no piece ever came to b1, d1, f1 and 29 more in 60 watched games.");
    assert_eq!(said("knights-and-pawns"), None);
}

#[test]
fn a_copy_is_played_by_the_weights_of_what_it_was_copied_from() {
    let marks = |words: &[&str]| -> Vec<Option<String>> {
        load(words).iter().map(|one| one.game.weights_mark().map(|mark| mark.to_string())).collect()
    };
    let found = marks(&["./copy.toml", "knights-and-pawns+switch-move"]);
    assert!(found[0].is_some() && found[0] == found[1], "{found:?}");
    // Those of another game say nothing of its pieces: then it is told that agents guess.
    let found = marks(&["breakthrough", "./copy.toml"]);
    assert!(found[0].is_some() && found[1].is_none(), "{found:?}");
    let rules = Rules { levels: vec![AgentSpec::parse("random").unwrap()], ..plan(1, 1).rules };
    let plan = Plan { rules, level_games: 1, ..plan(1, 1) };
    let told = |words: &[&str]| {
        let notes = compared(words, &plan).notes;
        notes.iter().any(|note| note.starts_with("Agents were trained for `breakthrough`, and guess"))
    };
    assert!(told(&["breakthrough", "./copy.toml"]) && !told(&["breakthrough", "knights-and-pawns"]));
}

#[test]
fn a_game_against_itself_is_said_to_be_the_same() {
    let words = ["hex:size=4", "hex:size=4+pie-rule", "hex:size=4~pie-rule"];
    let found = compared(&words, &plan(40, 1));
    assert_eq!(found.same, [[words[0].to_owned(), words[1].to_owned()]]);
    assert!(found.verdict[0].starts_with(&format!("`{}` is the same game as `{}`", words[1], words[0])));
    let of = |b: &str| found.differences.iter().filter(move |d| d.b == b).collect::<Vec<_>>();
    assert!(of(words[1]).iter().all(|d| d.games_needed.is_none()));
    assert!(of(words[2]).iter().any(|d| d.games_needed.is_some()));
}

#[test]
fn histograms_of_all_variants_have_the_same_bins() {
    // Games of 8, of 16 and of about a hundred plies: each by itself would have bins of its own.
    let words = ["./twice.toml", "./twice.toml+twice", "knights-and-pawns"];
    let found = compared(&words, &plan(30, 1));
    let alone = compared(&words[..1], &plan(30, 1));
    let edges = |h: &Histogram| -> Vec<(i64, i64)> { h.bins.iter().map(|b| (b.from, b.to)).collect() };
    for of in [|v: &VariantResult| v.lengths.clone(), |v: &VariantResult| v.turns.clone()] {
        let first = edges(&of(&found.variants[0]));
        assert!(first.len() > 1 && first.len() <= 40, "{first:?}");
        assert!(first.windows(2).all(|w| w[0].1 + 1 == w[1].0), "no gaps: {first:?}");
        assert!(first.iter().all(|(from, to)| to - from == first[0].1 - first[0].0), "{first:?}");
        for v in &found.variants {
            assert_eq!(edges(&of(v)), first, "{}", v.variant);
            assert_eq!(of(v).bins.iter().map(|b| b.count).sum::<u64>(), 30, "{}", v.variant);
        }
        assert_ne!(edges(&of(&alone.variants[0])), first);
    }
}

#[test]
fn every_game_of_the_measured_kinds_has_its_figures() {
    // Chance, scores, a graph of numbers, hexagons, passes, no owners: whatever the shipped games have.
    for name in Shipped::list() {
        let mut plan = plan(2, 1);
        plan.rules.plies = 60;
        plan.rules.looks = false;
        let found = compared(&[&name], &plan);
        let v = &found.variants[0];
        assert_eq!(v.games, 2, "{name}");
        assert_eq!(v.outcomes.iter().map(|o| o.games).sum::<u64>(), 2, "{name}");
        assert!(v.estimates["length"].value > 0.0, "{name}");
        assert_eq!(v.lengths.bins.iter().map(|b| b.count).sum::<u64>(), 2, "{name}");
        assert!(v.heat.iter().all(|h| h.values.len() == v.board.sites.len()), "{name}");
        let occupied = v.heat.iter().find(|h| h.kind == HeatKind::Occupied && h.player.is_none()).unwrap();
        assert!(occupied.values.iter().all(|share| (0.0..=1.0).contains(share)), "{name}");
        let used: u64 = v.decisions.iter().map(|d| d.used).sum();
        assert_eq!(used as f64, v.estimates["length"].value * 2.0, "{name}: every ply is of a decision");
        assert!(v.margins.is_some() == v.estimates.contains_key("margin"), "{name}");
    }
}

#[test]
fn a_game_is_counted_right() {
    // Every game is told by its record; the record can be held against the game played again.
    let all = load(&["tic-tac-toe"]);
    let plan = plan(40, 11);
    let (_, games) = play_with(&all, &plan, &mut Archive::default());
    let (game, _) = Game::load("tic-tac-toe", &Library, &Default::default(), &mut Sources::default());
    let game = game.unwrap();
    for (record, _) in &games {
        let mut machine = game.machine().unwrap();
        let start = game.start(&mut machine, None, record.seed).unwrap();
        let played = farrier::analysis::playout::record(&game, &mut machine, &start, record.seed, 100);
        // Random agents play what a playout of the same seed plays.
        assert_eq!(played.end.unwrap().result, record.result);
        assert_eq!(played.plies.len(), record.plies as usize);
        let texts: Vec<&str> = played.plies.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(record.opening, texts[..6.min(texts.len())]);
        let legal: Vec<u32> = (0..record.plies).map(|ply| 9 - ply).collect();
        assert_eq!(record.legal, legal);
        // Each stone lands once, where it stays.
        assert_eq!(record.landed.iter().flatten().map(|(_, n)| n).sum::<u32>(), record.plies);
        assert_eq!(record.decisions["place"], [record.plies, record.plies]);
        // A look ahead of everything: lines of three that want one stone.
        assert_eq!(record.only_wins, Some(only_wins(&texts)), "{texts:?}");
    }
    assert!(games.iter().any(|(g, _)| g.puzzles.iter().any(|p| p.kind == PuzzleKind::OnlyDefence)));
}

/// Plies of a game of noughts and crosses at which exactly one of several vacant sites completes a line.
fn only_wins(moves: &[&str]) -> u32 {
    let site = |text: &str| {
        let bytes = text.as_bytes();
        usize::from(bytes[0] - b'a') + 3 * usize::from(bytes[1] - b'1')
    };
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut owner = [2; 9];
    let mut found = 0;
    for (ply, text) in moves.iter().enumerate() {
        let me = ply % 2;
        let vacant: Vec<usize> = (0..9).filter(|s| owner[*s] == 2).collect();
        let wins = |s: usize| {
            lines.iter().any(|l| l.contains(&s) && l.iter().all(|other| *other == s || owner[*other] == me))
        };
        let winning = vacant.iter().filter(|s| wins(**s)).count();
        found += u32::from(vacant.len() > 1 && winning == 1);
        owner[site(text)] = me;
    }
    found
}

#[test]
fn more_thought_wins_more() {
    let all = load(&["tic-tac-toe"]);
    let mut plan = plan(1, 1);
    plan.rules.strength = ["flat:60", "flat:6", "random"].map(|a| AgentSpec::parse(a).unwrap()).to_vec();
    plan.strength_games = 60;
    let found = compare::compare(&all, &play(&all, &plan), &plan, &[], Pairs::WithFirst);
    let strength = found.variants[0].strength.as_ref().unwrap();
    for step in &strength.steps {
        assert_eq!([step.games, step.wins + step.draws + step.losses], [60, 60]);
        assert!(step.score.low > 0.55, "{step:?}");
    }
    let agents: Vec<&str> = strength.steps.iter().map(|step| step.stronger.as_str()).collect();
    assert_eq!(agents, ["flat:60", "flat:6"]);
    assert!(strength.score.high <= 1.0 && strength.score.n == 120);
    assert!(strength.score.low > 0.7, "{strength:?}");
    // Two that play the main games say the same, and playouts tell who leads.
    let mut pair = self::plan(40, 1);
    pair.rules.agents = ["flat:60", "random"].map(|a| AgentSpec::parse(a).unwrap()).to_vec();
    pair.rules.leads = LEAST;
    let found = compare::compare(&all, &play(&all, &pair), &pair, &[], Pairs::WithFirst);
    let strength = found.variants[0].strength.as_ref().unwrap();
    assert!(strength.score.low > 0.6 && strength.steps[0].games == 40, "{strength:?}");
    let [first, second] = strength.by_seat.map(Option::unwrap);
    assert_eq!((first.n, second.n), (20, 20));
    assert!(found.variants[0].estimates.contains_key("drama"));
}

#[test]
fn a_playout_costs_what_the_game_is_long() {
    let work = |word: &str, name: &str, length: f64| {
        let game = Game::open(name, &Shipped, &Choices::default()).expect("it is shipped");
        AgentSpec::parse(word).expect("an agent").work(&Making::default(), &game.program, length)
    };
    assert_eq!(work("random", "hex", 100.0), 0.0);
    let playouts = |length: f64| work("uct:10", "hex", length);
    assert_eq!(playouts(300.0) - playouts(100.0), 10.0 * 100.0, "half of the game is left on average");
    assert_eq!(work("alphabeta:10", "hex", 300.0), work("alphabeta:10", "hex", 100.0));
    assert_eq!(work("flat:2s", "hex", 300.0), 2.0 * work("flat:1s", "hex", 100.0));
    // What suits a game in which pieces are placed plays it out; where they are moved it looks.
    assert_eq!(work("auto:10", "hex", 100.0), work("rave:10", "hex", 100.0));
    assert_eq!(work("level:1", "breakthrough", 100.0), work("alphabeta:32", "breakthrough", 100.0));
}

#[test]
#[ignore = "a quarter of a minute in a debug build"]
fn four_thousand_games_are_soon_played() {
    let words = ["knights-and-pawns", "knights-and-pawns+switch-move"];
    let began = std::time::Instant::now();
    let found = compared(&words, &plan(2000, 1));
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    let differs: Vec<&str> =
        found.differences.iter().filter(|d| d.significant).map(|d| d.metric.as_str()).collect();
    assert!(differs.contains(&"turns") && differs.contains(&"opening"), "{differs:?}");
}
