//! What a terminal shows, after some keys.
#![cfg(feature = "terminal")]

use farrier::cli::shown;
use farrier::session::{Session, TimeControl};
use farrier::shipped::Shipped;
use farrier::variant::Variant;

/// What stands on a terminal after some keys.
fn screen(variant: &str, setup: Option<&str>, keys: &str, size: (u16, u16)) -> String {
    let game = variant.parse::<Variant>().unwrap().open(&Shipped).unwrap();
    shown(Session::new(game, setup, 1).unwrap(), keys, size).unwrap()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal");
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

const USUAL: (u16, u16) = (80, 24);

#[test]
fn boards_are_drawn() {
    snapshot("squares", &screen("chess", None, "e2e4 E7E5 @g1", USUAL));
    snapshot("stacks", &screen("knights-and-pawns:switch-move=on", None, "@b1 @a3", USUAL));
    snapshot("numbers", &screen("knight-fight", Some("in order"), "e1 e10 e1f3 e10f8", USUAL));
    snapshot("hexagons", &screen("hex", None, "f6 g5", USUAL));
}

#[test]
fn a_choice_that_is_no_site_is_a_list() {
    let setup = Some("8/P7/8/8/8/8/7k/K7 w - -");
    let before = screen("chess", setup, "@a7 @a8", USUAL);
    assert!(before.contains("white, move: a7 a8"), "{before}");
    assert!(before.contains("1 q queen") || before.contains(" queen"), "{before}");
    let list = before.lines().nth(22).unwrap();
    assert_eq!(list.matches("   ").count(), 3, "{list}");
    let after = screen("chess", setup, "@a7 @a8 #1", USUAL);
    assert!(after.contains("1.a7a8"), "{after}");
    // The last choice is taken back, then the one before.
    let back = screen("chess", setup, "@a7 @a8 !esc", USUAL);
    assert!(back.contains("white, move: a7 to?"), "{back}");
    // A pass is an entry beside the sites.
    let pass = screen("knight-fight", Some("in order"), "a1", USUAL);
    assert!(pass.contains("white, erase: x?") && pass.contains("1 pass"), "{pass}");
    let passed = screen("knight-fight", Some("in order"), "a1 #1", USUAL);
    assert!(passed.contains("black, place: to?"), "{passed}");
}

#[test]
fn turns_of_several_decisions_are_led() {
    let fill = screen("knights-and-pawns", None, "@b1 @a3", USUAL);
    assert!(fill.contains("white, fill: from?") && fill.contains("hole = b1"), "{fill}");
    let shot = screen("amazons", None, "@d1 @d7", USUAL);
    assert!(shot.contains("white, shoot: to?"), "{shot}");
    let redone = screen("amazons", None, "@d1 @d7 !undo !redo", USUAL);
    assert_eq!(shot, redone);
    // Jumps go on with the same piece.
    let jumps = screen("draughts", None, "@a3", USUAL);
    assert!(jumps.contains("black, "), "{jumps}");
}

#[test]
fn a_direction_is_chosen_by_the_site_that_lies_there() {
    let led = screen("abalone", None, "@c3", USUAL);
    assert!(led.contains("c3 d or to? one of your pieces or a direction"), "{led}");
    let pushed = screen("abalone", None, "@c3 @c4", USUAL);
    let typed = screen("abalone", None, "c3n", USUAL);
    assert!(pushed.contains("1.c3n") && typed.contains("1.c3n"), "{pushed}{typed}");
}

#[test]
fn threatened_pieces_are_marked_until_that_is_not_wanted() {
    let marked = screen("chess", None, "e2e4 d7d5", USUAL);
    assert_eq!(marked.matches('!').count(), 1, "{marked}");
    let chosen = screen("chess", None, "e2e4 d7d5 @e4", USUAL);
    assert!(chosen.contains("[\u{2659}!"), "{chosen}");
    let plain = screen("chess", None, "e2e4 d7d5 threats", USUAL);
    assert_eq!(plain.matches('!').count(), 0, "{plain}");
}

#[test]
fn ascii_is_all_that_is_shown_where_no_more_is_wanted() {
    for (game, keys) in [("chess", "e2e4 !help"), ("hex", "f6"), ("knight-fight", "!options")] {
        let plain = screen(game, None, &format!("!ascii {keys}"), USUAL);
        assert!(plain.is_ascii(), "{plain}");
        assert_eq!(plain.contains("--+"), keys.contains('!'), "{plain}");
    }
}

#[test]
fn clocks_run() {
    let timed = |keys: &str| {
        let game = "chess".parse::<Variant>().unwrap().open(&Shipped).unwrap();
        let mut session = Session::new(game, None, 1).unwrap();
        session.set_clock(TimeControl::parse("65m+3s").unwrap());
        shown(session, keys, USUAL).unwrap()
    };
    let run = timed("~10 e2e4 ~3891");
    assert!(run.contains("white (human) 1:04:53"), "{run}");
    assert!(run.contains("black (human) 0:09.0"), "{run}");
    let late = timed("e2e4 ~3900");
    assert!(late.contains("black had no time left. white wins"), "{late}");
    let back = timed("e2e4 ~3900 !undo");
    assert!(back.contains("black (human) 1:05:00") && back.contains("black, move: from?"), "{back}");
}

#[test]
fn hexagons_have_their_names() {
    let wide = screen("hex", None, "", (120, 40));
    for site in ["a1", "f6", "k11", "b10"] {
        assert!(wide.contains(site), "{site}: {wide}");
    }
}

#[test]
fn small_terminals_say_so_or_adapt() {
    assert!(screen("chess", None, "", (20, 6)).contains("too small"));
    let narrow = screen("chess", None, "", (40, 14));
    assert!(narrow.contains("white, move: from?"), "{narrow}");
    for size in [(24, 10), (60, 12), (200, 60)] {
        for game in ["hex", "havannah", "knight-fight", "gomoku"] {
            screen(game, None, "", size);
        }
    }
}

#[test]
fn the_end_is_told() {
    let end = screen("tic-tac-toe", None, "a1 b1 a2 b2 a3", USUAL);
    assert!(end.contains("the game is over by [end.three]. x wins"), "{end}");
    let resigned = screen("chess", None, "e2e4 resign", USUAL);
    assert!(resigned.contains("black resigned. white wins"), "{resigned}");
    let by_key =
        ["!resign", "!resign !esc e2e4", "!resign !enter"].map(|keys| screen("chess", None, keys, USUAL));
    assert!(by_key[0].contains("> resign"), "{}", by_key[0]);
    assert!(!by_key[0].contains("resigned") && !by_key[1].contains("resigned"), "{}", by_key[1]);
    assert!(by_key[2].contains("white resigned. black wins"), "{}", by_key[2]);
    let one = Some("8/8/8/8/2*n1*n3/1*n6/8/8 white");
    let game = screen("knightcap", one, "b3d4 @d4 @f5", USUAL);
    assert!(game.contains("black 0; the match goes to 10; type next"), "{game}");
    let help = screen("chess", None, "!help", USUAL);
    assert!(help.contains("walk over the sites"), "{help}");
    let options = screen("knightcap:scoring=compound", None, "!options", USUAL);
    assert!(options.contains("* scoring = compound"), "{options}");
}
