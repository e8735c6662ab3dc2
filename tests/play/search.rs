//! Agents: exact results, forced wins, the same choice for the same seed, budgets.

use std::collections::HashMap;
use std::sync::Arc;

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use farrier::search::evaluation::{Evaluation, Shares, Terms, guessed, share};
use farrier::search::proof::{Prover, solve};
use farrier::search::{
    AGENTS, AgentSpec, Budget, Found, Limit, Making, Seat, Situation, Thought, draw, was_loud,
};
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles};

use farrier::variant::Variant;

use super::evaluation::odd_weights;

pub(super) fn open(word: &str) -> Game {
    word.parse::<Variant>().unwrap().open(&Shipped).unwrap()
}

/// A shipped game on another board.
pub(super) fn smaller(game: &str, board: &str) -> Game {
    let text = format!("extends = \"{game}\"\nname = \"small\"\n[board]\n{board}\n");
    let mut files = MemoryFiles::default().with("./small.toml", &text);
    for name in Shipped::list() {
        files = files.with(&name, Shipped.read(&name).unwrap());
    }
    Game::open("./small.toml", &files, &Choices::default()).unwrap()
}

pub(super) struct Begun {
    pub machine: Machine,
    pub pos: Position,
    pub history: History,
    pub moves: Moves,
}

impl Begun {
    pub fn new(game: &Game, setup: Option<&str>) -> Begun {
        let mut machine = game.machine().unwrap();
        let pos = game.start(&mut machine, setup, 1).unwrap();
        let (mut history, mut moves) = (History::new(), Moves::new());
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        Begun { machine, pos, history, moves }
    }

    pub fn at(&self) -> Situation<'_> {
        Situation { pos: &self.pos, history: &self.history, moves: &self.moves, played: &[] }
    }

    /// What games at random from here say.
    pub fn guessed(&mut self) -> (Terms, Shares, Vec<Vec<f64>>) {
        guessed(&mut self.machine, &[(self.pos.clone(), self.history.clone())], &Limit::nodes(40_000))
    }

    /// What a seat finds.
    pub fn think(&mut self, seat: &mut Seat, limit: Limit<'_>, seed: u64) -> (Move, Found) {
        let (mut rng, mut last) = (Rng::new(seed), Found::default());
        let mut tell = |found: &Found| last = found.clone();
        let mut thought = Thought { rng: &mut rng, limit, tell: Some(&mut tell), lines: 1 };
        let at = Situation { pos: &self.pos, history: &self.history, moves: &self.moves, played: &[] };
        let chosen = seat.think(&mut self.machine, at, &mut thought).unwrap();
        (chosen, last)
    }
}

pub(super) fn seat(word: &str, game: &Game) -> Seat {
    word.parse::<AgentSpec>().unwrap().seat(&game.making()).unwrap()
}

/// The winner by person, by looking at every line; for games that never come back to a position.
fn brute(
    machine: &mut Machine,
    pos: &Position,
    moves: &Moves,
    known: &mut HashMap<Vec<u64>, Option<usize>>,
) -> Option<usize> {
    if let Some(found) = known.get(&pos.words()[1..]) {
        return *found;
    }
    let found = if moves.is_empty() {
        match machine.outcome(pos) {
            Some(Outcome::Win(winner)) => Some(pos.person(machine.layout(), winner)),
            _ => None,
        }
    } else {
        let own = pos.person(machine.layout(), moves.mover());
        let mut best = Some(1 - own);
        for number in moves.iter() {
            let (mut next, mut after) = (pos.clone(), Moves::new());
            machine.play(&mut next, number, &mut History::new(), &mut after);
            let value = brute(machine, &next, &after, known);
            if value == Some(own) {
                best = value;
                break;
            }
            if value.is_none() {
                best = None;
            }
        }
        best
    };
    known.insert(pos.words()[1..].to_vec(), found);
    found
}

/// Knight Fight on five by five squares, with the numbers 0 to 24.
const FEW_NUMBERS: &str = r#"square = [5, 5]
[state]
number = { type = "int", per = "site", shuffle = "0..24" }
[define]
home = { white = "row(1)", black = "row(5)" }
[setup.named]
"in order" = "00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24""#;

#[test]
fn what_is_solved_is_what_brute_force_says() {
    let games = [
        ("tic-tac-toe", open("tic-tac-toe")),
        ("hex 3", open("hex:size=3~pie-rule")),
        ("hex 3, pie rule", open("hex:size=3+pie-rule")),
        ("connect four 4x4", smaller("connect-four", "square = [4, 4]")),
        ("knightcap 4x4", smaller("knightcap", "square = [4, 4]")),
        ("knight fight 5x5", smaller("knight-fight", FEW_NUMBERS)),
    ];
    let mut winners = Vec::new();
    for (name, game) in &games {
        let mut begun = Begun::new(game, None);
        let (pos, moves) = (begun.pos.clone(), begun.moves.clone());
        let exact = brute(&mut begun.machine, &pos, &moves, &mut HashMap::new());
        let mut prover = Prover::new(&begun.machine, game.making().evaluation, 64 << 20).unwrap();
        let proved = solve(&mut prover, begun.at(), &Limit::nodes(20_000_000));
        assert!(proved.is_known(), "{name}: not known after {} positions", prover.nodes());
        assert_eq!(proved.winner, exact, "{name}");
        // The line is legal, and where somebody wins it leads there.
        let (mut pos, mut moves, mut history) = (begun.pos.clone(), begun.moves.clone(), History::new());
        for number in &proved.line {
            assert!(moves.contains(*number), "{name}: an illegal move in the line");
            begun.machine.play(&mut pos, *number, &mut history, &mut moves);
        }
        if let (Some(winner), false) = (exact, proved.line.is_empty()) {
            let Some(Outcome::Win(player)) = begun.machine.outcome(&pos) else {
                panic!("{name}: the line is no win")
            };
            assert_eq!(pos.person(begun.machine.layout(), player), winner, "{name}");
        }
        winners.push(exact);
    }
    // With the pie rule the second person takes the good side over.
    assert_eq!(winners[..3], [None, Some(0), Some(1)]);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn larger_games_are_solved_too() {
    let games = [
        ("hex 4", open("hex:size=4~pie-rule")),
        ("connect four 5x4", smaller("connect-four", "square = [5, 4]")),
    ];
    for (name, game) in &games {
        let mut begun = Begun::new(game, None);
        let mut prover = Prover::new(&begun.machine, game.making().evaluation, 512 << 20).unwrap();
        let proved = solve(&mut prover, begun.at(), &Limit::nodes(1_000_000_000));
        assert!(proved.is_known(), "{name}: not known after {} positions", prover.nodes());
        let (pos, moves) = (begun.pos.clone(), begun.moves.clone());
        assert_eq!(proved.winner, brute(&mut begun.machine, &pos, &moves, &mut HashMap::new()), "{name}");
    }
}

/// Black is one point ahead on two lines each way, where a way back to any position is barred (E. van der Werf,
/// J. van den Herik and J. Uiterwijk, Solving Go on Small Boards, 2003).
#[test]
fn what_is_solved_minds_positions_that_may_not_come_back() {
    for (komi, winner) in [(0, Some(0)), (1, None), (2, Some(1))] {
        let begun = Begun::new(&open(&format!("go:size=2:komi={komi}")), None);
        let mut prover = Prover::new(&begun.machine, None, 16 << 20).unwrap();
        let proved = solve(&mut prover, begun.at(), &Limit::nodes(100_000));
        assert!(proved.is_known(), "{komi}");
        assert_eq!(proved.winner, winner, "{komi}");
    }
}

#[test]
fn too_little_is_said_to_be_too_little() {
    let begun = Begun::new(&open("connect-four"), None);
    let mut prover = Prover::new(&begun.machine, None, 1 << 20).unwrap();
    let proved = solve(&mut prover, begun.at(), &Limit::nodes(2000));
    assert!(!proved.is_known() && proved.line.is_empty());
    assert!(prover.nodes() < 3000, "{}", prover.nodes());
}

#[test]
fn forced_wins_are_found() {
    let mut last = String::new();
    let mut known: Option<(Game, Seat)> = None;
    let mut found = 0;
    for line in include_str!("mates.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.splitn(3, ' ');
        let (name, plies, text) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        if name != last {
            let game = open(name);
            known = Some((game.clone(), seat("alphabeta:1", &game)));
            last = name.to_owned();
        }
        let (game, seat) = known.as_mut().unwrap();
        let mut begun = Begun::new(game, Some(text));
        seat.forget();
        let (_, told) = begun.think(seat, Limit::nodes(400_000), 1);
        assert_eq!((told.proved, told.value), (Some(plies.parse().unwrap()), 1.0), "{line}: {told:?}");
        found += 1;
    }
    assert_eq!(found, 39);
}

#[test]
fn the_same_seed_is_the_same_choice() {
    for word in ["knightcap", "knight-fight", "hex:size=5+pie-rule", "draughts"] {
        let game = open(word);
        for row in AGENTS.iter().filter(|row| row.node.is_some() && !["engine", "level"].contains(&row.name))
        {
            let word = format!("{}:300", row.name);
            let play = || {
                let mut begun = Begun::new(&game, None);
                let mut both = [seat(&word, &game), seat(&word, &game)];
                let mut rng = Rng::new(4);
                let mut played = Vec::new();
                while played.len() < 8 && !begun.moves.is_empty() {
                    let at = Situation {
                        pos: &begun.pos,
                        history: &begun.history,
                        moves: &begun.moves,
                        played: &[],
                    };
                    let number = match begun.moves.is_chance() {
                        true => draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng).unwrap(),
                        false => both[begun.moves.mover().index()]
                            .choose(&mut begun.machine, at, &mut rng)
                            .unwrap(),
                    };
                    assert!(begun.moves.contains(number), "{word}: an illegal move");
                    begun.machine.play(&mut begun.pos, number, &mut begun.history, &mut begun.moves);
                    played.push(number);
                }
                played
            };
            assert_eq!(play(), play(), "{word}");
        }
    }
}

#[test]
fn a_budget_is_kept() {
    let game = open("breakthrough");
    for (word, slack) in
        [("uct:1", 0), ("mcts:1", 0), ("rave:1", 0), ("looker:1", 0), ("ubfm:1", 0), ("alphabeta:1", 70)]
    {
        let mut begun = Begun::new(&game, None);
        let (_, told) = begun.think(&mut seat(word, &game), Limit::nodes(2500), 1);
        assert!(told.nodes <= 2500 + slack && told.nodes > 1000, "{word}: {}", told.nodes);
        let deep = Limit { depth: 2, ..Limit::nodes(1_000_000) };
        if word.starts_with("alphabeta") {
            assert_eq!(begun.think(&mut seat(word, &game), deep, 1).1.depth, 2);
        }
    }
}

#[test]
fn what_hardly_matters_is_hardly_looked_at() {
    // It is 163 thousand nodes: 505 where all moves are looked at near the end of a line, 253 where a position without a
    // known move is as deep as others, about 230 where history does not say how deep late moves are, 190 where none is
    // looked at less deep.
    let game = open("chess");
    let mut nodes = 0;
    for setup in [
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r3r1k1/1b3pp1/p1nqpn1p/1p1p4/3P4/P1NBPN2/1P1Q1PPP/2R1R1K1 w - - 0 17",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ] {
        let limit = Limit { depth: 7, ..Limit::nodes(1_000_000) };
        nodes += Begun::new(&game, Some(setup)).think(&mut seat("alphabeta:1", &game), limit, 1).1.nodes;
    }
    assert!(nodes < 180_000, "{nodes}");
}

#[test]
fn several_threads_are_refused_where_an_agent_has_one() {
    for word in
        ["uct:10@2", "mcts:10@2", "rave:10@2", "looker:10@2", "ubfm:10@2", "alphabeta:10@2", "auto:10@256"]
    {
        assert!(word.parse::<AgentSpec>().is_ok(), "{word}");
    }
    for word in ["flat:10@2", "mcts:10@0", "mcts:10@257"] {
        let refused = word.parse::<AgentSpec>().unwrap_err();
        assert!(refused.message.contains("no number of threads"), "{word}: {refused:?}");
        assert!(refused.help.contains("`auto:1s@2`"), "{word}: {refused:?}");
    }
}

#[test]
fn several_threads_share_a_budget_and_find_a_win() {
    let game = open("chess");
    let setup = "4k3/pq1p2p1/1p2p1r1/2p2p1p/Nb1n1P2/5N1P/PB1P2PR/1R1K4 b - - 1 19";
    for word in ["alphabeta:1@3", "auto:1@2"] {
        let mut seat = seat(word, &game);
        let (_, told) = Begun::new(&game, Some(setup)).think(&mut seat, Limit::nodes(600_000), 1);
        assert_eq!((told.proved, told.value), (Some(3), 1.0), "{word}: {told:?}");
        // Thinking again in another game, and within nodes that all together may spend.
        seat.forget();
        let (_, told) = Begun::new(&game, None).think(&mut seat, Limit::nodes(9000), 1);
        assert!((2500..9000 + 3 * 70).contains(&told.nodes), "{word}: {}", told.nodes);
    }
    let made = |threads| Making { threads, memory: Some(1 << 20), ..game.making() };
    for threads in [0, 1, 2] {
        let mut seat = "alphabeta:1".parse::<AgentSpec>().unwrap().seat(&made(threads)).unwrap();
        let (_, told) = Begun::new(&game, Some(setup)).think(&mut seat, Limit::nodes(600_000), 1);
        assert_eq!(told.proved, Some(3), "{threads} threads: {told:?}");
    }
}

#[test]
fn several_threads_share_a_tree() {
    // What is proved together is true.
    for (name, game, winner) in [
        ("tic-tac-toe", open("tic-tac-toe"), None),
        ("hex 3, pie rule", open("hex:size=3+pie-rule"), Some(1)),
        ("hex 3", open("hex:size=3~pie-rule"), Some(0)),
    ] {
        for word in ["mcts:1@3", "rave:1@2", "looker:1@4", "ubfm:1@2"] {
            let mut seat = seat(word, &game);
            for seed in 0..4 {
                seat.forget();
                let (_, told) = Begun::new(&game, None).think(&mut seat, Limit::nodes(1_000_000), seed);
                let value = winner.map_or(0.5, |winner| f64::from(1 - winner));
                assert!(told.proved.is_some() && told.value == value, "{name}, {word}, {seed}: {told:?}");
            }
        }
    }
    // All together make as many simulations as they may, and choose what one chooses where that is plain.
    let game = open("breakthrough");
    for word in ["uct:1@2", "mcts:1@3", "rave:1@2", "looker:1@2", "ubfm:1@3"] {
        let (_, told) = Begun::new(&game, None).think(&mut seat(word, &game), Limit::nodes(5003), 1);
        assert_eq!(told.nodes, 5003, "{word}");
    }
    // What threads tell each other later is neither lost nor told twice: the value is about what one finds.
    for word in ["uct", "mcts"] {
        let [one, three] = [1, 3].map(|threads| {
            let mut seat = seat(&format!("{word}:1@{threads}"), &game);
            Begun::new(&game, None).think(&mut seat, Limit::nodes(20_000), 1).1.value
        });
        assert!((one - three).abs() < 0.05, "{word}: {one} {three}");
    }
}

/// A clock of its own for each thread of tests, which goes on by a millisecond whenever it is looked at.
pub(super) fn ticking() -> std::time::Duration {
    use std::cell::Cell;
    thread_local!(static TICKS: Cell<u64> = const { Cell::new(0) });
    std::time::Duration::from_millis(TICKS.with(|ticks| ticks.replace(ticks.get() + 1)))
}

#[test]
fn a_long_playout_is_given_up_when_the_time_is_over() {
    let text = r#"
        name = "Walk"
        [board]
        square = [4, 4]
        [pieces]
        king = {}
        [relations]
        walk = "step any"
        [setup]
        do = "put white king at a1; put black king at d4"
        [decisions.move]
        choose = "from in own, to in walk(from) & vacant"
        do     = "move from -> to"
        text   = "{from}{to}"
        [turn]
        main  = "move"
        stuck = "mover loses"
    "#;
    let files = MemoryFiles::default().with("./walk.toml", text);
    let game = Game::open("./walk.toml", &files, &Choices::default()).unwrap();
    let mut begun = Begun::new(&game, None);
    let until = ticking() + std::time::Duration::from_millis(40);
    let limit = Limit { until: Some((ticking, until)), ..Limit::nodes(u64::MAX) };
    let (_, told) = begun.think(&mut seat("mcts:1", &game), limit, 1);
    // A playout takes 2000 plies. Looked at only between simulations, the clock would be good for a dozen.
    assert!((1..=5).contains(&told.nodes), "{told:?}");
}

#[test]
fn a_small_memory_is_enough_to_choose() {
    let game = open("amazons");
    let making = Making { memory: Some(1), ..game.making() };
    for word in ["mcts:1", "rave:1", "looker:1", "ubfm:1"] {
        let mut seat = word.parse::<AgentSpec>().unwrap().seat(&making).unwrap();
        let (chosen, told) = Begun::new(&game, None).think(&mut seat, Limit::nodes(300), 1);
        assert_eq!((told.nodes, told.line.first()), (300, Some(&chosen)), "{word}: {told:?}");
    }
}

/// What is found at a position is the static value of the position at the end of its line, after all loud moves.
#[test]
fn a_line_ends_where_its_value_was_seen() {
    for name in ["chess", "crazyhouse", "draughts", "hex", "knight-scattering-chess", "breakthrough"] {
        let game = open(name);
        let evaluation = game.making().evaluation.unwrap();
        let mut rng = Rng::new(1);
        let mut seen = 0;
        for _ in 0..12 {
            let mut begun = Begun::new(&game, None);
            for _ in 0..10 {
                let Some(number) = draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng) else {
                    break;
                };
                begun.machine.play(&mut begun.pos, number, &mut begun.history, &mut begun.moves);
            }
            let mut all = Vec::new();
            let mut tell = |found: &Found| all.push(found.clone());
            let limit = Limit::nodes(4000);
            let mut thought = Thought { rng: &mut rng, limit, tell: Some(&mut tell), lines: 1 };
            let at = Situation { pos: &begun.pos, history: &begun.history, moves: &begun.moves, played: &[] };
            seat("alphabeta:1", &game).think(&mut begun.machine, at, &mut thought).unwrap();
            let player = begun.moves.mover().index();
            // The last one is of a depth that was not finished; of a bound it tells the move only.
            for found in all.iter().filter(|found| found.proved.is_none() && found.line.len() > 1) {
                let (mut pos, mut moves) = (begun.pos.clone(), begun.moves.clone());
                let mut history = begun.history.clone();
                for number in &found.line {
                    begun.machine.play(&mut pos, *number, &mut history, &mut moves);
                }
                if !moves.is_empty() {
                    let value = share(evaluation.value(&mut begun.machine, &pos, &moves, player));
                    assert!((found.value - value).abs() < 1e-9, "{name}: {found:?}, {value}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 30, "{name}: {seen}");
    }
}

#[test]
fn as_many_lines_are_told_as_are_wanted() {
    let game = open("connect-four");
    for word in ["alphabeta:1", "mcts:1"] {
        let mut begun = Begun::new(&game, None);
        let mut lines = std::collections::BTreeMap::new();
        let mut tell = |found: &Found| drop(lines.insert(found.rank, found.clone()));
        let mut rng = Rng::new(1);
        let limit = Limit::nodes(20_000);
        let mut thought = Thought { rng: &mut rng, limit, tell: Some(&mut tell), lines: 3 };
        let at = Situation { pos: &begun.pos, history: &begun.history, moves: &begun.moves, played: &[] };
        let chosen = seat(word, &game).think(&mut begun.machine, at, &mut thought).unwrap();
        assert_eq!(lines.keys().copied().collect::<Vec<_>>(), [1, 2, 3], "{word}");
        let firsts: std::collections::BTreeSet<Move> = lines.values().map(|found| found.line[0]).collect();
        assert_eq!((firsts.len(), lines[&1].line[0]), (3, chosen), "{word}");
        if word.starts_with("alphabeta") {
            assert!(lines[&1].value >= lines[&2].value && lines[&2].value >= lines[&3].value);
        }
    }
}

#[test]
fn whoever_thinks_does_not_lose_what_is_drawn() {
    let game = open("tic-tac-toe");
    for word in ["uct:3000", "mcts:3000", "ubfm:1000", "alphabeta:20k"] {
        for number in 0..6 {
            let mut begun = Begun::new(&game, None);
            let mut thinker = seat(word, &game);
            let mut rng = Rng::new(number);
            while !begun.moves.is_empty() {
                let mine = begun.moves.mover().index() as u64 == number % 2;
                let at =
                    Situation { pos: &begun.pos, history: &begun.history, moves: &begun.moves, played: &[] };
                let chosen = match mine {
                    true => thinker.choose(&mut begun.machine, at, &mut rng).unwrap(),
                    false => draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng).unwrap(),
                };
                begun.machine.play(&mut begun.pos, chosen, &mut begun.history, &mut begun.moves);
            }
            let lost = matches!(begun.machine.outcome(&begun.pos), Some(Outcome::Win(p)) if p.index() as u64 != number % 2);
            assert!(!lost, "{word} lost game {number}");
        }
    }
}

#[test]
fn in_best_first_minimax_a_line_is_worth_what_the_best_reply_leaves() {
    let game = open("breakthrough");
    let terms = Terms::new(&game.program);
    let rows: Vec<Vec<f64>> =
        odd_weights(&terms).iter().map(|row| row.iter().map(|weight| weight / 10.0).collect()).collect();
    let evaluation = Evaluation::new(&terms, &rows, &[]);
    let mut begun = Begun::new(&game, None);
    // All positions after one, with what each is worth to the first player.
    let mut after = |pos: &Position, moves: &Moves| -> Vec<(f64, Move, Position, Moves)> {
        let looked = moves.iter().map(|number| {
            let (mut next, mut replies) = (pos.clone(), Moves::new());
            begun.machine.play(&mut next, number, &mut History::new(), &mut replies);
            (share(evaluation.value(&mut begun.machine, &next, &replies, 0)), number, next, replies)
        });
        looked.collect()
    };
    let firsts = after(&begun.pos, &begun.moves);
    let (_, best, next, replies) = firsts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let least = after(&next, &replies).iter().map(|reply| reply.0).fold(1.0, f64::min);
    let making = Making { evaluation: Some(Arc::new(evaluation.clone())), ..game.making() };
    let mut seat = "ubfm:1".parse::<AgentSpec>().unwrap().seat(&making).unwrap();
    // Two leaves: the root, then the best move.
    let (chosen, told) = begun.think(&mut seat, Limit::nodes(2), 1);
    assert_eq!(chosen, best);
    assert!((told.value - least).abs() < 1e-4, "{told:?}, {least}");
}

#[test]
fn agents_without_a_clock_have_nodes() {
    let spec = "mcts:1s".parse::<AgentSpec>().unwrap();
    assert!(spec.seat(&Making::default()).is_err());
    assert_eq!(spec.budget(), Budget::Time(std::time::Duration::from_secs(1)));
    assert_eq!("level:3".parse::<AgentSpec>().unwrap().budget(), Budget::Nodes(512));
}

/// What moves do, each decision with one of them, on a row of five sites.
const DEEDS: &str = r#"
    name = "deeds"
    [board]
    square = [5, 1]
    stack = 3
    [pieces]
    a = { letter = "a" }
    b = { letter = "b" }
    [setup]
    board = "A A a . b"
    [decisions]
    goes     = { do = "move a1 -> d1", text = "goes" }
    joins    = { do = "move a1 -> b1", text = "joins" }
    quits    = { do = "remove a1", text = "quits" }
    takes    = { do = "remove c1", text = "takes" }
    presses  = { do = "move c1 -> under b1", text = "presses" }
    lands    = { do = "move b1 -> c1", text = "lands" }
    changes  = { do = "turn a1 -> b", text = "changes" }
    trades   = { do = "turn c1 -> own a", text = "trades" }
    demotes  = { do = "turn e1 -> a", text = "demotes" }
    [turn]
    main = "either goes or joins or quits or takes or presses or lands or changes or trades or demotes"
"#;

#[test]
fn a_move_is_loud_that_takes_from_others_or_changes_a_kind() {
    let files = MemoryFiles::default().with("./deeds.toml", DEEDS);
    let game = Game::open("./deeds.toml", &files, &Choices::default()).unwrap();
    let mut machine = game.machine().unwrap();
    let start = game.start(&mut machine, None, 1).unwrap();
    let mut moves = Moves::new();
    machine.moves(&start, &mut moves);
    let mut loud: Vec<&str> = Vec::new();
    for number in moves.iter() {
        let mut after = start.clone();
        machine.play(&mut after, number, &mut History::new(), &mut Moves::new());
        if was_loud(machine.program(), &start, &after) {
            loud.push(game.decision_of(number).unwrap());
        }
    }
    assert_eq!(moves.len(), 9);
    assert_eq!(loud, ["takes", "presses", "lands", "changes", "trades", "demotes"]);
}
