//! Pictures of the pieces on a board, as definitions and position texts write them.
//!
//! Rows from the last to the first, split by `/` or line ends. A row with blanks is a list of tokens; one
//! without is read letter by letter, numbers being runs of vacant sites and brackets holding a token:
//! `3(pp)2n`. A token is `.` (vacant, or a hole), or an owner and a letter repeated once for each piece:
//! of two players the first has capitals, else a digit names the player (`2n`); `*n` is neutral. Where there is
//! one player a plain letter will do.
//!
//! Where any pieces may stand on each other, a token is such a stack, from the lowest piece to the top: `Mmo`. Each
//! piece is written by itself, so that a digit or `*` speaks of the next letter alone: `1m2m*d`.

use super::tree::{KindInfo, PieceOn};
use crate::board::Board;
use crate::ids::{Kind, Player, Site};
use crate::wording::many;

/// Why a picture cannot be read: a byte range of its text, and the mistake there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureError {
    /// Start of the place.
    pub start: usize,
    /// End of the place.
    pub end: usize,
    /// The mistake.
    pub message: String,
}

impl std::fmt::Display for PictureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PictureError {}

fn fault<T>(start: usize, end: usize, message: impl Into<String>) -> Result<T, PictureError> {
    Err(PictureError { start, end, message: message.into() })
}

/// A token and its byte range.
type Token<'a> = (usize, usize, &'a str);

/// Reads a picture; `stack` is how many pieces of any sort may stand on a site. Those of one site follow each other,
/// the top last.
pub fn read(
    text: &str,
    board: &Board,
    kinds: &[KindInfo],
    players: usize,
    stack: Option<u32>,
) -> Result<Vec<PieceOn>, PictureError> {
    let rows: Vec<Vec<Option<Site>>> =
        board.picture_rows().into_iter().filter(|r| r.iter().any(Option::is_some)).collect();
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split(['/', '\n']) {
        if !line.trim().is_empty() {
            lines.push((at, line));
        }
        at += line.len() + 1;
    }
    if lines.len() != rows.len() {
        return fault(
            0,
            text.len(),
            format!("the board has {}, the picture {}", many(rows.len() as u64, "row"), lines.len()),
        );
    }
    let mut pieces = Vec::new();
    for ((at, line), row) in lines.into_iter().zip(&rows) {
        let tokens = tokens(at, line)?;
        let existing = row.iter().flatten().count();
        let mut found = 0;
        for (_, _, token) in &tokens {
            found += run(token).unwrap_or(1);
        }
        let all = found == row.len();
        if found != existing && !all {
            let sites = many(existing as u64, "site");
            return fault(at, at + line.len(), format!("this row has {sites}, the picture {found}"));
        }
        let mut sites = row.iter().filter(|s| all || s.is_some());
        for (start, end, token) in tokens {
            if let Some(n) = run(token) {
                sites.by_ref().take(n).for_each(drop);
                continue;
            }
            let Some(site) = sites.next() else { break };
            if matches!(token, "." | "#") {
                continue;
            }
            let Some(site) = site else { return fault(start, end, "there is no site here") };
            let before = pieces.len();
            for (from, one) in singles(token, stack.is_some()) {
                pieces.push(piece(one, start + from, *site, kinds, players)?);
            }
            if let Some(most) = stack.filter(|most| pieces.len() - before > *most as usize) {
                return fault(start, end, format!("at most {most} pieces may stand on a site"));
            }
        }
    }
    Ok(pieces)
}

/// How many vacant sites a number stands for.
fn run(token: &str) -> Option<usize> {
    token.parse::<u16>().ok().map(usize::from)
}

/// The pieces of a token, each with its place in it: one by one, a mark with the letter behind it, or all together.
fn singles(token: &str, each: bool) -> Vec<(usize, &str)> {
    let ends = token.char_indices().filter(|(_, c)| each && c.is_alphabetic());
    let mut ends: Vec<usize> = ends.map(|(i, c)| i + c.len_utf8()).collect();
    if ends.last() != Some(&token.len()) {
        // What is left over is reported as a piece that cannot be read.
        ends.push(token.len());
    }
    let starts = [0].into_iter().chain(ends.clone());
    starts.zip(ends).filter_map(|(from, to)| Some((from, token.get(from..to)?))).collect()
}

fn tokens(at: usize, line: &str) -> Result<Vec<Token<'_>>, PictureError> {
    let mut tokens = Vec::new();
    if line.trim().contains(char::is_whitespace) {
        let mut from = 0;
        for word in line.split(char::is_whitespace) {
            if !word.is_empty() {
                tokens.push((at + from, at + from + word.len(), word));
            }
            from += word.len() + line[from + word.len()..].chars().next().map_or(0, char::len_utf8);
        }
        return Ok(tokens);
    }
    let mut rest = line.char_indices().peekable();
    while let Some((i, c)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = i + c.len_utf8();
        if c == '(' {
            let Some((close, _)) = rest.by_ref().find(|(_, c)| *c == ')') else {
                return fault(at + i, at + end, "this bracket is not closed");
            };
            tokens.push((at + i + 1, at + close, &line[i + 1..close]));
            continue;
        }
        if c.is_ascii_digit() {
            while let Some((j, d)) = rest.peek().copied().filter(|(_, d)| d.is_ascii_digit()) {
                end = j + d.len_utf8();
                rest.next();
            }
        } else if c == '*'
            && let Some((j, d)) = rest.next()
        {
            end = j + d.len_utf8();
        }
        tokens.push((at + i, at + end, &line[i..end]));
    }
    Ok(tokens)
}

fn piece(
    token: &str,
    start: usize,
    site: Site,
    kinds: &[KindInfo],
    players: usize,
) -> Result<PieceOn, PictureError> {
    let end = start + token.len();
    let (mut owner, letters) = match token.strip_prefix('*') {
        Some(rest) => (None, rest),
        None => {
            let digits = token.len() - token.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            match token[..digits].parse::<usize>() {
                Ok(n) if (1..=players).contains(&n) => (Some(Player(n as u8 - 1)), &token[digits..]),
                Ok(n) => return fault(start, end, format!("there is no player {n}")),
                Err(_) => (None, token),
            }
        }
    };
    let whole = letters.to_lowercase();
    // How many of a kind there are; none if these are not its letters.
    let height = |k: &KindInfo| {
        let letter = k.letter.to_lowercase();
        let times = whole.len().checked_div(letter.len())?;
        (times > 0 && whole == letter.repeat(times)).then_some(times)
    };
    let found = kinds.iter().enumerate().find_map(|(kind, k)| Some((kind, height(k)?)));
    let Some((kind, height)) = found else {
        let known: Vec<&str> = kinds.iter().map(|k| k.letter.as_str()).collect();
        let says = match letters {
            "" => "a piece's letter is missing here".to_owned(),
            _ if letters.chars().count() > 1 && letters.chars().all(|c| is_letter(c, kinds)) => {
                "pieces of several sorts stand on each other where `[board]` has a `stack`".to_owned()
            }
            _ => format!("no piece is written `{token}`"),
        };
        return fault(start, end.max(start + 1), format!("{says}; the letters are {}", known.join(" ")));
    };
    let stack = kinds.get(kind).map_or(1, |k| k.stack);
    if owner.is_none() && !token.starts_with('*') {
        owner = match players {
            1 => Some(Player(0)),
            2 if letters.chars().next().is_some_and(char::is_uppercase) => Some(Player(0)),
            2 => Some(Player(1)),
            _ => {
                return fault(
                    start,
                    end,
                    "whose piece? put the player's number before the letter, `*` for nobody's",
                );
            }
        };
    }
    let height = u32::try_from(height).unwrap_or(u32::MAX);
    if height > stack {
        return fault(start, end, format!("at most {stack} of these may share a site"));
    }
    Ok(PieceOn { site, owner, kind: Kind(kind as u8), height })
}

/// A piece without its site: its owner and its kind.
pub type Sort = (Option<Player>, Kind);

fn is_letter(c: char, kinds: &[KindInfo]) -> bool {
    kinds.iter().any(|kind| kind.letter.to_lowercase() == c.to_lowercase().to_string())
}

/// Writes a picture in one line, `/` between rows. `at` gives the pieces of a site, from the lowest to the top.
pub fn write(
    board: &Board,
    kinds: &[KindInfo],
    players: usize,
    stack: Option<u32>,
    mut at: impl FnMut(Site) -> Vec<Sort>,
) -> String {
    let mut rows = Vec::new();
    for row in board.picture_rows() {
        let mut text = String::new();
        let mut vacant = 0;
        if row.iter().all(Option::is_none) {
            continue;
        }
        for site in row.into_iter().flatten() {
            let pieces = at(site);
            if pieces.is_empty() {
                vacant += 1;
                continue;
            }
            if vacant > 0 {
                text += &vacant.to_string();
                vacant = 0;
            }
            let token = token(kinds, players, stack, &pieces);
            let plain = token.chars().count() == 1 || (token.starts_with('*') && token.chars().count() == 2);
            text += &if plain { token } else { format!("({token})") };
        }
        if vacant > 0 {
            text += &vacant.to_string();
        }
        rows.push(text);
    }
    rows.join("/")
}

/// The token of the pieces of a site: `P`, `pp`, `*n`, `2n`; with stacks of any sorts `Pn`.
pub fn token(kinds: &[KindInfo], players: usize, stack: Option<u32>, pieces: &[Sort]) -> String {
    match (stack, pieces) {
        (None, [all @ .., top]) => like(kinds, players, *top, all.len() + 1),
        _ => pieces.iter().map(|piece| like(kinds, players, *piece, 1)).collect(),
    }
}

/// So many pieces of a sort.
fn like(kinds: &[KindInfo], players: usize, (owner, kind): Sort, many: usize) -> String {
    let letters = kinds.get(kind.index()).map_or("?", |k| k.letter.as_str()).repeat(many);
    match (owner, players) {
        (None, _) => format!("*{}", letters.to_lowercase()),
        (Some(_), 1) => letters.to_lowercase(),
        (Some(Player(0)), 2) => letters.to_uppercase(),
        (Some(_), 2) => letters.to_lowercase(),
        (Some(p), _) => format!("{}{}", p.0 + 1, letters.to_lowercase()),
    }
}
