//! Files that are none, that lie elsewhere, that are damaged, in use, huge or oddly named: each is said, none is
//! waited for, nothing is lost.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use farrier::compare::Rules;
use farrier::compare::run::Archive;
use farrier::play::Rng;
use farrier::search::AgentSpec;

use super::*;

const RARE: &str = "tests/cli/rare.toml";

/// Far longer than any of these runs takes.
const LONG: Duration = Duration::from_secs(120);

/// The program with arguments that need not be text; it is stopped where it hangs.
pub(super) fn program(args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).timeout(LONG);
    command
}

pub(super) fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("the program starts");
    Ran {
        code: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).expect("it prints text"),
        err: String::from_utf8(output.stderr).expect("it prints text"),
    }
}

/// A folder of one test, empty.
pub(super) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("a name of letters")
}

/// What is in a folder, hidden files too.
fn names(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_neither_read_nor_written_nor_waited_for() {
    let folder = folder("special");
    let pipe = folder.join("pipe.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(folder.join("child.toml"), "name = \"Child\"\nextends = \"./pipe.toml\"\n").unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.toml")).unwrap();
    std::os::unix::fs::symlink(&pipe, folder.join("linked.toml")).unwrap();
    // Where the path is too long for a socket there is none.
    let socket = std::os::unix::net::UnixListener::bind(folder.join("socket.toml")).is_ok();
    fs::create_dir(folder.join("folder.toml")).unwrap();
    let game = ["tic-tac-toe", "--games", "1"];
    for (name, what) in [
        ("pipe.toml", "a pipe"),
        ("linked.toml", "a pipe"),
        ("zero.toml", "a device"),
        ("socket.toml", "a socket"),
        ("folder.toml", "a folder"),
    ] {
        if name == "socket.toml" && !socket {
            continue;
        }
        let path = folder.join(name);
        let path = text(&path);
        for args in [
            &["show", path][..],
            &["check", path],
            &["check", "tic-tac-toe", "--with", path],
            &["test", path],
            &["play", path],
            &["replay", path],
            &["diff", "tic-tac-toe", path],
            &["diff", "tic-tac-toe", "tic-tac-toe", "--html", path],
            &[&["compare", "--levels", "none"], &game[..], &["--resume", path]].concat(),
            &[&["compare", "--levels", "none"], &game[..], &["--csv", path]].concat(),
            &[&["compare", "--levels", "none"], &game[..], &["--jsonl", path]].concat(),
            &[&["compare", "--levels", "none"], &game[..], &["--report", path]].concat(),
        ] {
            let ran = ran(&mut program(args));
            let said = ran.out + &ran.err;
            assert_eq!(ran.code, 1, "{args:?}: {said}");
            assert!(said.contains(&format!("it is {what}, not a file")), "{args:?}: {said}");
        }
    }
    let child = folder.join("child.toml");
    let ran = ran(&mut program(&["check", text(&child)]));
    assert!(ran.code == 1 && ran.out.contains("it is a pipe, not a file"), "{}", ran.out);
    assert_eq!(names(&folder).len(), 5 + usize::from(socket), "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn what_a_file_extends_lies_in_its_real_folder() {
    use std::os::unix::fs::symlink;
    let root = folder("links");
    let place = |path: &str| root.join(path);
    for inner in ["home/below", "outside"] {
        fs::create_dir_all(place(inner)).unwrap();
    }
    let base = fs::read_to_string(RARE).unwrap();
    fs::write(place("outside/secret.toml"), "password = \"hunter2\"").unwrap();
    fs::write(place("outside/base.toml"), &base).unwrap();
    fs::write(place("home/below/base.toml"), &base).unwrap();
    symlink("../outside/secret.toml", place("home/secret.toml")).unwrap();
    symlink("../outside", place("home/away")).unwrap();
    symlink("below/base.toml", place("home/near.toml")).unwrap();
    symlink("home", place("door")).unwrap();
    let child = |name: &str, parent: &str| {
        fs::write(place("home").join(name), format!("name = \"Child\"\nextends = \"{parent}\"\n")).unwrap();
    };
    let shown = |path: &str| ran(&mut program(&["show", text(&place(path))]));
    child("secret-child.toml", "./secret.toml");
    child("away-child.toml", "away/base.toml");
    for path in ["home/secret-child.toml", "home/away-child.toml", "door/secret-child.toml"] {
        let ran = shown(path);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{path}");
        assert!(ran.err.contains("it does not lie in the folder of the file that names it"), "{}", ran.err);
        assert!(!ran.err.contains("hunter2") && !ran.err.contains("password"), "{}", ran.err);
    }
    // Links inside are fine, and so is a way to the file itself through a link.
    child("near-child.toml", "near.toml");
    child("below-child.toml", "below/base.toml");
    for path in ["home/near-child.toml", "home/below-child.toml", "door/near-child.toml"] {
        let ran = shown(path);
        assert!(ran.code == 0 && ran.out.starts_with("Child\n"), "{path}: {}", ran.err);
    }
    // What lies beside a link to a file does not lie beside the file.
    symlink("../home/near-child.toml", place("outside/linked.toml")).unwrap();
    symlink("base.toml", place("outside/near.toml")).unwrap();
    let ran = shown("outside/linked.toml");
    assert!(ran.code == 1 && ran.err.contains("it does not lie in the folder"), "{}", ran.err);
    // Users name files wherever they lie.
    fs::write(place("outside/extra.toml"), "for = \"rare\"\nsummary = \"Nothing\"\n").unwrap();
    symlink("../outside/extra.toml", place("home/extra.toml")).unwrap();
    fine(&["show", RARE, "--with", text(&place("home/extra.toml"))]);
}

#[test]
fn what_a_record_names_is_not_shown() {
    let folder = folder("record");
    let secret = folder.join("secret.toml");
    fs::write(&secret, "hunter2 = 1\n").unwrap();
    let record = folder.join("record.jsonl");
    fs::write(&record, format!("{{\"game\":{:?}}}\n", text(&secret))).unwrap();
    for args in [&["replay"][..], &["replay", "--step"], &["export"], &["play", "--resume"]] {
        let ran = run(&[args, &[text(&record)]].concat());
        let said = ran.out + &ran.err;
        assert_eq!(ran.code, 1, "{args:?}: {said}");
        assert!(said.contains("farrier check ") && !said.contains("hunter2"), "{args:?}: {said}");
    }
}

#[test]
fn one_run_at_a_time_adds_to_a_file_of_games() {
    let folder = folder("lock");
    let path = folder.join("games.jsonl");
    let args = ["compare", "--levels", "none", "tic-tac-toe", "--games", "3", "--resume", text(&path)];
    fine(&args);
    let before = fs::read(&path).unwrap();
    let held = fs::File::open(&path).unwrap();
    held.try_lock().unwrap();
    let refused = run(&args);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("is in use: another run adds to it"), "{}", refused.err);
    assert_eq!(fs::read(&path).unwrap(), before);
    drop(held);
    fine(&args);
}

/// A file of games, and the settings that they were played with.
fn archive(folder: &Path) -> (PathBuf, String, Rules) {
    let path = folder.join("games.jsonl");
    fine(&["compare", "--levels", "none", "tic-tac-toe", "--games", "20", "--resume", text(&path)]);
    let lines = fs::read_to_string(&path).unwrap();
    let agents = vec![AgentSpec::parse("random").unwrap()];
    let rules = Rules { agents, ..Rules::default() };
    (path, lines, rules)
}

/// The first line that is refused, from 1.
fn refused(text: &[u8], rules: &Rules) -> Option<usize> {
    let mut archive = Archive::default();
    let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at);
    let lines = text[..whole].split(|b| *b == b'\n');
    lines
        .enumerate()
        .find_map(|(i, line)| archive.read(&String::from_utf8_lossy(line), rules).is_err().then_some(i + 1))
}

#[test]
fn damage_to_a_file_of_games_is_seen() {
    let (path, whole, rules) = archive(&folder("damage"));
    assert_eq!(refused(whole.as_bytes(), &rules), None);
    let mut rng = Rng::new(1);
    let mut draw = |most: usize| rng.pick(most);
    // One byte is another one. What is behind the last line's end is no line.
    for _ in 0..700 {
        let mut bytes = whole.clone().into_bytes();
        let at = draw(bytes.len() - 1);
        bytes[at] ^= 1 + draw(255) as u8;
        let line = whole[..at].matches('\n').count() + 1;
        assert_eq!(refused(&bytes, &rules), Some(line), "byte {at}");
    }
    // Some bytes are missing, come twice, or are all zero.
    for turn in 0..300 {
        let bytes = whole.as_bytes();
        let (from, length) = (draw(bytes.len() - 100), 1 + draw(60));
        let some = &bytes[from..from + length];
        let middle = match turn % 3 {
            0 => Vec::new(),
            1 => [some, some].concat(),
            _ => vec![0; length],
        };
        let damaged = [&bytes[..from], &middle, &bytes[from + length..]].concat();
        assert!(refused(&damaged, &rules).is_some(), "{turn}: {from} {length}");
    }
    // Lines are missing, come twice, or are exchanged.
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for at in 0..lines.len() - 1 {
        let mut others = [lines.clone(), lines.clone(), lines.clone()];
        others[0].remove(at);
        others[1].insert(at, lines[at]);
        others[2].swap(at, at + 1);
        for other in others {
            assert!(refused(other.concat().as_bytes(), &rules).is_some_and(|line| line <= at + 2));
        }
    }
    // It is said where, and what to do about it; and that helps.
    let args = ["compare", "--levels", "none", "tic-tac-toe", "--games", "20", "--resume", text(&path)];
    let figures = fine(&args[..6]);
    let mut damaged = lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    damaged[10] = damaged[10].replacen("\"plies\":", "\"plies\":1", 1);
    fs::write(&path, damaged.concat()).unwrap();
    let ran = run(&args);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("line 11: it is damaged"), "{}", ran.err);
    assert!(ran.err.contains("take this line and all behind it out of the file"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), damaged.concat(), "nothing is changed");
    fs::write(&path, damaged[..10].concat()).unwrap();
    assert_eq!(fine(&args), figures);
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    // What is behind the last line and no beginning of one is not passed over.
    fs::write(&path, whole.clone() + "notes").unwrap();
    assert!(run(&args).err.contains(&format!("line {}: it is damaged", lines.len() + 1)));
    // Other forms are not mixed with this one, and what is no file of games is refused at its first line.
    fs::write(&path, "{\"farrier\":\"comparison\",\"format\":1,\"agents\":[\"random\"],\"strength\":null,\"seed\":1,\"plies\":2000,\"opening\":2,\"looks\":true}\n").unwrap();
    assert!(run(&args).err.contains("another version of Farrier wrote it"));
    fs::write(&path, vec![0; 65 << 20]).unwrap();
    assert!(run(&args).err.contains("line 1 is longer than 64 MiB"));
}

/// Starts a run and kills it once the file has so many bytes; whether it had not ended by itself.
fn killed(args: &[&str], path: &Path, bytes: u64) -> bool {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let long = || fs::metadata(path).is_ok_and(|m| m.len() >= bytes);
    while child.try_wait().unwrap().is_none() && !long() {
        assert!(begun.elapsed() < LONG, "it grows");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

#[test]
fn runs_that_are_killed_give_the_same_figures() {
    let folder = folder("killed");
    let path = folder.join("games.jsonl");
    let args = [
        "compare",
        "--levels",
        "none",
        "tic-tac-toe",
        "breakthrough:size=5",
        "--games",
        "1000",
        "--no-looks",
    ];
    let with = [&args[..], &["--resume", text(&path)]].concat();
    let whole = fine(&args);
    let mut rng = Rng::new(7);
    let (mut bytes, mut kills) = (1, 0);
    while killed(&with, &path, bytes) {
        bytes = fs::metadata(&path).map_or(0, |m| m.len()) + 1 + rng.pick(200_000) as u64;
        kills += 1;
    }
    assert!(kills > 0, "it was stopped");
    assert_eq!(fine(&with), whole);
}

#[test]
fn a_result_is_there_whole_or_not_at_all() {
    let folder = folder("whole");
    let place = |name: &str| folder.join(name);
    let [table, games, page] = ["table.csv", "games.jsonl", "page.html"].map(place);
    for path in [&table, &games, &page] {
        fs::write(path, "before").unwrap();
    }
    let results = ["--csv", text(&table), "--jsonl", text(&games), "--report", text(&page)];
    // Killed in the middle: what was there is there.
    let many = [&["compare", "--levels", "none", "breakthrough", "--games", "100000"][..], &results].concat();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(&many)
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let drafted = || {
        let draft = names(&folder).into_iter().find(|name| name.to_string_lossy().starts_with(".farrier-"));
        draft.is_some_and(|name| fs::metadata(folder.join(name)).is_ok_and(|m| m.len() > 0))
    };
    while !drafted() {
        assert!(begun.elapsed() < LONG && child.try_wait().unwrap().is_none(), "it writes");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for path in [&table, &games, &page] {
        assert_eq!(fs::read_to_string(path).unwrap(), "before");
    }
    // Not killed: all are new, and nothing else is left.
    let left = names(&folder).len();
    let few = [&["compare", "--levels", "none", "tic-tac-toe", "--games", "5"][..], &results].concat();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&table, fs::Permissions::from_mode(0o640)).unwrap();
        fs::rename(&page, place("elsewhere.html")).unwrap();
        std::os::unix::fs::symlink("elsewhere.html", &page).unwrap();
    }
    fine(&few);
    for path in [&table, &games, &page] {
        assert!(fs::read_to_string(path).unwrap().len() > 100);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&table).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&page).unwrap().is_symlink());
        assert_eq!(names(&folder).len(), left + 1);
    }
    // A run that fails leaves what was there too.
    let ran = run(&[&few[..], &["--resume", "README.md"]].concat());
    assert_eq!(ran.code, 1);
    assert!(names(&folder).len() <= left + 1);
    let ran = run(&["compare", "--levels", "none", "tic-tac-toe", "--games", "1", "--csv", "no-folder/"]);
    assert!(ran.code == 1 && ran.err.contains("it names a folder"), "{}", ran.err);
    // Two results in one file would be one.
    let twice = place("./table.csv");
    let ran = run(&[
        "compare",
        "--levels",
        "none",
        "tic-tac-toe",
        "--games",
        "1",
        "--csv",
        text(&table),
        "--jsonl",
        text(&twice),
    ]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("one would be lost"), "{}", ran.err);
}

#[test]
fn long_lines_are_neither_kept_nor_shown() {
    let folder = folder("long");
    let fed = |input: Vec<u8>| {
        let path = folder.join("input");
        fs::write(&path, input).unwrap();
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
            .args(["play", "tic-tac-toe"])
            .stdin(fs::File::open(&path).unwrap())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    };
    let zeros = vec![0; 3 << 20];
    for input in [zeros, [vec![b'x'; 70_000], b"\nquit\n".to_vec()].concat()] {
        let ran = fed(input);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("a line of more than 64 KiB is no move"), "{}", ran.err);
        assert!(ran.out.len() < 2000, "{}", ran.out.len());
    }
    let typed = fed([vec![b'x'; 60_000], b"\nquit\n".to_vec()].concat());
    assert_eq!(typed.code, 0, "{}", typed.err);
    assert!(typed.out.contains("is not legal") && typed.out.len() < 2000, "{}", typed.out.len());
    let long = "y".repeat(450_000);
    let record = folder.join("record.jsonl");
    fs::write(&record, format!("{{\"game\":\"tic-tac-toe\"}}\n{{\"ply\":\"{long}\"}}\n")).unwrap();
    let game = folder.join("game.toml");
    let rare = fs::read_to_string(RARE).unwrap();
    for (path, text_of) in [
        (&record, None),
        (&game, Some(format!("{rare}\n{long} = 1\n"))),
        (&game, Some(format!("# {long}\n{}", rare.replace("put own", "put ownn")))),
        (&game, Some(rare.replace("put own stone at to\"", &format!("put ownn stone at to\" # {long}")))),
        (&game, Some(rare.replace("\"{to}\"", &format!("\"{{to}}{long}\"")))),
        (&game, Some(rare.replace("[pieces]", &format!("[pieces]\n{long} = {{ letter = \"{long}\" }}\n")))),
        (&game, Some(rare.replace("hill", &long))),
        (&game, Some(format!("extends = \"./{long}\"\nname = \"x\"\n"))),
        (&game, Some(format!("{long}\n"))),
        (&game, Some(format!("name = \"{long}"))),
    ] {
        if let Some(text_of) = &text_of {
            fs::write(path, text_of).unwrap();
        }
        let command = if text_of.is_some() { "check" } else { "replay" };
        for format in ["text", "json"] {
            let ran = ran(&mut program(&[command, text(path), "--format", format]));
            let length = ran.out.len() + ran.err.len();
            assert!(length > 0 && length < 20_000, "{length}: {}", &(ran.out + &ran.err)[..2000]);
        }
    }
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_not_waited_for() {
    let zero = || std::process::Stdio::from(fs::File::open("/dev/zero").unwrap());
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .args(["play", "tic-tac-toe"])
        .stdin(zero())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.len() < 2000);
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let root = folder("names");
    let folder = root.join(OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&folder).unwrap();
    let place = |name: &[u8]| folder.join(OsStr::from_bytes(name));
    let game = place(b"\xff game.toml");
    fs::write(&game, "name = \"Odd\"\nextends = \"./base.toml\"\n").unwrap();
    fs::write(place(b"base.toml"), fs::read_to_string(RARE).unwrap()).unwrap();
    fs::write(place(b"extra.toml"), "for = \"base\"\nsummary = \"Nothing\"\n").unwrap();
    let run = |args: &[&OsStr]| ran(&mut program(args));
    let word = |text: &'static str| OsStr::new(text);
    let shown = run(&[word("show"), game.as_os_str()]);
    assert!(shown.code == 0 && shown.out.starts_with("Odd\n"), "{}", shown.err);
    let shown = run(&[word("show"), game.as_os_str(), word("--with"), place(b"extra.toml").as_os_str()]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let checked = run(&[word("check"), game.as_os_str()]);
    assert!(checked.out.contains("caf\u{fffd}/\u{fffd} game.toml: ok"), "{}", checked.out);
    // What Farrier writes of such a name it reads again.
    let record = run(&[word("playout"), game.as_os_str(), word("--record")]);
    fs::write(place(b"record\xfd.jsonl"), record.out).unwrap();
    let again = run(&[word("replay"), place(b"record\xfd.jsonl").as_os_str()]);
    assert!(again.code == 0 && again.out.contains("all as recorded"), "{}", again.out);
    let (games, table) = (place(b"games\xfc.jsonl"), place(b"table\xfb.csv"));
    for _ in 0..2 {
        let args = ["compare", "--levels", "none", "--games", "2", "--resume", "--csv"].map(word);
        let [compare, levels, none, count, two, resume, csv] = args;
        let args = [
            compare,
            levels,
            none,
            count,
            two,
            game.as_os_str(),
            resume,
            games.as_os_str(),
            csv,
            table.as_os_str(),
        ];
        let ran = run(&args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
    assert!(games.exists() && table.exists());
    let missing = run(&[word("show"), place(b"none\xff.toml").as_os_str()]);
    assert!(missing.code == 1 && missing.err.contains("none\u{fffd}.toml"), "{}", missing.err);
    let wrong = run(&[word("show"), word("tic-tac-toe"), word("--setup"), OsStr::from_bytes(b"\xff")]);
    assert!(wrong.code == 1 && !wrong.err.is_empty(), "{}", wrong.err);
}

#[test]
fn texts_of_other_editors_are_read() {
    let folder = folder("editors");
    let other = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let rare = fs::read_to_string(RARE).unwrap();
    // Its test fails.
    let rare = rare.split("[[tests]]").next().unwrap();
    let game = folder.join("game.toml");
    fs::write(&game, other(rare)).unwrap();
    assert!(fine(&["check", text(&game)]).contains("game.toml: ok"));
    fs::write(&game, other(&rare.replace("name    =", "nome    ="))).unwrap();
    assert!(run(&["check", text(&game)]).out.contains("game.toml:1:1\n"));
    let record = folder.join("record.jsonl");
    fs::write(&record, other(&fine(&["playout", "tic-tac-toe", "--record", "--count", "2"]))).unwrap();
    assert!(fine(&["replay", text(&record)]).starts_with("2 records, "));
    for nothing in ["", "\u{feff}", "\n", "\0", "name = \"a\0b\"\n"] {
        for (command, path) in [("check", &game), ("replay", &record)] {
            fs::write(path, nothing).unwrap();
            let ran = run(&[command, text(path)]);
            assert!(ran.code == 1 && !ran.out.contains('\0'), "{command} {nothing:?}: {}", ran.out);
        }
    }
}

/// What a definition would have a terminal do: turn it purple, name its window, clear it.
const EVIL: &str = "\\u001b[7;35m\\u001b]0;mine\\u0007\\u009b2J\\u202e";

#[test]
fn no_text_reaches_the_terminal_but_as_text() {
    let folder = folder("terminal");
    let path = folder.join("evil.toml");
    let mut game = fs::read_to_string(RARE).unwrap();
    for (from, to) in [
        (
            "\"Rare\"",
            format!("\"Rare{EVIL}\"\nauthor = \"A{EVIL}\"\nsummary = \"S{EVIL}\"\nsource = \"H{EVIL}\""),
        ),
        ("\"{to}\"", format!("\"{{to}}{EVIL}\"")),
        ("\"four sites\"", format!("\"four{EVIL}\"")),
        ("[turn]", format!("[options.more]\nsummary = \"O{EVIL}\"\n[turn]")),
    ] {
        assert!(game.contains(from));
        game = game.replacen(from, &to, 1);
    }
    fs::write(&path, &game).unwrap();
    let wrong = folder.join("wrong.toml");
    fs::write(&wrong, format!("{game}\n[\"evil{EVIL}\"]\n\"{EVIL}\" = \"{EVIL}\"\n")).unwrap();
    let raw = "\u{1b}[7;35m\u{1b}]0;mine\u{7}\u{9b}2J\u{202e}";
    let record = folder.join("record.jsonl");
    fs::write(&record, format!("{{\"game\":\"x{EVIL}\"}}\n{{\"game\":\"tic-tac-toe\"}}\n{{\"ply\":1,\"by\":\"{EVIL}\",\"legal\":9,\"move\":\"{EVIL}\"}}\n")).unwrap();
    let (path, wrong, record) = (text(&path), text(&wrong), text(&record));
    for args in [
        &["show", path][..],
        &["describe", path],
        &["check", path, wrong],
        &["test", path],
        &["playout", path],
        &["playout", path, "--record"],
        &["perft", path, "2", "--divide"],
        &["play", path],
        &["diff", path, RARE],
        &["diff", RARE, path, "--side-by-side"],
        &["distinguish", path, RARE],
        &["compare", "--levels", "none", path, "--games", "2"],
        &["compare", "--levels", "none", path, "--games", "2", "--jsonl", raw, "--csv", "no/such/folder"],
        &["matrix", "--levels", "none", path, "--options", "more", "--games", "2"],
        &["show", wrong],
        &["replay", record],
        &["replay", raw],
        &["show", raw],
        &["show", path, "--setup", raw],
        &["show", path, "--with", raw],
        &["perft", path, "1", "--after", raw],
        &["compare", "--levels", "none", "tic-tac-toe", "--metrics", raw],
        &["help", raw],
        &[raw],
        &["show", path, raw],
    ] {
        for format in ["text", "json"] {
            let input = format!("{raw}\nmoves\nboard\nposition\nhelp\nquit\n");
            let mut command = program(&[args, &["--format", format]].concat());
            let ran = ran(command.env("CLICOLOR_FORCE", "1").write_stdin(input));
            let said = ran.out + &ran.err;
            assert!(!said.is_empty(), "{args:?}");
            assert!(!said.contains("\u{1b}[7;35m"), "{args:?}: {said:?}");
            // Farrier's own colours are all that is left.
            let plain =
                |text: &str| text.chars().all(|c| (!c.is_control() || "\n\t".contains(c)) && c != '\u{202e}');
            let mut parts = said.split('\u{1b}');
            assert!(parts.next().is_none_or(plain), "{args:?}: {said:?}");
            for part in parts {
                let (colour, rest) = part.split_once('m').expect("a colour");
                let is_colour = |c: char| c.is_ascii_digit() || c == ';';
                assert!(
                    colour.strip_prefix('[').is_some_and(|c| c.chars().all(is_colour)),
                    "{args:?}: {said:?}"
                );
                assert!(plain(rest), "{args:?}: {said:?}");
            }
        }
    }
    // A record says what it said.
    let saved = folder.join("evil.jsonl");
    fs::write(&saved, fine(&["playout", path, "--record", "--count", "3"])).unwrap();
    assert!(fine(&["replay", text(&saved)]).ends_with("all as recorded\n"));
}
