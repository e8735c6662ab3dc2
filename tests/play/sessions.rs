//! Games in progress, and moves that are chosen part by part.

use farrier::ids::{Player, Site};
use farrier::notation::parts::{Choosing, Part};
use farrier::notation::record::Lost;
use farrier::play::{Outcome, Rng};
use farrier::session::{Reason, Session};
use farrier::shipped::Shipped;
use farrier::variant::Variant;

fn begun(name: &str, setup: Option<&str>) -> Session {
    let game = name.parse::<Variant>().unwrap().open(&Shipped).unwrap();
    Session::new(game, setup, 1).unwrap()
}

fn play(session: &mut Session, moves: &[&str]) {
    for text in moves {
        session.play_text(text).unwrap();
    }
}

fn texts(session: &Session) -> Vec<String> {
    session.played().iter().map(|m| session.game().move_text(*m)).collect()
}

#[test]
fn plies_and_turns_are_taken_back_and_made_again() {
    let mut session = begun("knights-and-pawns", None);
    for text in ["b1a3", "c1", "d1b6"] {
        if session.play_text(text).is_err() {
            let first = session.moves().nth(0).unwrap();
            session.play(first);
        }
    }
    let all = session.played().to_vec();
    let text = session.position_text();
    assert!(all.len() == 3 && session.begins_turn());
    assert!(session.undo() && session.played() == &all[..2] && !session.begins_turn());
    assert!(session.undo_turn() && session.played().is_empty());
    assert!(!session.undo() && !session.undo_turn());
    assert!(session.redo() && session.played() == &all[..1]);
    assert!(session.redo_turn() && session.played() == all);
    assert_eq!(session.position_text(), text);
    assert!(!session.redo());
    session.undo_turn();
    session.play_text("E1D3").unwrap();
    assert!(!session.redo() && session.undone().len() == 0);
}

#[test]
fn several_leaps_are_typed_as_one_word() {
    let setup = Some("8/4m3/8/4m3/3M3M/6m1/8/M7 black");
    let mut session = begun("draughts", setup);
    session.play_text("D4f6D8").unwrap();
    assert_eq!(texts(&session), ["d4f6", "f6d8"]);
    assert_eq!(session.turns(), [(0, "d4f6d8".to_owned())]);
    // A word that goes on too far is none, and nothing of it is played.
    let mut session = begun("draughts", setup);
    assert!(session.play_text("d4f6d8b6").is_err() && session.played().is_empty());
    session.play_text("d4f6").unwrap();
    assert_eq!(session.turns(), [(0, "d4f6".to_owned())]);
}

#[test]
fn the_reason_is_told() {
    let mut session = begun("tic-tac-toe", None);
    assert_eq!((session.reason(), session.is_over()), (None, false));
    play(&mut session, &["a1", "b1", "a2", "b2", "a3"]);
    assert_eq!(session.reason(), Some(Reason::End("three".to_owned())));
    session.undo();
    assert!(session.resign(Player(1)) && !session.resign(Player(0)));
    assert!(session.moves().is_empty() && session.question().is_none());
    assert_eq!(session.outcome(), Some(Outcome::Win(Player(0))));
    assert_eq!(session.reason(), Some(Reason::Lost(Player(1), Lost::Resigned)));
    // The resignation is taken back first.
    assert!(session.undo() && session.moves().len() == 5 && texts(&session).len() == 4);
    let mut session = begun("knight-fight", Some("stuck at once"));
    play(&mut session, &["a1", "a10"]);
    assert_eq!(session.reason(), Some(Reason::Stuck));
}

#[test]
fn a_seat_is_asked_for_advice() {
    let mut session = begun("tic-tac-toe", None);
    play(&mut session, &["a1", "b1", "a2", "b2"]);
    let spec: farrier::search::AgentSpec = "flat:500".parse().unwrap();
    let mut seat = spec.seat(&farrier::search::Making::default()).unwrap();
    let m = session.advise(&mut seat, &mut Rng::new(1), &mut |_| {}).unwrap().unwrap();
    assert_eq!(session.game().move_text(m), "a3");
    // Apart from the session, as on a thread.
    let question = session.question().unwrap();
    let mut machine = session.game().machine().unwrap();
    let m = seat.choose(&mut machine, question.situation(), &mut Rng::new(1)).unwrap();
    assert_eq!(session.game().move_text(m), "a3");
}

/// What can be chosen next, as people read it.
fn next(session: &Session, choosing: &Choosing) -> Vec<String> {
    let rules = &session.game().rules;
    let name = |part: &Part| match part {
        Part::Site(site) => rules.board.name(*site).to_owned(),
        Part::Kind(kind) => rules.kinds[kind.index()].name.clone(),
        Part::Player(player) => rules.players[player.index()].clone(),
        Part::Direction(dir) => rules.board.label(*dir).to_owned(),
        Part::Number(number) => number.to_string(),
        Part::None => "none".to_owned(),
    };
    choosing.next().iter().map(name).collect()
}

/// Chooses a site.
fn choose(session: &Session, choosing: &mut Choosing, site: &str) -> bool {
    choosing.choose(Part::Site(session.game().rules.board.site(site).unwrap()))
}

#[test]
fn a_move_is_led_part_by_part() {
    // A promotion: from, to, kind. Other moves have no kind, which is passed over.
    let session = begun("chess", Some("8/P7/8/8/8/8/7k/K7 w - -"));
    let mut choosing = session.choosing();
    assert_eq!(next(&session, &choosing), ["a1", "a7"]);
    assert!(choose(&session, &mut choosing, "a7") && choose(&session, &mut choosing, "a8"));
    assert_eq!((choosing.next().len(), choosing.decided()), (4, None));
    let kind = choosing.next()[0];
    assert!(choosing.choose(kind) && choosing.decided().is_some());
    assert!(choosing.back() && choosing.back() && choosing.back() && !choosing.back());
    assert!(choose(&session, &mut choosing, "a1") && choose(&session, &mut choosing, "b1"));
    let decided = choosing.decided().unwrap();
    assert_eq!(session.game().move_text(decided), "a1b1");
    // The field that was left is filled from a shared one, then a pawn goes anywhere.
    let mut session = begun("knights-and-pawns", None);
    session.play_text("b1a3").unwrap();
    let choosing = session.choosing();
    assert_eq!(next(&session, &choosing), ["c1", "d1"]);
    session.play_text("c1").unwrap();
    let mut choosing = session.choosing();
    assert!(choose(&session, &mut choosing, "d1") && choosing.next().len() > 10);
    assert!(!choose(&session, &mut choosing, "d1"));
    // A pass has no part: it is whole from the beginning.
    let mut session = begun("knight-fight", Some("in order"));
    session.play_text("a1").unwrap();
    let choosing = session.choosing();
    let whole: Vec<_> = choosing.whole().iter().map(|m| session.game().move_text(m.number)).collect();
    assert_eq!((whole, choosing.next().len(), choosing.decided()), (vec!["pass".to_owned()], 9, None));
}

#[test]
fn moves_are_typed_in_any_case() {
    let mut session = begun("chess", None);
    session.play_text("G1F3").unwrap();
    assert!(session.play_text("G1F3").is_err());
    // Two moves that differ in case only: what is typed exactly is meant.
    assert!(session.play_text("E7e5").is_ok());
}

fn names(session: &Session, sites: impl Iterator<Item = usize>) -> Vec<String> {
    let board = &session.game().rules.board;
    sites.map(|site| board.name(Site(site as u16)).to_owned()).collect()
}

fn threatened(session: &mut Session) -> Vec<String> {
    let found = session.threatened();
    names(session, found.iter())
}

#[test]
fn what_the_next_player_could_take_is_threatened() {
    let mut session = begun("chess", None);
    assert!(threatened(&mut session).is_empty());
    play(&mut session, &["e2e4", "d7d5"]);
    assert_eq!(threatened(&mut session), ["e4"]);
    // A pinned piece takes nothing; a king in check is threatened.
    let mut pinned = begun("chess", Some("4k3/8/8/8/4n3/2P5/8/K3R3 w - -"));
    assert!(threatened(&mut pinned).is_empty());
    let mut check = begun("chess", Some("4r2k/8/8/8/8/8/8/4K3 w - -"));
    assert_eq!(threatened(&mut check), ["e1"]);
    // None within a turn, once a game is over, and where pieces are nobody's.
    let mut turn = begun("knights-and-pawns", None);
    play(&mut turn, &["b1a3"]);
    assert!(threatened(&mut turn).is_empty());
    session.resign(Player(0));
    assert!(threatened(&mut session).is_empty());
    assert!(threatened(&mut begun("knightcap", None)).is_empty());
}

#[test]
fn threats_are_the_captures_of_the_other_player() {
    // The same position with the other player to move, by its text.
    let mut rng = Rng::new(7);
    let mut found = 0;
    let game = begun("chess", None).game().clone();
    let mut machine = game.machine().unwrap();
    for _ in 0..6 {
        let mut session = Session::new(game.clone(), None, 1).unwrap();
        for _ in 0..60 {
            let moves = session.moves();
            if moves.is_empty() {
                break;
            }
            session.play(moves.nth(rng.pick(moves.len())).unwrap());
            let text = session.position_text();
            let mut fields: Vec<&str> = text.split(' ').collect();
            let other = if fields[1] == "w" { "b" } else { "w" };
            fields[1] = other;
            fields[3] = "-";
            let turned = Session::new(game.clone(), Some(&fields.join(" ")), 1).unwrap();
            let own = session.moves().mover();
            let mut taken: Vec<String> = Vec::new();
            for site in game.rules.board.sites() {
                let stands = machine.piece(turned.position(), site.index());
                let name = game.rules.board.name(site);
                let takes = |m| game.move_text(m)[2..].starts_with(name);
                if stands.is_some_and(|(owner, ..)| owner == own.0) && turned.moves().iter().any(takes) {
                    taken.push(name.to_owned());
                }
            }
            assert_eq!(threatened(&mut session), taken, "{text}");
            found += taken.len();
        }
    }
    assert!(found > 100, "{found}");
}
