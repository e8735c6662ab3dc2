//! Evaluations: kept up to date, fair to both sides, guessed, fitted, and kept in files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::ids::Player;
use farrier::play::{Outcome, Rng};
use farrier::search::evaluation::{Evaluation, Hidden, Shares, Terms, Weights, guessed};
use farrier::search::{AgentSpec, CHOICE, Guess, Limit, Making, Seat, draw};
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles};
use farrier::variant::Variant;

use super::search::{Begun, open, smaller, ticking};

/// Weights that tell every term from every other, and one phase from another.
pub(super) fn odd_weights(terms: &Terms) -> Vec<Vec<f64>> {
    let mut rng = Rng::new(9);
    (0..terms.sides().sums())
        .map(|_| (0..2 * terms.len()).map(|_| rng.pick(2000) as f64 / 1000.0 - 1.0).collect())
        .collect()
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
        let terms = game.terms();
        let rows = odd_weights(&terms);
        // It does not see pairs, which come last.
        let network = odd_network(&Terms::new(&game.program));
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
            let phase = terms.tell(&mut begun.machine, &begun.pos, &begun.moves, &mut told);
            let of = |row: &[f64]| -> f64 {
                let weight = |at: &u32| row.get(*at as usize).copied().unwrap_or(0.0);
                told.iter().map(|(at, much)| weight(at) * f64::from(*much)).sum()
            };
            let unit = |j: usize| {
                (network.bias[j] + of(&network.rows[j])).clamp(0.0, 1.0).powi(2) * network.worth[j]
            };
            let sum = of(&rows[0])
                + f64::from(phase) * of(&rows[0][terms.len()..])
                + (0..16).map(unit).sum::<f64>();
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
    let game = Game::open("./towers.toml", &files, &Choices::default()).unwrap();
    let mut begun = Begun::new(&game, None);
    let (terms, _, guess) = begun.guessed();
    let weight = |name: &str| guess[0][terms.names().find(|(known, _)| *known == name).unwrap().1.start];
    assert_ne!(weight("white below black"), 0.0);
    assert_eq!(weight("white below black"), -weight("black below white"));
    assert_eq!(weight("white below white"), -weight("black below black"));
}

/// A game of 25 plies in which each player gets five at the most, with ends.
pub(super) fn far(ends: &[(&str, &str)]) -> Game {
    let mut text = "name = 'Far'\nplayers = ['white', 'black']\n[board]\nsquare = [5, 5]\n\
        [pieces]\nman = { letter = 'm' }\n[state]\ngot = { type = 'int', per = 'player' }\n\
        [decisions.put]\nchoose = 'to in vacant'\n\
        do = 'put own man at to; if to in row(1) then got[mover] += 1'\ntext = '{to}'\n\
        [turn]\nmain = 'put'\nstuck = 'draw'\n"
        .to_owned();
    for (number, (when, result)) in ends.iter().enumerate() {
        text.push_str(&format!("[end.e{number}]\nwhen = '{when}'\nresult = '{result}'\n"));
    }
    let files = MemoryFiles::default().with("./far.toml", &text);
    Game::open("./far.toml", &files, &Choices::default()).unwrap()
}

/// Where nobody ever wins, what the ends ask for says what is good.
#[test]
fn a_game_that_nobody_wins_is_guessed_by_its_ends() {
    let guessed = |ends: &[(&str, &str)]| {
        let mut begun = Begun::new(&far(ends), None);
        let (terms, _, guess) = begun.guessed();
        ["got[white]", "got[black]"]
            .map(|name| guess[0][terms.names().find(|(known, _)| *known == name).unwrap().1.start])
    };
    let told = |when: &str, result: &str| guessed(&[(when, result)]);
    for (when, result) in [
        ("got[mover] >= 6", "mover wins"),
        ("not (got[mover] <= 5)", "mover wins"),
        ("got[mover] = 6", "mover wins"),
        ("got[opponent] > 5", "opponent wins"),
        ("got[mover] > 5 and count(vacant) < 30", "mover wins"),
        ("not (got[mover] < 6 or count(vacant) > 30)", "mover wins"),
        ("got[mover] >= 6 or got[mover] >= 60", "mover wins"),
        ("not (got[mover] < 6 and got[mover] < 60)", "mover wins"),
    ] {
        let [own, other] = told(when, result);
        assert!(own > 0.01 && other < -0.01, "{when}: {own} {other}");
    }
    // Fewer are better.
    let [own, _] = told("got[mover] < 0", "mover wins");
    assert!(own < -0.01, "{own}");
    // Nothing is asked for that can be nearer or not, or that one player lacks.
    for (when, result) in [("no all", "mover wins"), ("got[white] >= 6", "white wins")] {
        let [own, other] = told(when, result);
        assert!(own.abs().max(other.abs()) < 0.001, "{when}: {own} {other}");
    }
    // Where somebody wins now and then, results say it: who has the whole row has lost.
    let [own, other] =
        guessed(&[("got[mover] >= 6", "mover wins"), ("got[mover] * 100 >= 500", "opponent wins")]);
    assert!(own < 0.05 && other > -0.05, "{own} {other}");
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
    let terms = game.terms();
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
        let small = smaller("knightcap", board).terms();
        let known = weights.rows(&small).unwrap();
        assert!(known[0].iter().any(|w| *w != 0.0));
        assert_eq!(weights.network(&small), None);
        for (_, range) in small.names().filter(|(_, range)| range.len() >= small.sites()) {
            let halves = known[0].chunks(small.len());
            assert_eq!(halves.len(), 2);
            halves.for_each(|half| assert!(half[range.clone()][1..].iter().all(|w| *w == 0.0), "{board}"));
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

/// The points of the first in games against the second, in pairs from openings at random with seats exchanged.
pub(super) fn points(game: &Game, mut seats: [Seat; 2], games: u64, nodes: u64) -> f64 {
    let mut points = 0.0;
    for number in 0..games {
        let mut table = Begun::new(game, None);
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
                false => table.think(seat, Limit::nodes(nodes), number).0,
            };
            table.machine.play(&mut table.pos, chosen, &mut table.history, &mut table.moves);
        }
        let first = Player((number % 2) as u8);
        points += table.machine.outcome(&table.pos).unwrap_or(Outcome::Draw).points(first, 2);
    }
    points
}

/// A shipped game of which nothing was learned: weights are known by the name of the file.
fn untrained(name: &str) -> Game {
    let files = MemoryFiles::default().with("./untrained.toml", Shipped.read(name).unwrap());
    Game::open("./untrained.toml", &files, &Choices::default()).unwrap()
}

/// All agents of a game guess alike, whichever position they meet first, and only once.
#[test]
fn a_game_without_weights_is_guessed_once() {
    let game = untrained("teeko");
    assert!(game.weights().is_none());
    let known = game.making().known().unwrap();
    assert!(Arc::ptr_eq(&known, &game.clone().making().known().unwrap()));
    // Fitted weights come first.
    let fitted = open("knightcap").making();
    assert!(Arc::ptr_eq(&fitted.known().unwrap(), fitted.evaluation.as_ref().unwrap()));
    // A guess that is stopped says nothing; one that takes too long has to do with fewer games; one from more and better
    // games says more.
    let mut begun = Begun::new(&game, None);
    let starts = [(begun.pos.clone(), begun.history.clone())];
    let stop = AtomicBool::new(true);
    let stopped = Limit { stop: Some(&stop), ..Limit::nodes(u64::MAX) };
    let (_, _, rows) = guessed(&mut begun.machine, &starts, &stopped);
    assert!(rows.iter().flatten().all(|weight| *weight == 0.0));
    let timed = Making { clock: Some(ticking), ..untrained("teeko").making() };
    assert_ne!(format!("{:?}", timed.known()), format!("{:?}", Some(&known)));
    let (terms, _, rows) = begun.guessed();
    let at_random = Some(Arc::new(Evaluation::new(&terms, &rows, &[])));
    let at_random = Making { evaluation: at_random, ..Making::default() };
    let word = "alphabeta:300".parse::<AgentSpec>().unwrap();
    let seats = [word.seat(&game.making()).unwrap(), word.seat(&at_random).unwrap()];
    let points = points(&game, seats, 20, 300);
    assert!(points > 12.0, "{points} of 20");
}

/// An agent that needs an evaluation has it before its time begins, and the others wait for none.
#[test]
fn a_guess_is_made_when_an_agent_is_seated() {
    let asks = |word: &str, best: &str| {
        let asked = Arc::new(AtomicBool::new(false));
        let heard = asked.clone();
        let guess: Guess = Arc::new(move |_| {
            heard.store(true, Relaxed);
            None
        });
        let making = Making { guess: Some(guess), best: Some(best.to_owned()), ..Making::default() };
        word.parse::<AgentSpec>().unwrap().seat(&making).unwrap();
        asked.load(Relaxed)
    };
    for word in ["alphabeta:1", "looker:1", "ubfm:1"] {
        assert!(asks(word, "mcts"), "{word}");
    }
    for word in ["random", "flat:1", "uct:1", "mcts:1", "rave:1"] {
        assert!(!asks(word, "alphabeta"), "{word}");
    }
    for (best, expected) in [("alphabeta", true), ("looker", true), ("mcts", false), ("rave", false)] {
        assert_eq!([asks("auto:1", best), asks("level:1", best)], [expected; 2], "{best}");
    }
    // A game says what is likely to suit it, so nobody has to wait for its first choice to know.
    assert_eq!(["teeko", "hex"].map(|name| untrained(name).making().best.unwrap()), ["alphabeta", "rave"]);
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
        assert!(weights.evaluation(&game.terms()).is_some(), "{name}");
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
        // It learns from the result of the game, the last that is told, and not from what is told of this position.
        let right = f32::from(u8::from(held.len() == 1));
        let sample = |terms, result, expected| Sample { terms, phase: 0.0, results: vec![result], expected };
        samples.add(&[sample(held.clone(), 1.0 - right, 0.5), sample(held, right, right)]);
    }
    // Of some other seeds no unit is left that sees site 1 alone.
    let mut learner = Learner::new(&terms, &shares, &mut Rng::new(16));
    learner.fit(&samples, &shares, &vec![0.0; terms.len()], 20 * samples.len(), &mut Rng::new(2));
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
    use farrier::search::evaluation::{Descent, Sample, Samples, Terms, fit};
    let game = open("tic-tac-toe");
    let terms = Terms::new(&game.program);
    let (all, often, seldom) = (0, 1, 2);
    assert_eq!(terms.of_one_site().take(3).collect::<Vec<_>>(), [false, true, true]);
    let mut samples = Samples::default();
    for number in 0..2000 {
        let won = number % 4 > 0;
        let site = if number % 500 == 3 { seldom } else { often };
        let result = if site == seldom || won { 1.0 } else { 0.0 };
        let sample =
            |site, result| Sample { terms: vec![(site, 1.0)], results: vec![result], ..Sample::default() };
        samples.add(&[sample(site, result)]);
        samples.add(&[sample(all, f32::from(u8::from(!won)))]);
    }
    let mut weights = vec![vec![0.0; terms.len()]];
    let descent = Descent { steps: 20 * samples.len(), ..Descent::default() };
    fit(&samples, &terms, &Shares::none(&terms), &mut weights, descent, &mut Rng::new(1));
    let [all, often, seldom] = [all, often, seldom].map(|at| weights[0][at as usize]);
    assert!((all + 3f64.ln()).abs() < 0.1, "what is alike for all sites is free: {all}");
    assert!((0.7..1.1).contains(&often) && seldom.abs() < 0.2, "{often} {seldom}");
}

/// What is good on a full board may be bad on an empty one: the phase tells them apart, and is seen in the file.
#[test]
fn a_weight_may_change_with_the_phase() {
    use farrier::search::evaluation::{Descent, Learner, Sample, Samples, fit};
    let game = open("breakthrough");
    let terms = Terms::new(&game.program);
    let phase = |setup: &str| {
        let mut there = Begun::new(&game, Some(setup));
        terms.tell(&mut there.machine, &there.pos, &there.moves, &mut Vec::new())
    };
    let [half, few] =
        ["pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP white", "p7/8/8/8/8/8/8/P7 white"].map(phase);
    assert_eq!([half, few], [0.0, 1.0 - 2.0 * 2.0 / 64.0]);
    // Three of four points where the board is fuller, one of four where it is emptier.
    let fitted = |[fuller, emptier]: [f32; 2], standard: bool| {
        let mut samples = Samples::default();
        for number in 0..4000 {
            let (phase, won) =
                if number % 2 == 0 { (fuller, number % 8 < 6) } else { (emptier, number % 8 < 2) };
            let results = vec![f32::from(u8::from(won))];
            samples.add(&[Sample { terms: vec![(0, 1.0)], phase, results, expected: 0.5 }]);
        }
        let mut rows = vec![vec![0.0; 2 * terms.len()]];
        let descent = Descent { steps: 20 * samples.len(), standard, ..Descent::default() };
        fit(&samples, &terms, &Shares::none(&terms), &mut rows, descent, &mut Rng::new(1));
        let [same, more] = [rows[0][0], rows[0][terms.len()]];
        let off = [(fuller, 3f64.ln()), (emptier, -3f64.ln())]
            .map(|(phase, logit)| (same + f64::from(phase) * more - logit).abs());
        (rows, off[0].max(off[1]))
    };
    // Where the phases of a game lie close together, it takes too long as they are.
    let off = [true, false].map(|standard| fitted([0.7, 0.9], standard).1);
    assert!(off[0] < 0.1 && off[1] > 0.3, "{off:?}");
    assert!(fitted([-1.0, 1.0], true).1 < 0.1);
    let (mut rows, off) = fitted([-1.0, 1.0], false);
    assert!(off < 0.1, "{off}");
    let more = rows[0][terms.len()];
    let told = Weights::of(&terms, &rows, None, "breakthrough", "");
    let name = terms.names().next().unwrap().0;
    assert_eq!(told.phase[0][name][0], more);
    // What the sum knows of the phase is nothing that a network would have to learn.
    let mut won = Samples::default();
    (0..500).for_each(|_| {
        let sample = Sample { terms: vec![(1, 1.0)], phase: 1.0, results: vec![1.0], expected: 1.0 };
        won.add(&[sample]);
    });
    let shares = Shares::none(&terms);
    let begun = Learner::new(&terms, &shares, &mut Rng::new(1));
    let moved = |phase: f64| {
        let mut row = vec![0.0; 2 * terms.len()];
        row[terms.len() + 1] = phase;
        let mut learner = begun.clone();
        learner.fit(&won, &shares, &row, won.len(), &mut Rng::new(2));
        let (before, after) = (begun.hidden(&shares).worth, learner.hidden(&shares).worth);
        before.iter().zip(after).map(|(before, after)| (before - after).abs()).sum::<f64>()
    };
    assert!(moved(20.0) < 1e-6 && moved(0.0) > 0.1, "{} {}", moved(20.0), moved(0.0));
    // Weights that are the same in each phase say nothing of it.
    rows[0].truncate(terms.len());
    assert!(Weights::of(&terms, &rows, None, "breakthrough", "").phase.is_empty());
}
