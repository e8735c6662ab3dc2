//! The programs written by hand: an outside program that is built and run.
//!
//! ```text
//! native perft GAME DEPTH [--opt NAME=true ...] [--setup TEXT]     prints a line for each depth:
//!     perft(5) 4865609  wall 0.060 s  cpu 0.060 s  81.9 Mnodes/s
//! native playouts GAME --seconds S [--opt ...] [--setup TEXT]
//!     playouts 17793  ...  17793 playouts/s  7.131 Mplies/s  mean length 400.77
//! ```
//!
//! Both rates are of a second of processor time, and perft makes every leaf.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Slice;

/// The program, built.
pub struct Native {
    /// Where its source is.
    pub folder: String,
    program: PathBuf,
}

impl Native {
    /// Builds what `FARRIER_NATIVE` names, or says why it cannot.
    pub fn find() -> Result<Native, String> {
        let folder = std::env::var("FARRIER_NATIVE")
            .map_err(|_| "`FARRIER_NATIVE` does not say where they are".to_owned())?;
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
        // Its own settings hold where cargo runs in its folder and is told nothing else.
        let built = Command::new("cargo")
            .args(["build", "--release", "--quiet"])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", &target)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .status()
            .map_err(|e| format!("`{folder}` cannot be built: {e}"))?;
        if !built.success() {
            return Err(format!("`{folder}` does not build"));
        }
        let program = target.join("release").join(format!("native{}", std::env::consts::EXE_SUFFIX));
        Ok(Native { folder, program })
    }

    /// Playouts for so many seconds.
    pub fn playouts(&self, game: &str, options: &[&str], setup: Option<String>, seconds: f64) -> Slice {
        let out = self.run(&["playouts", game, "--seconds", &seconds.to_string()], options, setup);
        let line = out.lines().find(|l| l.contains(" playouts/s")).expect("a line of playouts");
        Slice { rate: before(line, "playouts/s"), size: after(line, "length") }
    }

    /// Perft until so many seconds have gone by.
    pub fn perft(
        &self,
        game: &str,
        options: &[&str],
        setup: Option<String>,
        depth: u32,
        seconds: f64,
    ) -> Slice {
        let began = std::time::Instant::now();
        let (mut nodes, mut times, mut size) = (0.0, 0.0, 0.0);
        while nodes == 0.0 || began.elapsed().as_secs_f64() < seconds {
            let out = self.run(&["perft", game, &depth.to_string()], options, setup.clone());
            let line = out.lines().last().expect("a line of perft");
            size = after(line, &format!("perft({depth})"));
            nodes += size;
            times += size / before(line, "Mnodes/s") / 1e6;
        }
        Slice { rate: nodes / times, size }
    }

    fn run(&self, args: &[&str], options: &[&str], setup: Option<String>) -> String {
        let mut command = Command::new(&self.program);
        command.args(args);
        command.args(options.iter().flat_map(|o| ["--opt".to_owned(), format!("{o}=true")]));
        if let Some(text) = setup {
            command.args(["--setup", &text]);
        }
        let output = command.output().expect("the program written by hand runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// The number before a word.
fn before(line: &str, word: &str) -> f64 {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|w| *w == word).expect("the word");
    words[at - 1].parse().expect("a number")
}

/// The number after a word.
fn after(line: &str, word: &str) -> f64 {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|w| *w == word).expect("the word");
    words[at + 1].parse().expect("a number")
}
