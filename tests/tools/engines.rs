//! Engines that do what they should not.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use farrier::cli::engines::{self, Engine, Patience, Start};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::matches::Table;
use farrier::play::Rng;
use farrier::search::{Agent, AgentError, Budget, Found, Thought};
use farrier::source::MemoryFiles;

const SHORT: Patience = Patience {
    greeting: Duration::from_secs(4),
    second: Duration::from_millis(300),
    ready: Duration::from_secs(2),
    late: Duration::from_millis(300),
    silent: Duration::from_millis(500),
};

fn words(how: &str) -> String {
    format!("sh '{}/tests/tools/engines/fake.sh' {how}", env!("CARGO_MANIFEST_DIR"))
}

fn game() -> Game {
    // What the script plays: three in a row on nine squares.
    let text = r#"
        name    = "Rows"
        players = ["x", "o"]
        board   = { square = [3, 3] }
        pieces  = { mark = { letter = "m" } }
        turn    = { main = "place", stuck = "draw" }
        [decisions.place]
        choose = "to in vacant"
        do     = "put own mark at to"
        text   = "{to}"
        [end.row]
        when   = "some line(own, 3)"
        result = "mover wins"
    "#;
    let files = MemoryFiles::default().with("./rows.toml", text);
    Game::open("./rows.toml", &files, &Choices::default()).unwrap()
}

fn engine(words: &str) -> Result<Engine, AgentError> {
    engines::start(&game(), &Start::Own, words, SHORT)
}

fn clock() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// What an engine answers in a position with a budget: its move, or the sentence; and what it told.
fn asked(engine: &mut Engine, moves: &str, budget: &str) -> (Result<String, String>, Option<Found>) {
    let mut table = Table::new(game()).unwrap();
    table.begin(None, 1).unwrap();
    for word in moves.split_whitespace() {
        table.play_text(word).unwrap();
    }
    let game = table.game.clone();
    let (mut rng, mut told) = (Rng::new(1), None);
    let mut tell = |found: &Found| told = Some(found.clone());
    let mut thought = Thought::new(&mut rng, Budget::parse(budget).unwrap().limit(Some(clock)));
    thought.tell = Some(&mut tell);
    let (machine, at) = table.ask();
    let found = engine.choose(machine, at, &mut thought);
    (found.map(|number| game.move_text(number)).map_err(|forfeit| forfeit.reason), told)
}

fn sentence(how: &str, budget: &str) -> String {
    let mark = Mark::new(how);
    let mut engine = engine(&mark.words()).unwrap();
    let begun = Instant::now();
    let said = asked(&mut engine, "", budget).0.unwrap_err();
    drop(engine);
    mark.assert_nothing_is_left();
    assert!(begun.elapsed() < Duration::from_secs(20), "{how} took too long");
    said
}

/// A file into which an engine writes what it is told. Its name tells the processes of one engine from all others.
struct Mark {
    how: String,
    file: PathBuf,
}

impl Mark {
    fn new(how: &str) -> Mark {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("farrier-engine-{}-{number}", std::process::id());
        Mark { how: how.to_owned(), file: std::env::temp_dir().join(name) }
    }

    fn words(&self) -> String {
        words(&format!("{} '{}'", self.how, self.file.display()))
    }

    /// Where the system has no list of processes nothing can be said.
    fn assert_nothing_is_left(&self) {
        let mark = self.file.to_str().unwrap().as_bytes();
        let runs = || -> Vec<PathBuf> {
            let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
            let named = |place: &PathBuf| {
                ["cmdline", "environ"].iter().any(|of| {
                    let words = std::fs::read(place.join(of)).unwrap_or_default();
                    words.windows(mark.len()).any(|part| part == mark)
                })
            };
            all.map(|entry| entry.path()).filter(named).collect()
        };
        let begun = Instant::now();
        // What is killed is gone a moment later.
        while !runs().is_empty() && begun.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(runs(), Vec::<PathBuf>::new(), "{}: a process is left", self.how);
        let _ = std::fs::remove_file(&self.file);
    }
}

#[test]
fn an_engine_plays() {
    for how in ["well", "ugi"] {
        let mut engine = engine(&words(how)).unwrap();
        assert_eq!(asked(&mut engine, "", "10").0.unwrap(), "b2");
        let (chosen, told) = asked(&mut engine, "b2 a1", "50ms");
        assert_eq!(chosen.unwrap(), "b1");
        let told = told.unwrap();
        assert_eq!((told.value, told.proved, told.line.len(), told.nodes), (1.0, Some(1), 1, 9));
    }
}

#[test]
fn what_goes_wrong_is_said() {
    for (how, budget, part) in [
        ("crash", "10", "is gone: it ended (exit status: 7)"),
        ("closes", "10", "is gone: it closed its output"),
        ("hang", "20ms", "gave no move 0 s after its time"),
        ("hang", "10", "said nothing for 0 s"),
        ("flood", "20ms", "gave no move"),
        ("lie", "10", "gave the move `z9`, which is not legal"),
        ("none", "10", "gave the move `(none)`, which is not legal (it said: there is no game)"),
        ("empty", "10", "gave the move ``"),
        ("binary", "10", "which is not legal"),
    ] {
        let said = sentence(how, budget);
        assert!(said.starts_with("the engine `sh` ") && said.contains(part), "{how}: {said}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn what_is_no_engine_is_refused() {
    for (how, part) in [
        ("dead", "speaks neither UCI nor UGI: it ended (exit status: 3)"),
        ("mute", "did not answer in time"),
        ("babbles", "it prints other things"),
        ("endless", "prints a line without an end"),
        ("deaf", "was not ready"),
        ("unready", "was not ready"),
    ] {
        let begun = Instant::now();
        let mark = Mark::new(how);
        let said = engine(&mark.words()).err().unwrap().message;
        mark.assert_nothing_is_left();
        assert!(said.contains(part), "{how}: {said}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{how} took too long");
    }
    let said = engine("/no/such/program").err().unwrap().message;
    assert!(said.starts_with("the engine `/no/such/program` cannot be started"), "{said}");
}

/// One that broke down is started again.
#[test]
fn it_is_started_again() {
    let mark = Mark::new("crash");
    let words = format!("{} ; Skill Level = 3 ; Clear Hash", mark.words());
    let mut engine = engine(&words).unwrap();
    assert!(asked(&mut engine, "", "10").0.is_err());
    engine.forget();
    assert!(asked(&mut engine, "b2", "10").0.is_err());
    drop(engine);
    let said = std::fs::read_to_string(&mark.file).unwrap();
    let once = "uci\nsetoption name Skill Level value 3\nsetoption name Clear Hash\nisready\nucinewgame\n";
    let first = format!("{once}position startpos\nisready\ngo nodes 10\n");
    assert_eq!(said, format!("{first}{once}position startpos moves b2\nisready\ngo nodes 10\n"));
    mark.assert_nothing_is_left();
}

/// Neither one that will not quit nor what another one has started outlives the game.
#[test]
fn no_process_is_left() {
    for how in ["well", "stubborn", "breeds"] {
        let mark = Mark::new(how);
        let mut engine = engine(&mark.words()).unwrap();
        assert_eq!(asked(&mut engine, "", "10").0.unwrap(), "b2");
        let begun = Instant::now();
        drop(engine);
        assert!(begun.elapsed() < Duration::from_secs(3), "{how} took too long");
        mark.assert_nothing_is_left();
    }
}
