//! Agents: exact results, forced wins, the same choice for the same seed, evaluations that are kept up to date.

use std::collections::HashMap;
use std::sync::Arc;

use farrier::game::Game;
use farrier::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use farrier::search::evaluation::{Evaluation, Hidden, Shares, Terms, Weights, guessed, share};
use farrier::search::proof::{Prover, solve};
use farrier::search::{
    AGENTS, AgentSpec, Budget, CHOICE, Found, Limit, Making, Seat, Situation, Thought, draw,
};
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles};
use farrier::variant::Variant;

fn open(word: &str) -> Game {
    word.parse::<Variant>().unwrap().open(&Shipped).unwrap()
}

/// A shipped game on another board.
fn smaller(game: &str, board: &str) -> Game {
    let text = format!("extends = \"{game}\"\nname = \"small\"\n[board]\n{board}\n");
    let mut files = MemoryFiles::default().with("./small.toml", &text);
    for name in Shipped::list() {
        files = files.with(&name, Shipped.read(&name).unwrap());
    }
    Game::open("./small.toml", &files, &farrier::definition::Choices::default()).unwrap()
}

struct Begun {
    machine: Machine,
    pos: Position,
    history: History,
    moves: Moves,
}

impl Begun {
    fn new(game: &Game, setup: Option<&str>) -> Begun {
        let mut machine = game.machine().unwrap();
        let pos = game.start(&mut machine, setup, 1).unwrap();
        let (mut history, mut moves) = (History::new(), Moves::new());
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        Begun { machine, pos, history, moves }
    }

    fn at(&self) -> Situation<'_> {
        Situation { pos: &self.pos, history: &self.history, moves: &self.moves, played: &[] }
    }

    /// What games at random from here say.
    fn guessed(&mut self) -> (Terms, Shares, Vec<Vec<f64>>) {
        guessed(&mut self.machine, &[(self.pos.clone(), self.history.clone())], &Limit::nodes(40_000))
    }

    /// What a seat finds.
    fn think(&mut self, seat: &mut Seat, limit: Limit<'_>, seed: u64) -> (Move, Found) {
        let (mut rng, mut last) = (Rng::new(seed), Found::default());
        let mut tell = |found: &Found| last = found.clone();
        let mut thought = Thought { rng: &mut rng, limit, tell: Some(&mut tell), lines: 1 };
        let at = Situation { pos: &self.pos, history: &self.history, moves: &self.moves, played: &[] };
        let chosen = seat.think(&mut self.machine, at, &mut thought).unwrap();
        (chosen, last)
    }
}

fn seat(word: &str, game: &Game) -> Seat {
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
        let mut prover = Prover::new(&begun.machine, game.making().evaluation, 64 << 20);
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
        let mut prover = Prover::new(&begun.machine, game.making().evaluation, 512 << 20);
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
        let mut prover = Prover::new(&begun.machine, None, 16 << 20);
        let proved = solve(&mut prover, begun.at(), &Limit::nodes(100_000));
        assert!(proved.is_known(), "{komi}");
        assert_eq!(proved.winner, winner, "{komi}");
    }
}

#[test]
fn too_little_is_said_to_be_too_little() {
    let begun = Begun::new(&open("connect-four"), None);
    let mut prover = Prover::new(&begun.machine, None, 1 << 20);
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
    assert_eq!(found, 35);
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
}

/// A clock of its own for each thread of tests, which goes on by a millisecond whenever it is looked at.
fn ticking() -> std::time::Duration {
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
    let game = Game::open("./walk.toml", &files, &farrier::definition::Choices::default()).unwrap();
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

/// Weights that tell every term from every other.
fn odd_weights(terms: &Terms) -> Vec<Vec<f64>> {
    let mut rng = Rng::new(9);
    (0..terms.sides().sums())
        .map(|_| (0..terms.len()).map(|_| rng.pick(2000) as f64 / 1000.0 - 1.0).collect())
        .collect()
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

/// A network whose units tell every term from every other, but hardly ever say all that they can.
fn odd_network(terms: &Terms) -> Hidden {
    let mut rng = Rng::new(10);
    let mut list = |len: usize, most: f64| -> Vec<f64> {
        (0..len).map(|_| (rng.pick(2001) as f64 / 1000.0 - 1.0) * most).collect()
    };
    Hidden {
        rows: (0..16).map(|_| list(terms.len(), 0.1)).collect(),
        bias: list(16, 1.0),
        worth: list(16, 3.0),
    }
}

#[test]
fn an_evaluation_is_kept_up_to_date() {
    for name in Shipped::list() {
        let game = open(&name);
        let mut begun = Begun::new(&game, None);
        let terms = Terms::new(&game.program);
        let rows = odd_weights(&terms);
        let network = odd_network(&terms);
        let evaluation = Evaluation::new(&terms, &rows, std::slice::from_ref(&network));
        let width = begun.machine.layout().width;
        let mut rng = Rng::new(3);
        let mut sets = evaluation.of_sets(begun.pos.words(), width, 0);
        for _ in 0..60 {
            let Some(number) = draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng) else { break };
            let before = begun.pos.clone();
            begun.machine.play(&mut begun.pos, number, &mut begun.history, &mut begun.moves);
            evaluation.change([before.words(), begun.pos.words()], width, 0, &mut sets);
            assert_eq!(sets, evaluation.of_sets(begun.pos.words(), width, 0), "{name}");
            // What is fitted to is what is summed up.
            let mut told = Vec::new();
            terms.tell(&mut begun.machine, &begun.pos, &begun.moves, &mut told);
            let of =
                |row: &[f64]| told.iter().map(|(at, much)| row[*at as usize] * f64::from(*much)).sum::<f64>();
            let unit = |j: usize| {
                (network.bias[j] + of(&network.rows[j])).clamp(0.0, 1.0).powi(2) * network.worth[j]
            };
            let sum = of(&rows[0]) + (0..16).map(unit).sum::<f64>();
            let value = evaluation.value(&mut begun.machine, &begun.pos, &begun.moves, 0);
            assert!((f64::from(value) / 1024.0 - sum).abs() < 0.2, "{name}: {value} {sum}");
        }
    }
}

/// Partners win and lose together: they see a position alike, and the others the other way round.
#[test]
fn partners_have_one_evaluation() {
    let text = include_str!("../definitions/teams.toml");
    let turned = text.replace(r#"["north south", "east west"]"#, r#"["east west", "north south"]"#);
    for text in [text, &turned] {
        let files = MemoryFiles::default().with("./teams.toml", text);
        let open = |word: &str| word.parse::<Variant>().unwrap().open(&files).unwrap();
        let game = open("./teams.toml");
        let mut begun = Begun::new(&game, None);
        let (terms, _, rows) = begun.guessed();
        assert_eq!(rows.len(), 1);
        let evaluation = Evaluation::new(&terms, &rows, &[]);
        let seen = |setup: &str| {
            let mut there = Begun::new(&game, Some(setup));
            let [north, east, south, west] =
                [0, 1, 2, 3].map(|p| evaluation.value(&mut there.machine, &there.pos, &there.moves, p));
            assert_eq!([east, south, west], [-north, north, -north]);
            north
        };
        let all = seen("(1m)3(2m)/5/5/5/(4m)3(3m) north");
        let without_partner = seen("(1m)3(2m)/5/5/5/(4m)4 north");
        let without_other = seen("(1m)4/5/5/5/(4m)3(3m) north");
        assert!(without_partner < all && all < without_other, "{without_partner} {all} {without_other}");
        // A pair that wins by the move of either is seen to win.
        for (setup, best) in [("(1m)(2m)3/5/5/5/(3m)4 north", "a5b5"), ("(4m)(3m)3/5/5/5/(2m)4 west", "a5b5")]
        {
            let mut there = Begun::new(&game, Some(setup));
            let mut seat = "alphabeta:1".parse::<AgentSpec>().unwrap().seat(&game.making()).unwrap();
            let (chosen, found) = there.think(&mut seat, Limit::nodes(5000), 1);
            assert_eq!((game.move_text(chosen).as_str(), found.value), (best, 1.0));
        }
        let alone = open("./teams.toml+alone");
        assert_eq!(Terms::new(&alone.program).sides().sums(), 4);
    }
}

/// What stands below the top of a stack counts, by whose the top is.
#[test]
fn an_evaluation_sees_what_stands_below_the_top() {
    let game = open("lasca");
    let mut begun = Begun::new(&game, None);
    let (terms, _, guess) = begun.guessed();
    let place = |name: &str| terms.names().find(|(known, _)| *known == name).unwrap().1.start;
    let mut row = vec![0.0; terms.len()];
    (row[place("white soldier below black")], row[place("black officer below white")]) = (0.5, 0.25);
    let evaluation = Evaluation::new(&terms, &[row], &[]);
    for (column, sum) in
        [("s", 0.0), ("Ss", 0.5), ("SSs", 1.0), ("SsSs", 1.0), ("SSS", 0.0), ("oSoS", 0.5), ("oSSs", 1.0)]
    {
        let mut there = Begun::new(&game, Some(&format!("4/3/4/1({column})1/4/3/S3 white")));
        let value = evaluation.value(&mut there.machine, &there.pos, &there.moves, 0);
        assert_eq!(f64::from(value), sum * 1024.0, "{column}");
    }
    // Random play tells already that a prisoner is worse than a piece in reserve.
    let weight = |name: &str| guess[0][place(name)];
    assert!(weight("white soldier below black") < weight("white soldier below white"));
}

/// What is good for one player at one end of the board is as good for the other at the other end, in stacks too.
#[test]
fn what_stands_below_the_top_is_turned_with_the_board() {
    let text = "name = 'Towers'\nplayers = ['white', 'black']\n[board]\nsquare = [4, 4]\nstack = 4\n\
        [pieces]\nman = { letter = 'm' }\n[setup]\ndo = 'put white at row(1); put black at row(4)'\n\
        [decisions.move]\nchoose = 'from in own, to in near(from) - own'\ndo = 'move from -> to'\n\
        text = '{from}{to}'\n[turn]\nmain = 'move'\nstuck = 'mover loses'\n\
        [end.long]\nwhen = 'ply >= 40'\nresult = 'score'\n[score]\nvalue = 'count(own)'\n";
    let files = MemoryFiles::default().with("./towers.toml", text);
    let game = Game::open("./towers.toml", &files, &farrier::definition::Choices::default()).unwrap();
    let mut begun = Begun::new(&game, None);
    let (terms, _, guess) = begun.guessed();
    let weight = |name: &str| guess[0][terms.names().find(|(known, _)| *known == name).unwrap().1.start];
    assert_ne!(weight("white below black"), 0.0);
    assert_eq!(weight("white below black"), -weight("black below white"));
    assert_eq!(weight("white below white"), -weight("black below black"));
}

/// A point of one player is worth as much as a point of the other, in games where the colours are alike.
#[test]
fn the_scores_of_both_players_weigh_the_same() {
    for name in ["reversi", "knightshade", "knight-fight"] {
        let game = open(name);
        let mut begun = Begun::new(&game, None);
        let (terms, _, guess) = begun.guessed();
        let told = Weights::of(&terms, &guess, None, name, "");
        let [first, second] = ["score of player 1", "score of player 2"].map(|name| told.sum[0][name][0]);
        assert_ne!(first, 0.0, "{name}");
        assert_eq!(first, -second, "{name}");
    }
}

#[test]
fn weights_go_through_a_file_and_to_a_variant() {
    let game = open("knightcap");
    let terms = Terms::new(&game.program);
    let rows = odd_weights(&terms);
    let network = odd_network(&terms);
    let fingerprint = game.fingerprint().to_string();
    let weights = Weights::of(&terms, &rows, Some(&network), "knightcap", &fingerprint);
    let read = Weights::read(&weights.write()).unwrap();
    for (wrote, read) in rows.iter().flatten().zip(read.rows(&terms).unwrap().iter().flatten()) {
        assert!((wrote - read).abs() < 0.0006);
    }
    let known = read.network(&terms).unwrap();
    let numbers = |network: &Hidden| -> Vec<f64> {
        network.rows.iter().chain([&network.bias, &network.worth]).flatten().copied().collect()
    };
    for (wrote, read) in numbers(&network).into_iter().zip(numbers(&known)) {
        assert!((wrote - read).abs() < 0.006);
    }
    // Another board keeps what is alike for all sites, and no more.
    for board in ["square = [5, 5]", "square = [9, 9]"] {
        let small = Terms::new(&smaller("knightcap", board).program);
        let known = weights.rows(&small).unwrap();
        assert!(known[0].iter().any(|w| *w != 0.0));
        assert_eq!(weights.network(&small), None);
        for (_, range) in small.names().filter(|(_, range)| range.len() >= small.sites()) {
            assert!(known[0][range][1..].iter().all(|w| *w == 0.0), "{board}");
        }
    }
    // A game with other pieces knows nothing of it but the turn.
    let named =
        |game: &Game| Terms::new(&game.program).names().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    let shared = named(&open("reversi")).into_iter().filter(|name| named(&game).contains(name)).count();
    assert!(shared >= 4);
}

#[test]
fn symmetries_are_found_where_there_are_some() {
    let weights = |name: &str| {
        let game = open(name);
        let mut begun = Begun::new(&game, None);
        let pos = begun.pos.clone();
        let terms = Terms::new(&game.program);
        let shares = Shares::find(&mut begun.machine, &terms, &pos);
        // What is guessed is symmetric too.
        let (_, _, rows) = begun.guessed();
        for row in &rows {
            assert_eq!(&shares.spread(row), row, "{name}");
        }
        (shares.len(), terms.len())
    };
    // Left and right, white and black: a quarter, and what stands for itself.
    let (shared, all) = weights("breakthrough");
    assert!(shared * 3 < all, "{shared} of {all}");
    let (shared, all) = weights("chess");
    assert!(shared * 3 < all, "{shared} of {all}");
    let (shared, all) = weights("tic-tac-toe");
    assert!(shared * 3 < all, "{shared} of {all}");
}

/// All agents of a game guess alike, whichever position they meet first, and only once.
#[test]
fn a_game_without_weights_is_guessed_once() {
    let game = open("teeko");
    assert!(game.weights().is_none());
    let known = game.making().known().unwrap();
    assert!(Arc::ptr_eq(&known, &game.clone().making().known().unwrap()));
    // Fitted weights come first.
    let fitted = open("knightcap").making();
    assert!(Arc::ptr_eq(&fitted.known().unwrap(), fitted.evaluation.as_ref().unwrap()));
    // A guess that is stopped says nothing; one from more and better games says more.
    let mut begun = Begun::new(&game, None);
    let starts = [(begun.pos.clone(), begun.history.clone())];
    let stop = AtomicBool::new(true);
    let stopped = Limit { stop: Some(&stop), ..Limit::nodes(u64::MAX) };
    let (_, _, rows) = guessed(&mut begun.machine, &starts, &stopped);
    assert!(rows.iter().flatten().all(|weight| *weight == 0.0));
    let (terms, _, rows) = begun.guessed();
    let at_random = Some(Arc::new(Evaluation::new(&terms, &rows, &[])));
    let at_random = Making { evaluation: at_random, ..Making::default() };
    let word = "alphabeta:300".parse::<AgentSpec>().unwrap();
    let mut seats = [word.seat(&game.making()).unwrap(), word.seat(&at_random).unwrap()];
    let mut points = 0.0;
    for number in 0..20 {
        let mut table = Begun::new(&game, None);
        let mut rng = Rng::new(number / 2);
        seats.iter_mut().for_each(Seat::forget);
        for ply in 0..200 {
            if table.moves.is_empty() {
                break;
            }
            let mover = table.pos.mover(table.machine.layout()).index();
            let seat = &mut seats[(mover + number as usize) % 2];
            let chosen = match ply < 4 {
                true => draw(&mut table.machine, &table.pos, &table.moves, &mut rng).unwrap(),
                false => table.think(seat, Limit::nodes(300), number).0,
            };
            table.machine.play(&mut table.pos, chosen, &mut table.history, &mut table.moves);
        }
        let first = Player((number % 2) as u8);
        points += table.machine.outcome(&table.pos).unwrap_or(Outcome::Draw).points(first, 2);
    }
    assert!(points > 12.0, "{points} of 20");
}

#[test]
fn agents_without_a_clock_have_nodes() {
    let spec = "mcts:1s".parse::<AgentSpec>().unwrap();
    assert!(spec.seat(&Making::default()).is_err());
    assert_eq!(spec.budget(), Budget::Time(std::time::Duration::from_secs(1)));
    assert_eq!("level:3".parse::<AgentSpec>().unwrap().budget(), Budget::Nodes(512));
}

#[test]
fn weights_that_come_along_are_of_the_rules_that_come_along() {
    let mut found = 0;
    let mut other = Vec::new();
    for name in Shipped::list() {
        let Some(text) = Shipped::weights(&name) else { continue };
        let game = open(&name);
        let weights = Weights::read(&text).unwrap();
        let now = game.fingerprint().to_string();
        if weights.fingerprint != now {
            other.push(format!("{name}: {now}, not {}", weights.fingerprint));
        }
        assert!(weights.evaluation(&Terms::new(&game.program)).is_some(), "{name}");
        assert!(weights.made.starts_with(&format!("farrier train {name} ")), "{name}: {}", weights.made);
        assert!(
            weights.agent.is_empty() || CHOICE.contains(&&weights.agent[..]),
            "{name}: {}",
            weights.agent
        );
        let making = game.making();
        assert!(making.evaluation.is_some(), "{name}");
        found += 1;
    }
    assert!(other.is_empty(), "train again: {other:#?}");
    assert!(found >= 8, "{found}");
}

#[test]
fn a_game_that_extends_another_has_its_weights() {
    use farrier::definition::Choices;
    use farrier::source::MemoryFiles;
    let text = "name = \"Mine\"\nextends = \"knightcap\"\n";
    let files = (MemoryFiles::default().with("./mine.toml", text), farrier::shipped::Shipped);
    let mine = Game::open("./mine.toml", &files, &Choices::default()).unwrap();
    assert!(open("knightcap").weights().is_some());
    assert_eq!(mine.weights(), open("knightcap").weights());
}

#[test]
fn weights_beside_a_definition_go_before_those_of_its_parent() {
    use farrier::compare::Contestant;
    use farrier::definition::Choices;
    use farrier::shipped::Shipped;
    use farrier::source::{MemoryFiles, Sources};
    let shipped = open("knightcap").weights().unwrap();
    let of = |game: &str| {
        let mut weights = shipped.clone();
        weights.game = game.to_owned();
        weights.write()
    };
    let files = || {
        MemoryFiles::default()
            .with("./parent.toml", "name = \"Parent\"\nextends = \"knightcap\"\n")
            .with("./child.toml", "name = \"Child\"\nextends = \"./parent.toml\"\n")
    };
    let print = |files: &(MemoryFiles, Shipped)| {
        let variant = "./child.toml".parse().unwrap();
        Contestant::load(&variant, files, &mut Sources::default()).ok().unwrap().fingerprint()
    };
    let whose = |files: &(MemoryFiles, Shipped)| {
        Game::open("./child.toml", files, &Choices::default()).unwrap().weights().unwrap().game
    };
    let none = (files(), Shipped);
    let parents = (files().with("./parent.weights.toml", of("parent")), Shipped);
    let own = (
        files().with("./parent.weights.toml", of("parent")).with("./child.weights.toml", of("child")),
        Shipped,
    );
    assert_eq!([&none, &parents, &own].map(whose), ["knightcap", "parent", "child"]);
    // Games of thinking agents depend on them, so files of games do not mix them up.
    let [none, parents, own] = [&none, &parents, &own].map(print);
    assert!(none != parents && parents != own);
}

/// Whether exactly one of two sites is held: no sum of what each is worth says that.
#[test]
fn a_network_learns_what_terms_are_worth_together() {
    use farrier::search::evaluation::{Learner, Sample, Samples};
    let game = open("tic-tac-toe");
    let terms = Terms::new(&game.program);
    let shares = Shares::none(&terms);
    let mut samples = Samples::default();
    for number in 0..4000 {
        let held = [1, 2].into_iter().filter(|site| number >> (site - 1) & 1 == 1);
        let held: Vec<(u32, f32)> = held.map(|site| (site, 1.0)).collect();
        // It learns the steady result, not the other.
        let steady = f32::from(u8::from(held.len() == 1));
        samples.add(&[Sample { terms: held, results: vec![1.0 - steady], steady }]);
    }
    let mut learner = Learner::new(&terms, &shares, &mut Rng::new(1));
    learner.fit(&samples, &shares, &vec![0.0; terms.len()], 20, &mut Rng::new(2));
    let says = |network: &Hidden, held: &[usize]| -> f64 {
        let unit = |j: usize| {
            let inner = network.bias[j] + held.iter().map(|at| network.rows[j][*at]).sum::<f64>();
            network.worth[j] * inner.clamp(0.0, 1.0).powi(2)
        };
        (0..network.rows.len()).map(unit).sum()
    };
    let learned = learner.hidden(&shares);
    let [none, one, other, both] = [&[][..], &[1], &[2], &[1, 2]].map(|held| says(&learned, held));
    assert!(none < -1.0 && both < 1.0 && one > 1.0 && other > 1.0, "{none} {one} {other} {both}");
    // Whoever goes on begins there.
    let mut again = Learner::new(&terms, &shares, &mut Rng::new(3));
    again.resume(&learned);
    assert_eq!(again.hidden(&shares), learned);
}

/// A unit's twin sees the board turned round, from the other side, and counts against it.
#[test]
fn a_network_is_fair_where_the_colours_are_alike() {
    use farrier::search::evaluation::Learner;
    let game = open("breakthrough");
    let mut begun = Begun::new(&game, None);
    let terms = Terms::new(&game.program);
    let shares = Shares::find(&mut begun.machine, &terms, &begun.pos);
    let mut learner = Learner::new(&terms, &shares, &mut Rng::new(1));
    learner.resume(&odd_network(&terms));
    let network = learner.hidden(&shares);
    let evaluation = Evaluation::new(&terms, &[vec![0.0; terms.len()]], &[network]);
    let seen = |setup: &str| {
        let mut there = Begun::new(&game, Some(setup));
        evaluation.value(&mut there.machine, &there.pos, &there.moves, 0)
    };
    let white = seen("ppp5/8/8/8/8/8/1P6/PPPP4 white");
    assert_ne!(white, 0);
    assert_eq!(white, -seen("4pppp/6p1/8/8/8/8/8/5PPP black"));
}

/// A site that is seldom seen is taken for nothing, whatever came of it; one that many games agree on is not.
#[test]
fn few_games_say_nothing_of_a_site() {
    use farrier::search::evaluation::{Sample, Samples, Terms, fit};
    let game = open("tic-tac-toe");
    let terms = Terms::new(&game.program);
    let (all, often, seldom) = (0, 1, 2);
    assert_eq!(terms.of_one_site().take(3).collect::<Vec<_>>(), [false, true, true]);
    let mut samples = Samples::default();
    for number in 0..2000 {
        let won = number % 4 > 0;
        let site = if number % 500 == 3 { seldom } else { often };
        let result = if site == seldom || won { 1.0 } else { 0.0 };
        samples.add(&[Sample { terms: vec![(site, 1.0)], results: vec![result], steady: 0.5 }]);
        samples.add(&[Sample {
            terms: vec![(all, 1.0)],
            results: vec![f32::from(u8::from(!won))],
            steady: 0.5,
        }]);
    }
    let mut weights = vec![vec![0.0; terms.len()]];
    fit(&samples, &terms, &Shares::none(&terms), &mut weights, 20, &mut Rng::new(1));
    let [all, often, seldom] = [all, often, seldom].map(|at| weights[0][at as usize]);
    assert!((all + 3f64.ln()).abs() < 0.1, "what is alike for all sites is free: {all}");
    assert!((0.7..1.1).contains(&often) && seldom.abs() < 0.2, "{often} {seldom}");
}
