//! `farrier serve`: games in a browser.
//!
//! **The page holds the game, the server holds the rules.** A game in progress is a few words: a variant, a seed, a
//! set-up, the moves. The page keeps them (in its address, and in its own storage), asks what they mean, and is told
//! all that there is to see. The server remembers nothing that could be lost: it may be killed at any moment, a
//! reload or a link brings the same game back, a line of play is taken back by asking with fewer moves, and an option
//! is toggled under a game by asking with another variant.
//!
//! ```text
//! GET  /                      the page                                                assets
//! GET  /api/games             what can be played: shipped games, files of the folder  library
//! GET  /api/picture           the board of a variant at its start, as SVG             library
//! POST /api/table             a Table (variant, seed, moves, what is chosen) -> all that is seen of it    table
//! POST /api/think             a Table and an agent -> what it finds, line by line, and its move           think
//! POST /api/check             a definition's text -> what is wrong with it, its tests, what it means      editor
//! POST /api/complete, /hover  a definition's text and a place -> words that fit, what a word means        editor
//! GET  /api/file  PUT ..      the text of a file of the folder                        editor
//! GET  /api/watch             which file of the folder has changed, as it happens     editor
//! POST /api/compare           variants -> how far the games are, and the report       contrast
//! POST /api/differ            two variants -> how their rules differ, and a line that tells them apart    contrast
//! POST /api/record            a Table -> a record; a record -> a Table                table
//! ```
//!
//! Laws:
//!
//! - **Nobody else's pages.** Requests must name this host, and where they say which page sent them it must be this
//!   one ([`guard`]). Pages may load nothing from elsewhere and hold no script of their own.
//! - **Everything is bounded**: sockets, the time to send a request, its size, moves, the bytes of all large requests
//!   together (64 MiB; others have at most 16 KiB each), the requests that wait, the workers that answer, the time of a
//!   thought. Work is done by few threads ([`work`]); a definition that costs all that it may occupies one of them for
//!   a moment. Thoughts and comparisons stop when nobody listens.
//! - **Only the folder.** Files are read and written in the served folder, where links really lead there, and none is
//!   written with `--read-only`. Commands of engines are not run.

mod assets;
mod contrast;
mod editor;
mod folder;
mod guard;
mod kept;
mod library;
mod record;
mod route;
mod stream;
mod table;
mod think;
mod words;
mod work;

use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use super::files::{is_path, name};
use super::{Done, Exit, Format, Stop, load, text};
use folder::Folder;
use work::App;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
The page shows the games that come with Farrier and the definitions of a folder: the one that is named, that of the
file that is named, or the one where the command runs. It is served to this machine only, unless `--bind` names another
address. Stop it with Ctrl-C: games are kept by the browser.")]
pub(super) struct Args {
    /// A shipped game's name, the path of a definition, or a folder of definitions
    game: Option<String>,
    /// The port; 0: any that is free
    #[arg(long, value_name = "N", default_value_t = 8017)]
    port: u16,
    /// The address of this machine at which it listens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Another name under which the page may be asked for, such as that of a proxy (may be given again)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Write no file: for showing games to others
    #[arg(long)]
    read_only: bool,
}

/// Serves until it is stopped.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let (root, game) = place(args.game.as_deref())?;
    let folder = Folder::open(&root).map_err(|error| {
        Stop::input(format!("the folder `{}` cannot be served: {error}", name::word(root.as_os_str())))
    })?;
    let app = App::new(folder, args.read_only);
    // Definitions nest as deep as the main thread can hold; so can the workers.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .max_blocking_threads(work::MAX_THREADS)
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((args.bind, args.port)).await.map_err(|error| {
            let help = "another port is given by `--port N`, any that is free by `--port 0`";
            Stop::advised(format!("port {} cannot be opened: {error}", args.port), help)
        })?;
        let at = listener.local_addr()?;
        let hosts = guard::Hosts::new(at, &args.host);
        let page = game.map_or(String::new(), |game| format!("#/play?v={}", words::encoded(&game)));
        let address = format!("http://{at}/{page}");
        match format {
            Format::Json => writeln!(out, "{}", serde_json::json!({ "address": address }))?,
            Format::Text => {
                writeln!(out, "{address}\n(stop it with Ctrl-C)")?;
            }
        }
        out.flush()?;
        if args.open && open::that_detached(&address).is_err() {
            writeln!(super::screen::err(), "no browser could be opened: open {address} in yours")?;
        }
        route::serve(listener, app, hosts).await;
        Ok(Exit::Fine)
    })
}

/// The stack of each thread.
const STACK: usize = 8 << 20;

/// The folder that is served, and the game with which the page opens.
fn place(word: Option<&str>) -> Result<(PathBuf, Option<String>), Stop> {
    let here = || PathBuf::from(".");
    let Some(word) = word else { return Ok((here(), None)) };
    let path = name::path(word);
    if path.is_dir() {
        return Ok((path, None));
    }
    let variant = crate::variant::Variant::parse(word).map_err(|error| Stop::Usage(error.message))?;
    load::load(&variant.game, &variant.choices)?;
    if !is_path(&variant.game) {
        return Ok((here(), Some(word.to_owned())));
    }
    let path = name::path(&variant.game);
    let folder = path.parent().filter(|folder| *folder != Path::new("")).map_or_else(here, Path::to_owned);
    let file = path.file_name().map(name::word).unwrap_or_default();
    let rest = word.strip_prefix(&*variant.game).unwrap_or("");
    Ok((folder, Some(text::plain(&format!("./{file}{rest}")))))
}
