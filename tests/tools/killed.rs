//! Farrier is killed at random moments, while a game or a match is played. What it had said is kept, every record
//! opens, and the game or the match goes on to the same end as without.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use farrier::play::Rng;
use serde_json::Value;

/// How often each is killed.
const KILLS: usize = 50;

/// A folder that is there as long as this.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("farrier-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn farrier(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

fn fine(args: &[&str]) -> String {
    let output = farrier(args).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{args:?}: {out}{err}");
    out.into_owned()
}

/// Moments that no run has again.
fn moments() -> Rng {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Rng::new(now.as_nanos() as u64)
}

/// Kills it as `kill -9` does, some random time from now.
fn kill(child: &mut Child, moments: &mut Rng) {
    let until = Instant::now() + Duration::from_micros(moments.pick(3000) as u64);
    while Instant::now() < until {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The texts of the plies in the last record of a file. Of all lines but the last one that is not whole is a mistake.
fn plies(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines: Vec<Value> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.iter().filter_map(|line| Some(line.get("move")?.as_str()?.to_owned())).collect()
}

#[test]
fn a_game_that_is_killed_loses_at_most_the_ply_at_hand() {
    let folder = Folder::new("killed-play");
    let mut moments = moments();
    let seats = ["--as", "white=flat:40,black=flat:40", "--clock", "1h"];
    let (mut number, mut kills) = (0, 0);
    while kills < KILLS {
        number += 1;
        let name = folder.file(&format!("{number}.jsonl"));
        let file = Path::new(&name);
        // Whether this game has been killed; then it is gone on with.
        let mut known: Vec<String> = Vec::new();
        let mut goes_on = false;
        loop {
            let seed = moments.pick(1000).to_string();
            let how = if goes_on { ["play", "--resume"] } else { ["play", "knights-and-pawns"] };
            let args = match goes_on {
                true => [&how[..], &[&name, "--seed", &seed]].concat(),
                false => [&how[..], &seats, &["--record", &name, "--seed", &seed]].concat(),
            };
            let mut child = farrier(&args).stdout(Stdio::piped()).spawn().unwrap();
            let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
            let most = moments.pick(12);
            let said = |line: &String| {
                let by = ["white", "black"].into_iter().find_map(|by| line.strip_prefix(by))?;
                Some(by.strip_prefix(" plays ")?.to_owned())
            };
            let heard: Vec<String> = told.by_ref().filter_map(|line| said(&line)).take(most).collect();
            let is_over = heard.len() < most;
            if !is_over {
                kill(&mut child, &mut moments);
                kills += 1;
            }
            // All that had been told by then.
            let heard: Vec<String> = heard.into_iter().chain(told.filter_map(|line| said(&line))).collect();
            child.wait().unwrap();
            let kept = plies(file);
            let expected: Vec<String> = known.iter().chain(&heard).cloned().collect();
            assert!(kept.starts_with(&expected), "told {expected:?}, kept {kept:?}");
            assert!(kept.len() <= expected.len() + 1, "told {expected:?}, kept {kept:?}");
            // A file that has no header yet is no record, and is begun anew.
            goes_on = !kept.is_empty() || fs::read_to_string(file).is_ok_and(|text| text.contains('\n'));
            if !goes_on {
                let _ = fs::remove_file(file);
            }
            known = kept;
            if is_over || kills >= KILLS {
                break;
            }
        }
        // The record opens, and the game comes to its end.
        if goes_on {
            fine(&["play", "--resume", &name]);
            assert!(fine(&["replay", &name]).ends_with("all as recorded\n"));
            assert!(plies(file).starts_with(&known));
        }
    }
}

#[test]
fn a_match_that_is_killed_goes_on() {
    let folder = Folder::new("killed-match");
    let mut moments = moments();
    let base =
        ["match", "tic-tac-toe", "--players", "flat:60", "flat:30", "--games", "200", "--format", "json"];
    let whole = folder.file("whole");
    let expected = fine(&[&base[..], &["--records", &whole]].concat());
    let (mut number, mut kills) = (0, 0);
    while kills < KILLS {
        number += 1;
        let (log, records) = (folder.file(&format!("log{number}")), folder.file(&format!("records{number}")));
        let args = [&base[..], &["--resume", &log, "--records", &records]].concat();
        let games = || fs::read(&log).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
        let mut known = 0;
        while kills < KILLS {
            let mut child = farrier(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let most = known + moments.pick(6);
            while games() < most && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(200));
            }
            kills += usize::from(child.try_wait().unwrap().is_none());
            kill(&mut child, &mut moments);
            let now = games();
            assert!(now >= known, "games were lost: {known} before, {now} now");
            known = now;
            // Records are written when all is played, at one moment.
            match fs::read(&records) {
                Ok(written) => {
                    assert_eq!(written, fs::read(&whole).unwrap());
                    break;
                }
                Err(_) => continue,
            }
        }
        assert_eq!(fine(&args), expected);
        assert_eq!(fs::read(&records).unwrap(), fs::read(&whole).unwrap());
        assert!(fine(&["replay", &records]).starts_with("200 records, "));
    }
}

/// A match that is told to end by a signal takes its engines with it, also those that would not go.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_engines_too() {
    let folder = Folder::new("killed-engines");
    for (how, signal) in [("stubborn", "INT"), ("breeds", "TERM"), ("hang", "HUP")] {
        let (mark, log) = (folder.file(how), folder.file(&format!("{how}.log")));
        let engine = format!("engine:3600s:sh tests/tools/engines/fake.sh {how} '{mark}'");
        let args =
            ["match", "tic-tac-toe", "--players", &engine, "flat:20", "--games", "100000", "--resume", &log];
        let mut child = farrier(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let asked = || fs::read_to_string(&mark).is_ok_and(|said| said.contains("\ngo "));
        while !asked() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the engine was not asked");
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(!running(&mark).is_empty());
        let told = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(told.success());
        let status = child.wait().unwrap();
        assert!(std::os::unix::process::ExitStatusExt::signal(&status).is_some(), "{how}: {status}");
        while !running(&mark).is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{how}: {:?} is left", running(&mark));
            std::thread::sleep(Duration::from_millis(2));
        }
        // Being ended is no game that the engine lost.
        assert!(!fs::read_to_string(&log).unwrap_or_default().contains("forfeit"), "{how}");
    }
}

/// The processes that have a word among theirs.
#[cfg(target_os = "linux")]
fn running(mark: &str) -> Vec<PathBuf> {
    let own = Path::new("/proc").join(std::process::id().to_string());
    let named = |place: &PathBuf| {
        let words = |of: &str| fs::read(place.join(of)).unwrap_or_default();
        let has = |of: &str| words(of).windows(mark.len()).any(|part| part == mark.as_bytes());
        *place != own && !words("cmdline").starts_with(b"kill") && (has("environ") || has("cmdline"))
    };
    fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path()).filter(named).collect()
}
