//! Records played by independent implementations replay without a difference.

use std::path::Path;

use farrier::analysis::replay;
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::notation::record::Record;
use farrier::shipped::Shipped;
use farrier::source::Sources;

#[test]
fn every_trace_replays() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 65, "the traces are there: {}", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let record = Record::read(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let choices = Choices { set: replay::choices(&record.header), ..Choices::default() };
        let (game, found) = Game::load(&record.header.game, &Shipped, &choices, &mut Sources::default());
        let Some(game) = game else {
            wrong.push(format!("{name}: {:?}", found.0));
            continue;
        };
        if let Err(d) = replay::verify(&game, &record) {
            wrong.push(format!("{name}, ply {}: {}", d.ply, d.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
