//! The words that agents are told by, and what agents make of chance and of what they thought before.

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{Move, Rng};
use farrier::search::{AgentSpec, Found, Limit, Making, Situation, Thought, draw};
use farrier::source::MemoryFiles;

use super::search::{Begun, open, seat};

#[test]
fn agents_are_read_and_written() {
    for text in [
        "random",
        "flat:1",
        "flat:200",
        "flat:20k",
        "flat:500ms",
        "level:7",
        "auto:2s",
        "alphabeta:20k@2",
        "engine:2s:./a b --c:d",
    ] {
        assert_eq!(AgentSpec::parse(text).map(|a| a.to_string()), Ok(text.to_owned()));
    }
    let said = |text: &str| AgentSpec::parse(text).map(|a| a.to_string());
    assert_eq!(said("flat"), Ok("flat:1s".to_owned()));
    assert_eq!(said("engine:gnubg"), Ok("engine:1s:gnubg".to_owned()));
    assert_eq!(said("engine:c:/x"), Ok("engine:1s:c:/x".to_owned()));
    for text in [
        "",
        "flat:",
        "flat:0",
        "flat:-1",
        "flat:x",
        "random:3",
        "best",
        "level",
        "level:0",
        "level:11",
        "engine",
        "engine:",
        "engine:1s:",
        "alphabeta:1s@",
        "alphabeta:1s@0",
        "alphabeta:1s@1000",
        "alphabeta:@2",
        "flat:1s@2",
        "level:3@2",
    ] {
        assert!(AgentSpec::parse(text).is_err(), "{text}");
    }
    assert!(AgentSpec::parse("flatt:3").is_err_and(|e| e.help.starts_with("did you mean `flat`?")));
}

#[test]
fn what_is_not_here_is_refused() {
    let made = |text: &str| AgentSpec::parse(text).map(|spec| spec.seat(&Making::default()).err());
    assert!(made("flat:1s").is_ok_and(|e| e.is_some_and(|e| e.message.contains("no clock"))));
    assert!(made("engine:9:x").is_ok_and(|e| e.is_some_and(|e| e.message.contains("no program"))));
    assert!(made("flat:9").is_ok_and(|e| e.is_none()));
}

#[test]
fn a_throw_that_seldom_wins_is_worth_little_more_than_the_others() {
    let text = r#"
name = "A die"
players = ["white", "black"]
[board]
square = [6, 2]
[pieces]
man = { letter = "m" }
[state]
face = { type = "int", lasts = 0 }
[decisions.roll]
choose = "n in 1..40"
do = "face = n"
text = "{n}"
by = "chance"
[decisions.go]
choose = "from in own man, to in vacant"
where = "face != 40"
do = "move from -> to"
text = "{from}{to}"
[turn]
main = "roll, go"
stuck = "mover wins"
[setup]
board = '''
m.....
.....M
'''
"#;
    let files = MemoryFiles::default().with("./die.toml", text);
    let game = Game::open("./die.toml", &files, &Choices::default()).unwrap();
    let mut begun = Begun::new(&game, None);
    while begun.moves.is_chance() {
        let first = begun.moves.nth(0).unwrap();
        begun.machine.play(&mut begun.pos, first, &mut begun.history, &mut begun.moves);
    }
    let limit = Limit { depth: 2, ..Limit::nodes(100_000) };
    let (_, found) = begun.think(&mut seat("alphabeta:1", &game), limit, 1);
    assert!((0.4..0.6).contains(&found.value), "{found:?}");
}

#[test]
fn a_tree_is_kept_however_many_moves_there_are() {
    for word in ["hex", "backgammon"] {
        let game = open(word);
        let mut begun = Begun::new(&game, None);
        let (mut thinker, mut rng) = (seat("mcts:1", &game), Rng::new(3));
        let mut think = |begun: &mut Begun, played: &[Move], nodes| {
            let mut last = Found::default();
            let mut tell = |found: &Found| last = found.clone();
            let mut thought = Thought {
                rng: &mut Rng::new(1),
                limit: Limit::nodes(nodes),
                tell: Some(&mut tell),
                lines: 1,
            };
            let at = Situation { played, ..Begun::at(begun) };
            thinker.think(&mut begun.machine.clone(), at, &mut thought).unwrap();
            last.line
        };
        let mut played = Vec::new();
        let play = |begun: &mut Begun, number: Move| {
            begun.machine.play(&mut begun.pos, number, &mut begun.history, &mut begun.moves);
            number
        };
        while begun.moves.is_chance() {
            let number = draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng).unwrap();
            played.push(play(&mut begun, number));
        }
        let line = think(&mut begun, &played, 5_000);
        for number in &line[..2] {
            played.push(play(&mut begun, *number));
        }
        while begun.moves.is_chance() {
            let number = draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng).unwrap();
            played.push(play(&mut begun, number));
        }
        let line = think(&mut begun, &played, 1);
        assert!(line.len() > 1, "{word}: nothing is known of what was thought before");
    }
}
