//! What was most likely meant is told, and told where it stands.

use super::{fine, json, run, tempfile};

/// All that a run that fails prints.
fn told(args: &[&str]) -> String {
    let ran = run(args);
    assert_ne!(ran.code, 0, "{}", ran.out);
    ran.out + &ran.err
}

#[test]
fn an_extension_is_checked_with_its_game() {
    let out = fine(&["check", "tests/cli/wider.toml"]);
    assert!(out.starts_with("tests/cli/wider.toml for knights-and-pawns: ok"), "{out}");
    // The game may lie beside it.
    let game = tempfile("own.toml", std::fs::read("games/tic-tac-toe.toml").unwrap());
    let end = "[end.soon]\nwhen = \"ply > 3\"\nresult = \"draw\"\n";
    let extension = tempfile("for-own.toml", format!("for = \"own\"\nsummary = \"-\"\n{end}"));
    let out = fine(&["check", &extension]);
    assert!(out.contains(&format!(" for {game}: ok (2 combinations")), "{out}");
    // Commands that load no game for it say how to load both.
    let found = told(&["playout", &extension]);
    assert!(found.contains(&format!("`{game} --with {extension}`")), "{found}");
    fine(&["playout", &game, "--with", &extension]);
    // Of one for another game that is all that is told, whatever it names.
    let found = told(&["playout", "knightcap", "--with", &extension]);
    assert!(found.contains("this extension is for `own`") && found.matches("error").count() == 1, "{found}");
    let lone = tempfile("lone.toml", "for = \"chesss\"\n");
    let found = told(&["check", &lone]);
    assert!(found.contains("no game or file `chesss`") && found.contains("did you mean `chess`?"), "{found}");
}

#[test]
fn texts_of_positions_are_wrong_where_they_are_wrong() {
    let of_chess = "name = \"Texts\"\nextends = \"chess\"\n";
    let place = |name: &str, more: &str| {
        let path = tempfile(name, format!("{of_chess}{more}"));
        let found = json(&["check", &path, "--games", "1"], 1)[0]["diagnostics"].clone();
        let [one] = &found.as_array().unwrap()[..] else { panic!("{found}") };
        ["line", "column"]
            .map(|key| one[key].as_u64().unwrap())
            .into_iter()
            .chain(one["end"]["column"].as_u64())
            .collect::<Vec<_>>()
    };
    let setup = "[setup.named]\ncut = \"rnbqkbnr/pppxpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\"\n";
    assert_eq!(place("wrong-letter.toml", setup), [4, 20, 21]);
    let test = "[[tests]]\nname = \"a test\"\nafter = \"e2e4 e7e5 e1e8\"\n";
    assert_eq!(place("wrong-move.toml", test), [5, 20, 24]);
    // With escapes letters and bytes do not go side by side: then the whole is told.
    let escaped = setup.replace("pppx", "p\\u0070px");
    assert_eq!(place("wrong-escaped.toml", &escaped), [4, 7, 59]);

    let position = |text: &str| told(&["perft", "knights-and-pawns", "1", "--position", text]);
    assert!(position("6/6/6/6/6/5 white").contains("at `5`"));
    let found = position("6/6/6/6/6/6 white & :ply=");
    assert!(found.contains("`:ply` has no value behind its `=`"), "{found}");
    assert!(position("6/6/6/6/6/6 white & flow=99999").contains("`flow` cannot be 99999: it is from 0 to "));
    let found = position("6/6/6/6/6/6 white & reserve=1,2");
    assert!(found.contains("an entry for each player") && found.contains("`reserve[white]=1`"), "{found}");
}

#[test]
fn what_was_meant_on_the_command_line_is_told() {
    tempfile("parent.toml", std::fs::read("games/tic-tac-toe.toml").unwrap());
    let child = tempfile("child.toml", "name = \"Child\"\nextends = \"parent\"\n");
    assert!(told(&["check", &child]).contains("did you mean `./parent.toml`?"));
    let ran = told(&["show", "knightcap", "--with", "no-such-option"]);
    assert!(ran.contains("`./no-such-option.toml`"), "{ran}");
    let options = json(&["show", "knightcap"], 0)[0]["options"].clone();
    let mut options = options.as_array().unwrap().iter();
    let option = options.find(|o| o["values"][0].is_string()).unwrap()["name"].as_str().unwrap();
    let ran = told(&["show", "knightcap", "--with", &format!("{option}=x")]);
    assert!(ran.contains(&format!("`--set {option}=x`")), "{ran}");
}

#[test]
fn two_passes_at_once_are_told() {
    let text = std::fs::read_to_string("tests/cli/endless.toml").unwrap();
    let main = text.lines().find(|line| line.starts_with("main")).unwrap();
    let flow = main.split('"').nth(1).unwrap();
    let path = tempfile("passes.toml", text.replace(main, &format!("main = \"may may ({flow})\"")));
    let found = told(&["check", &path]);
    assert!(found.contains("two passes, `pass`, are offered at once"), "{found}");
    assert!(found.contains("leave one `may` out"), "{found}");
}

#[test]
fn pieces_that_do_not_come_in_a_game_are_not_left_out() {
    let found = told(&["show", "chess", "--setup", "*n7/8/8/8/8/8/8/K6k w - - 0 1"]);
    assert!(found.contains("pieces of nobody (`*`) do not come in this game"), "{found}");
    // A set-up of the definition brings them in.
    let text =
        "name = \"Stones\"\nextends = \"chess\"\n[setup.named]\nstones = \"*n7/8/8/8/8/8/8/K6k w - - 0 1\"\n";
    let game = tempfile("stones.toml", text);
    let shown = json(&["show", &game, "--setup", "stones"], 0)[0].clone();
    assert!(shown["position"].as_str().unwrap().starts_with("*n7/"), "{shown}");
}

#[test]
fn every_heading_of_the_reference_is_a_topic() {
    let mut fenced = false;
    let text = std::fs::read_to_string("games/language.md").unwrap();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || line.len() - title.len() < 2 {
            continue;
        }
        let anchor = title.trim().to_lowercase().replace([',', '\''], "").replace(' ', "-");
        for topic in [title.trim(), &anchor] {
            let ran = run(&["help", topic]);
            assert!(ran.code == 0 && ran.out.starts_with(line), "{topic}: {}", ran.err);
        }
    }
    assert!(told(&["help", "no-such-topic"]).contains("headings of `language`"));
}

#[test]
fn a_range_that_is_too_long_is_refused_whatever_the_value_is() {
    let game = |now: u32| {
        let text = format!(
            "name = \"Long\"\nextends = \"knight-fight\"\n[options.most]\nrange = [1, 600]\ndefault = {now}\nsummary = \"Of no use\"\n"
        );
        tempfile(&format!("long-{now}.toml"), text)
    };
    for now in [1, 20, 500] {
        let game = game(now);
        for command in [&["matrix"][..], &["tune", "--goal", "balance"]] {
            let args = [command, &[&game[..], "--options", "most=1..600"]].concat();
            let found = told(&args);
            assert!(found.contains("options can be tried"), "{now}: {found}");
        }
    }
}

#[test]
fn a_proof_for_programs_names_its_game() {
    let found = json(&["solve", "hex", "--set", "size=3"], 0).remove(0);
    assert_eq!((&found["game"], &found["winner"]), (&"hex".into(), &"blue".into()));
    assert_eq!(found["options"]["size"], 3);
}
