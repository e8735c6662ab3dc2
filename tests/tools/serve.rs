//! The server of the page: what it answers, and whom it refuses.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server in a folder of its own.
struct Server {
    child: Child,
    port: u16,
    folder: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: its code, its head, and its body.
struct Answer {
    code: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}: {}", self.code, self.body))
    }
}

impl Server {
    fn start(name: &str, more: &[&str]) -> Server {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("inside")).unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/knightthrough.toml");
        std::fs::copy(shipped, folder.join("mine.toml")).unwrap();
        std::fs::write(folder.parent().unwrap().join("secret.toml"), "name = \"treasure\"").unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
            .current_dir(&folder)
            .args(["serve", "--port", "0", "--format", "json"])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("an address");
        let address = said["address"].as_str().unwrap();
        let port = address.rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
        Server { child, port, folder }
    }

    /// Sends bytes and reads all that comes back.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // What is refused early is answered before all of it is sent.
        let _ = socket.write_all(request);
        let mut bytes = Vec::new();
        let _ = socket.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Answer { code, head: head.to_lowercase(), body: unchunked(head, body) }
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: localhost:{}\r\n", self.port),
        };
        let length = body.len();
        self.raw(
            format!(
                "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", "")
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.ask(method, path, "Content-Type: application/json\r\n", &body.to_string())
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body)
    }
}

/// A body that came in chunks, as a whole.
fn unchunked(head: &str, body: &str) -> String {
    if !head.to_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut out, mut rest) = (String::new(), body);
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        out += &more[..size];
        rest = &more[size + 2..];
    }
    out
}

#[test]
fn a_game_is_played_part_by_part() {
    let server = Server::start("played", &[]);
    let table = |more: Value| {
        let mut table = json!({ "variant": "tic-tac-toe", "seed": 1, "moves": [] });
        table.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/table", &table).json()
    };
    let seen = table(json!({}));
    assert_eq!(seen["targets"].as_array().unwrap().len(), 9);
    assert!(seen["svg"].as_str().unwrap().contains("data-site=\"b2\""));
    // A whole choice is played.
    let seen = table(json!({ "chosen": [{ "site": "b2" }] }));
    assert_eq!(seen["plies"][0]["text"], "b2");
    assert_eq!(seen["sites"].as_array().unwrap().iter().filter(|s| s["last"] == true).count(), 1);
    // What is typed too, and what is wrong is said.
    assert_eq!(table(json!({ "typed": " B2 " }))["plies"].as_array().unwrap().len(), 1);
    assert!(table(json!({ "typed": "z9" }))["mistyped"].is_string());
    let all = ["b2", "a1", "a2", "b1", "c2"];
    let over = table(json!({ "moves": all }));
    assert_eq!((&over["over"]["winner"], over["targets"].as_array().unwrap().len()), (&json!(0), 0));
    // Of moves that are not legal the first is told, with the position before it.
    let stuck = table(json!({ "moves": ["b2", "b2", "a1"] }));
    assert_eq!((&stuck["illegal"]["ply"], stuck["plies"].as_array().unwrap().len()), (&json!(1), 1));
    let first = table(json!({ "moves": ["b2"], "resigned": 1 }));
    assert_eq!(first["over"]["winner"], 0);
    let nobody = table(json!({ "moves": ["b2"], "resigned": 200 }));
    assert!(nobody["error"].as_str().unwrap().contains("no player 200"), "{nobody}");
    // Its end is told in words.
    assert_eq!(over["over"]["why"], "the game is over: three");
    // Two decisions are led one after the other.
    let led = json!({ "variant": "./mine.toml", "moves": [], "chosen": [{ "site": "a1" }] });
    let led = server.post("/api/table", &led).json();
    assert_eq!((&led["chosen"], &led["targets"]), (&json!([{ "site": "a1" }]), &json!(["b3"])));
    assert_eq!(led["prompt"], "white, move: a1 to? an empty site");
    // A direction is chosen by the site that lies there too.
    let push = |word: Value| {
        let table = json!({ "variant": "abalone", "moves": [], "chosen": [{ "site": "c3" }, word] });
        server.post("/api/table", &table).json()["plies"].clone()
    };
    assert_eq!(push(json!({ "site": "c4" }))[0]["text"], "c3n");
    assert_eq!(push(json!({ "direction": "n" })), push(json!({ "site": "c4" })));
    // What a player has in hand is told with the player.
    let moves = ["e2e4", "d7d5", "e4d5", "d8d5"];
    let seen = server.post("/api/table", &json!({ "variant": "crazyhouse", "moves": moves })).json();
    let hand = |player: u8| json!({ "name": "hand", "player": player, "of": "pawn", "value": "1" });
    assert_eq!(seen["state"], json!([hand(0), hand(1)]));
    // What the next player could take is told.
    let table = json!({ "variant": "chess", "moves": ["e2e4", "d7d5"] });
    let seen = server.post("/api/table", &table).json();
    let marked = seen["sites"].as_array().unwrap().iter().filter(|site| site["threatened"] == true);
    assert_eq!(marked.map(|site| site["name"].as_str().unwrap()).collect::<Vec<_>>(), ["e4"]);
}

#[test]
fn sides_and_persons_are_told_apart() {
    let server = Server::start("sides", &[]);
    let table = |more: Value| {
        let mut table = json!({ "variant": "hex:size=3", "moves": ["a3", "swap", "b2"] });
        table.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/table", &table).json()
    };
    let seen = table(json!({ "moves": ["a3", "swap"] }));
    assert_eq!((&seen["mover"], &seen["person"], &seen["persons"]), (&json!(1), &json!(0), &json!([1, 0])));
    let plies: Vec<Value> = table(json!({}))["plies"].as_array().unwrap().clone();
    let by: Vec<(&Value, &Value)> = plies.iter().map(|ply| (&ply["by"], &ply["person"])).collect();
    let [red, blue, zero, one] = [json!("red"), json!("blue"), json!(0), json!(1)];
    assert_eq!(by, [(&red, &zero), (&blue, &one), (&blue, &zero)]);
    // Who resigns is a player, as the terminal has it.
    let over = table(json!({ "resigned": 1 }));
    assert_eq!((&over["over"]["why"], &over["over"]["winner"]), (&json!("blue resigned"), &json!(0)));
    let late = table(json!({ "resigned": 1, "late": true }));
    assert_eq!((&late["over"]["why"], &late["over"]["winner"]), (&json!("blue had no time left"), &json!(0)));
}

#[test]
fn chance_is_the_same_after_the_same_moves() {
    let server = Server::start("chance", &[]);
    let seen = |seed: u64| {
        let table = json!({ "variant": "knight-fight", "seed": seed, "moves": [] });
        server.post("/api/table", &table).json()
    };
    assert_eq!(seen(3)["svg"], seen(3)["svg"]);
    assert_ne!(seen(3)["svg"], seen(4)["svg"]);
}

#[test]
fn agents_think_and_engines_do_not_run() {
    let server = Server::start("think", &[]);
    let ask = |agent: &str, moves: Value| {
        let question = json!({ "variant": "tic-tac-toe", "moves": moves, "agent": agent });
        server.post("/api/think", &question)
    };
    let answer = ask("mcts:3000", json!(["a1", "b2", "b1"]));
    let last: Value = serde_json::from_str(answer.body.lines().last().unwrap()).unwrap();
    assert_eq!(last["move"], "c1");
    let answer = ask("random", json!(["a1", "a1"]));
    assert!(answer.body.contains("\"error\":\"move 2: "), "{}", answer.body);
    assert_eq!(ask("engine:1s:touch bad", json!([])).code, 422);
    assert!(!server.folder.join("bad").exists());
    assert!(ask("nobody:1s", json!([])).json()["error"].as_str().unwrap().contains("nobody"));
}

#[test]
fn only_this_page_may_ask() {
    let server = Server::start("guard", &["--host", "games.example"]);
    let port = server.port;
    for (headers, code) in [
        (format!("Host: localhost:{port}\r\n"), 200),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"), 200),
        ("Host: games.example\r\nOrigin: https://games.example\r\n".to_owned(), 200),
        ("Host: evil.example\r\n".to_owned(), 403),
        (format!("Host: evil.example:{port}\r\n"), 403),
        (format!("Host: localhost:{port}\r\nOrigin: http://evil.example\r\n"), 403),
        (format!("Host: localhost:{port}\r\nOrigin: null\r\n"), 403),
        (format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}.evil.example\r\n"), 403),
        (format!("Host: localhost:{port}\r\nHost: localhost:{port}\r\n"), 403),
        (format!("Host: localhost:{port}\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\n"), 200),
        (
            format!("Host: localhost:{port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
            200,
        ),
        (format!("Host: localhost:{port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403),
        (format!("Host: localhost:{port}\r\nSec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403),
    ] {
        assert_eq!(server.ask("GET", "/api/about", &headers, "").code, code, "{headers}");
    }
    let page = server.get("/");
    assert!(
        page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
        "{}",
        page.head
    );
    assert!(page.head.contains("x-content-type-options: nosniff"));
    assert!(page.head.contains("cross-origin-resource-policy: same-origin"));
    // A form of another site can send this without asking; it is no JSON.
    let plain = server.ask("POST", "/api/table", "Content-Type: text/plain\r\n", r#"{"variant":"chess"}"#);
    assert_eq!(plain.code, 415);
}

#[test]
fn what_is_hostile_is_refused_and_the_server_still_answers() {
    let server = Server::start("hostile", &[]);
    let json = "Content-Type: application/json\r\n";
    let large = format!("{{\"variant\":\"{}\"}}", "x".repeat(4 << 20));
    assert_eq!(server.ask("POST", "/api/table", json, &large).code, 413);
    for wrong in ["{", "[]", "null", r#"{"variant":7}"#, "\u{0}"] {
        let code = server.ask("POST", "/api/table", json, wrong).code;
        assert!((400..500).contains(&code), "{wrong}: {code}");
    }
    assert_eq!(server.raw(b"\x16\x03\x01 nonsense\r\n\r\n").code, 400);
    assert_eq!(server.post("/api/table", &json!({ "variant": "nothing" })).code, 422);
    // Too long lists are refused before anything else of them is looked at.
    for list in ["moves", "chosen"] {
        let table = json!({ "variant": "nothing", "agent": "random", list: vec!["none"; 6000] });
        for path in ["/api/table", "/api/think"] {
            let answer = server.post(path, &table);
            assert!(
                answer.code == 422 && answer.body.contains("at most 5000 plies"),
                "{path}: {}",
                answer.body
            );
        }
    }
    // A definition that costs more than it may is an error.
    let deep = format!("extends = \"chess\"\n[define]\nx = \"{}own{}\"", "(".repeat(5000), ")".repeat(5000));
    let check = json!({ "file": "./deep.toml", "text": deep, "deep": true });
    let found = server.post("/api/check", &check).json();
    assert_eq!(found["playable"], false);
}

/// What comes back until the other side has closed the socket.
fn rest(mut socket: TcpStream) -> String {
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How many files this process may have open; 0 where nobody says.
fn open_files() -> u64 {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    line.and_then(|line| line.split_whitespace().nth(3)).and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[test]
fn floods_of_sockets_and_requests_that_do_not_arrive_keep_nobody_out() {
    let server = Server::start("floods", &[]);
    let address = ("127.0.0.1", server.port);
    // A head and a body that do not come.
    let sent = Instant::now();
    let mut head = TcpStream::connect(address).unwrap();
    head.write_all(b"GET /api/about HTTP/1.1\r\nHost: ").unwrap();
    let mut body = TcpStream::connect(address).unwrap();
    let host = format!("Host: localhost:{}\r\n", server.port);
    let begun = "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"variant\":";
    body.write_all(format!("POST /api/table HTTP/1.1\r\n{host}{begun}").as_bytes()).unwrap();
    // Sockets that say nothing: more than the server takes, where this process may have so many beside other tests.
    let flood = if open_files() >= 8192 { 1500 } else { 300 };
    let silent: Vec<TcpStream> = (0..flood).map(|_| TcpStream::connect(address).unwrap()).collect();
    if flood > 1024 {
        // The last one is closed at once, long before it is late.
        let mut last = silent.last().unwrap();
        last.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let closed = match last.read(&mut [0]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        };
        assert!(closed, "a socket too many is not closed");
    }
    // While they are there, somebody who asks again is answered.
    let asked = Instant::now();
    while server.get("/api/about").code != 200 {
        assert!(asked.elapsed() < Duration::from_secs(40), "nobody is answered");
        std::thread::sleep(Duration::from_millis(200));
    }
    // A whole request has thirty seconds, so that a body which is refused then was not refused for itself.
    let said = rest(body);
    assert!(said.starts_with("HTTP/1.1 408") && sent.elapsed() < Duration::from_secs(25), "{said}");
    let said = rest(head);
    assert!(!said.contains("200 OK") && sent.elapsed() < Duration::from_secs(40), "{said}");
    assert_eq!(server.get("/api/games").code, 200);
    drop(silent);
}

#[test]
fn a_server_that_is_killed_has_nothing_to_lose() {
    let table = json!({ "variant": "knight-fight", "seed": 5, "moves": [] });
    let mut server = Server::start("killed", &[]);
    let mut moves: Vec<Value> = Vec::new();
    for _ in 0..6 {
        let mut table = table.clone();
        table["moves"] = json!(moves);
        // Whatever is chosen first, and again, until it is a move.
        let mut chosen: Vec<Value> = Vec::new();
        let played = loop {
            table["chosen"] = json!(chosen);
            let seen = server.post("/api/table", &table).json();
            let plies = seen["plies"].as_array().unwrap();
            if plies.len() > moves.len() {
                break plies.iter().map(|ply| ply["text"].clone()).collect();
            }
            chosen = seen["chosen"].as_array().unwrap().clone();
            chosen.push(json!({ "site": seen["targets"][0] }));
        };
        moves = played;
    }
    let mut last = table.clone();
    last["moves"] = json!(moves);
    let seen = server.post("/api/table", &last).json();
    assert_eq!(seen["plies"].as_array().unwrap().len(), 6);
    // Killed while it thinks.
    let mut thinking = last.clone();
    thinking["agent"] = json!("mcts:20s");
    let port = server.port;
    let question = thinking.to_string();
    let ask = move || {
        let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let head = "POST /api/think HTTP/1.1\r\nContent-Type: application/json\r\n";
        let length = question.len();
        let request = format!("{head}Host: localhost:{port}\r\nContent-Length: {length}\r\n\r\n{question}");
        socket.write_all(request.as_bytes()).unwrap();
        rest(socket)
    };
    let thought = std::thread::spawn(ask);
    std::thread::sleep(Duration::from_millis(300));
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    assert!(!thought.join().unwrap().contains("\"move\""));
    let again = Server::start("killed-again", &[]);
    assert_eq!(again.post("/api/table", &last).json(), seen);
}

/// A file that is there, or could be, is neither read nor written.
fn assert_refused(server: &Server, name: &str) {
    let found = server.get(&format!("/api/file?name={name}"));
    assert_eq!(found.code, 422, "{name}: {}", found.body);
    assert!(!found.body.contains("treasure"), "{name}: {}", found.body);
    let write = json!({ "name": name, "text": "x", "seal": null });
    assert_eq!(server.send("PUT", "/api/file", &write).code, 422, "{name}");
}

#[test]
fn files_are_read_and_written_in_the_folder_only() {
    let server = Server::start("files", &[]);
    let read = |name: &str| server.get(&format!("/api/file?name={name}"));
    let mine = read("./mine.toml").json();
    assert_eq!(mine["writable"], true);
    for name in ["../secret.toml", "./inside/../../secret.toml", "./.hidden.toml", "./mine.txt"] {
        assert_refused(&server, name);
    }
    let outside = server.folder.parent().unwrap().join("secret.toml");
    assert_refused(&server, outside.to_str().unwrap());
    for name in ["./a\nb.toml", "./\u{1b}[2J.toml", "./\u{10fe1b}.toml"] {
        let write = json!({ "name": name, "text": "x", "seal": null });
        let answer = server.send("PUT", "/api/file", &write);
        assert!(
            answer.code == 422 && answer.body.contains("control characters"),
            "{name:?}: {}",
            answer.body
        );
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        // Links that lead out, to a file and to a folder, while one that stays inside is followed.
        symlink("../secret.toml", server.folder.join("link.toml")).unwrap();
        symlink("..", server.folder.join("above")).unwrap();
        symlink("mine.toml", server.folder.join("same.toml")).unwrap();
        assert_refused(&server, "./link.toml");
        assert_refused(&server, "./above/secret.toml");
        assert_eq!(read("./same.toml").json()["text"], mine["text"]);
        let child = json!({ "file": "./a.toml", "text": "extends = \"./link.toml\"" });
        let found = server.post("/api/check", &child);
        assert_eq!(found.json()["playable"], false);
        assert!(!found.body.contains("treasure"), "{}", found.body);
    }
    // Nobody's change is lost.
    let put = |name: &str, text: &str, seal: &Value| {
        server.send("PUT", "/api/file", &json!({ "name": name, "text": text, "seal": seal }))
    };
    assert_eq!(put("./mine.toml", "new", &Value::Null).code, 409);
    assert_eq!(put("./mine.toml", "new", &mine["seal"]).code, 200);
    assert_eq!(std::fs::read_to_string(server.folder.join("mine.toml")).unwrap(), "new");
    assert_eq!(put("./mine.toml", "newer", &mine["seal"]).code, 409);
    assert_eq!(put("./inside/other.toml", "text", &Value::Null).code, 200);
    let nowhere = put("./nowhere/other.toml", "text", &Value::Null);
    assert!(nowhere.body.contains("make the folder first"), "{}", nowhere.body);

    let server = Server::start("read-only", &["--read-only"]);
    assert_eq!(server.get("/api/file?name=./mine.toml").json()["writable"], false);
    let write = json!({ "name": "./new.toml", "text": "x", "seal": null });
    assert_eq!(server.send("PUT", "/api/file", &write).code, 403);
    assert!(!server.folder.join("new.toml").exists());
}

#[test]
fn a_definition_is_checked_while_it_is_typed() {
    let server = Server::start("check", &[]);
    let text = std::fs::read_to_string(server.folder.join("mine.toml")).unwrap();
    let wrong = text.replace("jump(from) - own", "jmp(from) - own");
    let found = server.post("/api/check", &json!({ "file": "./mine.toml", "text": wrong })).json();
    let first = &found["diagnostics"][0];
    let line = 1 + text.lines().position(|line| line.starts_with("choose")).unwrap();
    assert_eq!((&found["playable"], &first["line"]), (&json!(false), &json!(line)));
    assert!(first["help"].as_str().unwrap().contains("jump"));
    // What is not saved is played too.
    let other = text.replace("square = [8, 8]", "square = [8, 9]").replacen("    8\n", "    8\n    8\n", 1);
    let table =
        json!({ "variant": "./mine.toml", "moves": [], "unsaved": { "file": "./mine.toml", "text": other } });
    assert_eq!(server.post("/api/table", &table).json()["sites"].as_array().unwrap().len(), 72);
    let deep =
        server.post("/api/check", &json!({ "file": "./mine.toml", "text": text, "deep": true })).json();
    assert!(deep["tests"].as_array().unwrap().iter().all(|test| test["ok"] == true));
    // An extension is checked, tested and played with its game.
    let calm = "for = \"knights-and-pawns\"\nsummary = \"Calm\"\n\n[end.calm]\nwhen = \"ply > 20\"\nresult = \"draw\"\n";
    let check = |text: &str| {
        server.post("/api/check", &json!({ "file": "./calm.toml", "text": text, "deep": true })).json()
    };
    let found = check(calm);
    assert_eq!(
        (&found["playable"], &found["variant"]),
        (&json!(true), &json!("knights-and-pawns+./calm.toml"))
    );
    assert!(
        !found["tests"].as_array().unwrap().is_empty() && found["described"]["listing"].is_string(),
        "{found}"
    );
    let ends = found["described"]["turn"].as_array().unwrap().iter();
    let calm_end: Vec<&Value> = ends.filter(|row| row["key"] == "end calm").collect();
    assert_eq!(calm_end[0]["rule"], "draw if ply > 20");
    let found = check(&calm.replace("ply >", "plies >"));
    let (line, file) = (&found["diagnostics"][0]["line"], &found["diagnostics"][0]["file"]);
    assert_eq!((&found["playable"], line, file), (&json!(false), &json!(5), &json!("./calm.toml")));
    let at = text.find("own, to").unwrap() + 1;
    // Of very many mistakes the first are told.
    let many: String = (0..5000).map(|n| format!("k{n} = 0\n")).collect();
    let found = server.post("/api/check", &json!({ "file": "./mine.toml", "text": many + &text })).json();
    let told = found["diagnostics"].as_array().unwrap();
    assert!(told.last().unwrap()["message"].as_str().unwrap().contains("more errors"), "{told:?}");
    assert!(told.len() < 200, "{}", told.len());
    let hover = server.post("/api/hover", &json!({ "file": "./mine.toml", "text": text, "at": at })).json();
    assert_eq!(hover["label"], "own");
    let complete =
        server.post("/api/complete", &json!({ "file": "./mine.toml", "text": text, "at": at })).json();
    assert!(complete["words"].as_array().unwrap().iter().any(|word| word["label"] == "jump"));
}

#[test]
fn variants_are_compared() {
    let server = Server::start("compare", &[]);
    let variants = json!(["knights-and-pawns", "knights-and-pawns+switch-move"]);
    let differs = server.post("/api/differ", &json!({ "variants": variants })).json();
    assert!(!differs["rules"].as_array().unwrap().is_empty());
    assert!(differs["line"].is_array(), "{differs}");
    let asked = json!({ "variants": variants, "games": 40, "level_games": 2 });
    let answer = server.post("/api/compare", &asked);
    let last: Value = serde_json::from_str(answer.body.lines().last().unwrap()).unwrap();
    let done = &last["done"];
    assert!(!done["verdict"].as_array().unwrap().is_empty(), "{last}");
    let report = server.get(&format!("/report/{}", done["report"]));
    assert!(report.body.contains("<svg") && report.head.contains("style-src 'unsafe-inline'"));
    assert_eq!(server.get("/report/99").code, 404);
    // The same program needs no search.
    let variants = json!(["knightthrough", "./mine.toml"]);
    let same = server.post("/api/differ", &json!({ "variants": variants })).json();
    let never = json!("they never differ in play");
    assert_eq!((&same["same_program"], &same["line"], &same["says"]), (&json!(true), &Value::Null, &never));
    // Another run of the server has other numbers.
    let other = Server::start("compare-again", &[]);
    let answer = other.post("/api/compare", &json!({ "variants": variants, "games": 10, "level_games": 0 }));
    let last: Value = serde_json::from_str(answer.body.lines().last().unwrap()).unwrap();
    assert_ne!(last["done"]["report"], done["report"]);
    // A bound is no figure, and the same game does not differ from itself.
    let asked = json!({ "variants": ["knightthrough", "./mine.toml"], "games": 40, "level_games": 0 });
    let answer = server.post("/api/compare", &asked);
    let last: Value = serde_json::from_str(answer.body.lines().last().unwrap()).unwrap();
    let done = &last["done"];
    let rows = done["rows"].as_array().unwrap();
    let values = || rows.iter().flat_map(|row| row["values"].as_array().unwrap());
    let is_bound = |value: &&Value| value["figure"].as_str().unwrap().starts_with("at least ");
    assert!(values().any(|value| is_bound(&value)), "{done}");
    assert!(values().all(|value| is_bound(&value) == value["interval"].is_null()), "{done}");
    let mut notes = done["notes"].as_array().unwrap().iter();
    assert!(notes.any(|note| note.as_str().unwrap().contains("at least")), "{done}");
    let tests = || rows.iter().map(|row| &row["test"]).filter(|test| test.is_object());
    assert!(tests().count() > 5 && tests().all(|test| test["differs"] == false), "{done}");
    assert!(tests().all(|test| test["says"].is_string() && test["says"] != "differs"), "{done}");
}

#[test]
fn records_go_both_ways() {
    let server = Server::start("records", &[]);
    let table = json!({ "variant": "knightcap:scoring=compound", "seed": 5, "moves": ["a1"] });
    let record = server.post("/api/record", &table);
    assert!(record.body.contains("\"move\":\"a1\""), "{}", record.body);
    let back = server.post("/api/record/read", &json!({ "record": record.body })).json();
    assert_eq!((&back["variant"], &back["moves"]), (&table["variant"], &table["moves"]));
    // No digit of a seed is lost, and who resigned or was late stays so.
    let seed = u64::MAX.to_string();
    for late in [false, true] {
        let table =
            json!({ "variant": "tic-tac-toe", "seed": seed, "moves": [], "resigned": 1, "late": late });
        let record = server.post("/api/record", &table);
        let back = server.post("/api/record/read", &json!({ "record": record.body })).json();
        assert_eq!((&back["resigned"], &back["late"]), (&json!(1), &json!(late)));
    }
    let record = format!("{{\"game\":\"tic-tac-toe\",\"seed\":{seed}}}\n");
    assert_eq!(server.post("/api/record/read", &json!({ "record": record })).json()["seed"], json!(seed));
}
