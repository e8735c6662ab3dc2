//! Loads a game and plays it: two moves by their texts, the rest at random.
//!
//! `cargo run --example play [VARIANT]`, such as `chess` or `hex:size=7`.

use std::error::Error;

use farrier::analysis::playout::outcome_name;
use farrier::play::Rng;
use farrier::session::Session;
use farrier::shipped::Shipped;
use farrier::variant::Variant;

fn main() -> Result<(), Box<dyn Error>> {
    let word = std::env::args().nth(1).unwrap_or_else(|| "connect-four".to_owned());
    let variant: Variant = word.parse()?;
    let game = variant.open(&Shipped)?;
    let mut session = Session::new(game, None, 1)?;

    // What people type is read among the legal moves.
    for _ in 0..2 {
        let legal = session.game().move_texts(session.moves());
        println!("legal: {}", legal.join(" "));
        let Some(text) = legal.first() else { break };
        session.play_text(text)?;
        println!("played {text}: {}", session.position_text());
    }

    let mut rng = Rng::new(1);
    while session.outcome().is_none() && session.played().len() < 2000 {
        let drawn = rng.pick(session.moves().len());
        let Some(number) = session.moves().nth(drawn) else { break };
        session.play(number);
    }
    println!("after {} plies: {}", session.played().len(), session.position_text());
    let outcome = session.outcome();
    println!("result: {}", outcome_name(session.game(), outcome));
    Ok(())
}
