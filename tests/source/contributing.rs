//! Every file and folder that `CONTRIBUTING.md` names is there, every test program too.

use std::path::Path;

const PAGE: &str = include_str!("../../CONTRIBUTING.md");
/// Names the test programs that lie elsewhere.
const MANIFEST: &str = include_str!("../../Cargo.toml");

/// The words in backticks, outside of fences.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The paths among them: no command, no space, and a `/` or the ending of a file.
fn paths(text: &str) -> Vec<&str> {
    let is_file = |word: &str| [".rs", ".md", ".toml", ".pest"].iter().any(|end| word.ends_with(end));
    let words = quoted(text).filter(|word| !word.contains(char::is_whitespace));
    words.filter(|word| word.contains('/') || is_file(word)).collect()
}

/// What is not there.
fn missing<'t>(text: &'t str, root: &Path) -> Vec<&'t str> {
    paths(text).into_iter().filter(|path| !root.join(path).exists()).collect()
}

#[test]
fn paths_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(paths(PAGE).len() > 40, "{:?}", paths(PAGE));
    assert_eq!(missing(PAGE, root), Vec::<&str>::new());
    let text = "`src/none.rs`, `README.md`, `Stmt`, `tests/none`, `cargo test a/b`";
    assert_eq!(missing(text, root), ["src/none.rs", "tests/none"]);
}

#[test]
fn test_programs_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let commands = || quoted(PAGE).filter_map(|words| words.split_once("--test ")?.1.split(' ').next());
    assert!(commands().count() > 5);
    for name in commands() {
        let usual = [format!("{name}/main.rs"), format!("{name}.rs")];
        let elsewhere = MANIFEST.contains(&format!("[[test]]\nname = \"{name}\"\n"));
        let there = elsewhere || usual.iter().any(|place| root.join(place).exists());
        assert!(there, "there is no test program `{name}`");
    }
}
