//! Many games at once against `farrier serve` on this machine: how long a move's answer takes.
//!
//! `cargo bench --features bench --bench serve -- [GAMES] [MOVES] [VARIANT...]`: so many games (500), each with a
//! socket of its own, plays so many random moves (40), each asked for as soon as the one before is answered. Prints the
//! answers in a second and the times of answers in milliseconds: median, 95th and 99th of a hundred, longest.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a measurement that cannot go on must stop, loudly"
)]

use std::io::BufRead;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use farrier::play::Rng;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// One answer over a socket that stays open.
async fn ask(socket: &mut TcpStream, port: u16, table: &Value) -> Value {
    let body = table.to_string();
    let head = format!(
        "POST /api/table HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all((head + &body).as_bytes()).await.expect("a server");
    let (mut bytes, mut part) = (Vec::new(), [0u8; 16 << 10]);
    loop {
        let read = socket.read(&mut part).await.expect("an answer");
        assert!(read > 0, "the server closed the socket");
        bytes.extend(&part[..read]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.split("content-length:").nth(1).expect("a length");
        let length: usize = length.split("\r\n").next().unwrap().trim().parse().expect("a length");
        if bytes.len() == end + 4 + length {
            assert!(head.starts_with("http/1.1 200"), "{head}");
            return serde_json::from_slice(&bytes[end + 4..]).expect("JSON");
        }
    }
}

/// Plays one game; how long each answer took.
async fn play(port: u16, variant: String, seed: u64, most: usize, pause: Duration) -> Vec<Duration> {
    let mut rng = Rng::new(seed);
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await.expect("a socket");
    let mut table = json!({ "variant": variant, "seed": seed, "moves": [], "chosen": [] });
    let mut times = Vec::new();
    while times.len() < most {
        tokio::time::sleep(pause.mul_f64((rng.bits() % 1000) as f64 / 500.0)).await;
        let begun = Instant::now();
        let seen = ask(&mut socket, port, &table).await;
        times.push(begun.elapsed());
        let plies = seen["plies"].as_array().unwrap().iter().map(|ply| ply["text"].clone());
        let mut moves: Vec<Value> = plies.collect();
        let mut chosen = seen["chosen"].as_array().unwrap().clone();
        let (targets, entries) = (seen["targets"].as_array().unwrap(), seen["entries"].as_array().unwrap());
        if !targets.is_empty() {
            chosen.push(json!({ "site": targets[rng.pick(targets.len())] }));
        } else if let Some(entry) = (!entries.is_empty()).then(|| &entries[rng.pick(entries.len())]) {
            match &entry["part"] {
                Value::Null => {
                    moves.push(entry["text"].clone());
                    chosen.clear();
                }
                part => chosen.push(part.clone()),
            }
        } else if let Value::String(text) = &seen["chance"] {
            moves.push(json!(text));
        } else {
            (moves, chosen) = (Vec::new(), Vec::new());
        }
        table["moves"] = json!(moves);
        table["chosen"] = json!(chosen);
    }
    times
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let number =
        |place: usize, usual: usize| words.get(place).map_or(usual, |w| w.parse().expect("a number"));
    let (games, moves) = (number(0, 500), number(1, 40));
    let mut variants: Vec<String> = words.into_iter().skip(2).collect();
    if variants.is_empty() {
        let all = ["knights-and-pawns+switch-move", "knightcap", "knight-fight", "knightshade", "chess"];
        variants = all.map(str::to_owned).to_vec();
    }
    let mut server = Command::new(env!("CARGO_BIN_EXE_farrier"))
        .args(["serve", "--port", "0", "--format", "json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    std::io::BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).expect("an address");
    let said: Value = serde_json::from_str(&line).expect("JSON");
    let address = said["address"].as_str().unwrap().trim_end_matches('/').to_owned();
    let port: u16 = address.rsplit(':').next().unwrap().parse().expect("a port");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    // A person needs a second for a move; these do not: once as fast as it goes, once with a second between moves.
    for (what, pause) in
        [("without a pause", Duration::ZERO), ("a second between moves", Duration::from_secs(1))]
    {
        let begun = Instant::now();
        let all = (0..games).map(|game| {
            let variant = variants[game % variants.len()].clone();
            runtime.spawn(play(port, variant, game as u64 + 1, moves, pause))
        });
        let all: Vec<_> = all.collect();
        let mut times: Vec<Duration> = runtime.block_on(async {
            let mut times = Vec::new();
            for game in all {
                times.extend(game.await.expect("every move is answered"));
            }
            times
        });
        let seconds = begun.elapsed().as_secs_f64();
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
        println!(
            "{games} games, {what}: {} answers, {:.0} a second; median {:.1} ms, 95th {:.1}, 99th {:.1}, longest {:.1}",
            times.len(),
            times.len() as f64 / seconds,
            at(0.5),
            at(0.95),
            at(0.99),
            at(1.0)
        );
    }
    let _ = server.kill();
    let _ = server.wait();
}
