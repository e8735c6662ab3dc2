//! Games in progress, and moves that are chosen part by part.

use farrier::ids::Player;
use farrier::notation::parts::{Choosing, Part};
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
fn the_reason_is_told() {
    let mut session = begun("tic-tac-toe", None);
    assert_eq!((session.reason(), session.is_over()), (None, false));
    play(&mut session, &["a1", "b1", "a2", "b2", "a3"]);
    assert_eq!(session.reason(), Some(Reason::End("three".to_owned())));
    session.undo();
    assert!(session.resign(Player(1)) && !session.resign(Player(0)));
    assert!(session.moves().is_empty() && session.question().is_none());
    assert_eq!(session.outcome(), Some(Outcome::Win(Player(0))));
    assert_eq!(session.reason(), Some(Reason::Resigned(Player(1))));
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
