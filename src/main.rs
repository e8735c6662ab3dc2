//! The command line of Farrier.
use farrier::*;
fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (g, d) = game::Game::load(&name, &shipped::Shipped, &Default::default(), &mut Default::default());
    println!("{d:?}");
    if let Some(g) = g {
        println!("{}", program::listing(&g.program));
    }
}
