//! `farrier train`: the files that it writes, and what it says.

use std::collections::BTreeMap;
use std::fs;

use super::files::{folder, program, ran, text};
use super::*;

#[test]
fn weights_that_are_there_are_not_lost() {
    let folder = folder("weights");
    let file = folder.join("mine.toml");
    fs::write(&file, "kept").unwrap();
    let ran = ran(&mut program(&["train", "tic-tac-toe", "--minutes", "0", "--out", text(&file)]));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is there already") && ran.err.contains("--from"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

/// Games say whether a network is of use: one that lost is not written, and none is made of a few positions.
#[test]
fn a_network_is_kept_where_it_won() {
    let folder = folder("network");
    let learn = |from: &str, out: &str| {
        let learn = ["--minutes", "0.01", "--games", "2", "--gauge", "4", "--trials", "0"];
        let file = folder.join(out);
        let told =
            fine(&[&["train", "tic-tac-toe"], &learn[..], &["--from", from, "--out", text(&file)]].concat());
        (told, fs::read_to_string(&file).unwrap())
    };
    let known = |units: &str| {
        let file = folder.join("known.toml");
        let sum = "game = 'x'\nfingerprint = ''\nsites = 9\n[[sum]]\n'mobility of player 1' = [1.0]\n";
        fs::write(&file, format!("{sum}{units}")).unwrap();
        text(&file).to_owned()
    };
    let (told, written) = learn(&known(""), "without.toml");
    assert!(!told.contains("with a network") && !written.contains("[[unit]]"), "{told}");
    let (told, written) = learn(&known("[[unit]]\nbias = 0.5\nworth = 0.5\n[unit.weights]\n"), "with.toml");
    let line = told.lines().find(|line| line.starts_with("with a network against without: ")).unwrap();
    let refit = told.lines().find(|line| line.starts_with("fitted once more against without: ")).unwrap();
    assert!(["it is kept", "it is left out"].iter().any(|end| refit.ends_with(end)), "{told}");
    let written = written.contains("[[unit]]");
    assert!(line.ends_with(if written { "it is kept" } else { "it is left out" }), "{told}");
    let mut counts = line.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    let [won, drawn, lost] = [(); 3].map(|()| counts.next().unwrap());
    assert_eq!((won + drawn + lost, written), (8, won > lost), "{told}");
}

/// Two games teach a strong evaluation nothing good, if it believes that it is young: the file has what it had.
#[test]
fn who_learns_something_worse_keeps_what_there_was() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/games/weights/chess.toml");
    let shipped = fs::read_to_string(shipped).unwrap();
    let young = shipped.replacen("\nmade = ", "\npositions = 0\nmade = ", 1);
    assert_ne!(young, shipped);
    let file = folder("worse").join("mine.toml");
    fs::write(&file, &young).unwrap();
    let file = text(&file);
    let learn = ["--minutes", "0.01", "--games", "2", "--nodes", "200", "--gauge", "20", "--trials", "0"];
    let told = fine(&[&["train", "chess", "--from", file, "--out", file], &learn[..]].concat());
    assert!(told.contains("that is worse: the file has what it began with"), "{told}");
    assert_eq!(fs::read_to_string(file).unwrap(), young);
}

/// The best two of all agents play once more: `auto` is who wins these games, also where the other was ahead before.
#[test]
fn auto_is_the_better_of_the_best_two() {
    let folder = folder("auto");
    let known = folder.join("known.toml");
    let text_of_known = "game = 'x'\nfingerprint = ''\nsites = 9\n[[sum]]\n'mobility of player 1' = [1.0]\n";
    fs::write(&known, text_of_known).unwrap();
    // Nothing is learned, so the games are the same in every run. Some seed has the order change.
    let changed = (1..=40).any(|seed: u32| {
        let (file, seed) = (folder.join(format!("{seed}.toml")), seed.to_string());
        let trials =
            ["--minutes", "0", "--trials", "2", "--think", "20", "--seed", &seed, "--format", "json"];
        let files = ["--from", text(&known), "--out", text(&file)];
        let found = fine(&[&["train", "tic-tac-toe"], &trials[..], &files].concat());
        let found: serde_json::Value = serde_json::from_str(&found).unwrap();
        let [all, two] = ["agents", "best_two"].map(|key| {
            let scores = found[key].as_object().unwrap().iter();
            scores.map(|(name, score)| (name.clone(), score.as_f64().unwrap())).collect::<BTreeMap<_, _>>()
        });
        assert_eq!((all.len(), two.len()), (4, 2), "{found}");
        assert!(found["score"].is_null(), "no game says what was gained: {found}");
        let least = two.keys().map(|name| all[name]).fold(1.0, f64::min);
        assert!(all.iter().all(|(name, score)| two.contains_key(name) || *score <= least), "{found}");
        let written: toml::Table = fs::read_to_string(&file).unwrap().parse().unwrap();
        let auto = written["agent"].as_str().unwrap();
        assert!(two.values().all(|score| *score <= two[auto]), "{found}");
        two.keys().any(|other| all[other] > all[auto] && two[other] < two[auto])
    });
    assert!(changed);
}

#[test]
fn weights_lie_beside_their_definition() {
    let folder = folder("beside");
    let game = folder.join("mine.toml");
    fs::write(&game, "name = \"Mine\"\nextends = \"breakthrough\"\n").unwrap();
    let game = text(&game);
    let learn = ["train", game, "--minutes", "0.01", "--games", "2", "--gauge", "0", "--trials", "0"];
    let weights = folder.join("mine.weights.toml");
    assert!(fine(&learn).contains("mine.weights.toml learned in"));
    let first = fs::read_to_string(&weights).unwrap();
    // They say how they were made: from those of the parent, or from none.
    let made = |text: &str| text.parse::<toml::Table>().unwrap()["made"].as_str().unwrap().to_owned();
    assert!(made(&first).ends_with("--seed 1"), "{first}");
    let alone = folder.join("alone.toml");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/games/tic-tac-toe.toml"), &alone).unwrap();
    fine(&[&["train", text(&alone)], &learn[2..]].concat());
    let begun = fs::read_to_string(folder.join("alone.weights.toml")).unwrap();
    assert!(made(&begun).ends_with("--seed 1 --afresh"), "{begun}");
    // Whoever learns again goes on from there; only who begins afresh would lose something.
    let mine = first.replacen("mobility of player 1\" = [", "mobility of player 1\" = [77", 1);
    assert_ne!(first, mine);
    fs::write(&weights, &mine).unwrap();
    let again = ["train", game, "--minutes", "0", "--trials", "0"];
    assert!(fine(&again).contains("learned in 0 rounds"));
    assert!(fs::read_to_string(&weights).unwrap().contains("[77"), "what was known is kept");
    let afresh = ran(&mut program(&[&learn[..], &["--afresh"]].concat()));
    assert!(afresh.code == 1 && afresh.err.contains("is there already"), "{}", afresh.err);
    // Agents play by them: what they are worth decides what a position looks worth.
    let told = |text: &str| {
        fs::write(&weights, text).unwrap();
        let moves =
            ["match", game, "--players", "alphabeta:100", "random", "--games", "20", "--format", "json"];
        let found: serde_json::Value = serde_json::from_str(&fine(&moves)).unwrap();
        found["agents"][0]["score"]["value"].as_f64().unwrap()
    };
    // Those of its parent, for what is learned in a moment may be anything. A network has no upside down.
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/games/weights/breakthrough.toml");
    let shipped = fs::read_to_string(shipped).unwrap();
    let shipped = shipped.split("\n[[unit]]").next().unwrap();
    let good = shipped.replacen("game = \"breakthrough\"", first.lines().next().unwrap(), 1);
    let upside_down: String = good
        .lines()
        .map(|line| match line.split_once(" = [") {
            Some((name, row)) => {
                let turned = row.trim_end_matches(']').split(", ").map(|w| match w.strip_prefix('-') {
                    Some(w) => w.to_owned(),
                    None => format!("-{w}"),
                });
                format!("{name} = [{}]\n", turned.collect::<Vec<_>>().join(", "))
            }
            None => format!("{line}\n"),
        })
        .collect();
    assert_ne!(good, shipped);
    assert!(told(&good) > told(&upside_down));
    // What is no weights, or cannot be read, is told at its place.
    fs::write(&weights, "game = \"mine\"\nsum = 3").unwrap();
    let wrong = ran(&mut program(&["check", game])).out;
    assert!(wrong.contains("these are no weights") && wrong.contains("mine.weights.toml:2:7"), "{wrong}");
    let begins = |(_, line): &(usize, &str)| line.starts_with("\"white\" =");
    let (number, row) = good.lines().enumerate().filter(begins).last().unwrap();
    let long = row.replace(']', &format!("{}]", ", 1".repeat(64)));
    fs::write(&weights, good.replacen(row, &long, 1)).unwrap();
    let wrong = ran(&mut program(&["check", game])).out;
    assert!(wrong.contains("weights, one for all sites and one for each are 65"), "{wrong}");
    assert!(wrong.contains(&format!("mine.weights.toml:{}:2", number + 1)), "{wrong}");
    fs::write(&weights, vec![b'#'; 2 << 20]).unwrap();
    let wrong = ran(&mut program(&["check", game])).out;
    assert!(wrong.contains("mine.weights.toml` cannot be read"), "{wrong}");
}
