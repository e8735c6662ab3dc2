//! Records of games: JSON Lines. The first line is a header, then a line for each ply, then the result.
//!
//! ```text
//! {"game":"name","options":{"size":5},"setup":null}
//! {"ply":1,"by":"red","legal":25,"move":"c3"}
//! {"result":"red","reason":"end.joined"}
//! ```
//!
//! A game that goes on has no last line yet; nor has one whose player was stopped after its last ply, before the result
//! was written. A game of people also says who sat where (`seats`), and who resigned. A
//! game with clocks says which (`"clock":"5m+3s"`), and each ply what it left on the clock of who made it
//! (`"clock":296840`, in milliseconds).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::definition::OptionValue;

/// The first line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// The game's name or path.
    pub game: String,
    /// The options that differ from their defaults: values bare.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// The text of the set-up, if it has one.
    #[serde(default)]
    pub setup: Option<String>,
    /// The seed of chance and set-up, where a setup text does not say it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Who decided for each player: `human`, or an agent as it is written.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub seats: Map<String, Value>,
    /// The time that each person has, as in `5m+3s`; none where it is not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
}

/// A ply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ply {
    /// Its number in the game: 1, or one more than the plies that the start has had.
    pub ply: u32,
    /// Who decided; `chance` where nobody did.
    pub by: String,
    /// How many legal moves there were.
    pub legal: u64,
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// What it left on the clock of who decided, in milliseconds, where there are clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
}

/// The last line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    /// A player's name, `draw`, or `unfinished`.
    pub result: String,
    /// Each player's score, where the score decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Map<String, Value>>,
    /// The reason of the end: `end.NAME`, `stuck`, `resigned`, or `time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// Who had no time left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<String>,
}

/// How a game is lost beside its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// The player gave up.
    Resigned,
    /// The player had no time left.
    Late,
}

impl Lost {
    /// The reason as records have it.
    pub fn reason(self) -> &'static str {
        match self {
            Lost::Resigned => "resigned",
            Lost::Late => "time",
        }
    }

    /// What is said behind the player's name.
    pub fn said(self) -> &'static str {
        match self {
            Lost::Resigned => "resigned",
            Lost::Late => "had no time left",
        }
    }
}

impl End {
    /// Who has lost beside the rules, and how.
    pub fn lost(&self) -> Option<(&str, Lost)> {
        let resigned = self.resigned.as_deref().map(|who| (who, Lost::Resigned));
        resigned.or_else(|| self.late.as_deref().map(|who| (who, Lost::Late)))
    }

    /// The same end with who has lost beside the rules.
    pub fn with_lost(mut self, who: &str, how: Lost) -> End {
        let of = match how {
            Lost::Resigned => &mut self.resigned,
            Lost::Late => &mut self.late,
        };
        *of = Some(who.to_owned());
        self
    }
}

/// Between two players who have one place in a result.
pub const TOGETHER: &str = " & ";

/// Between two places in a result.
pub const BEFORE: &str = " > ";

/// The players whom a result names first: who has won, unless it is no player.
pub fn winners(result: &str) -> impl Iterator<Item = &str> {
    result.split(BEFORE).take(1).flat_map(|first| first.split(TOGETHER))
}

/// The result of a game that goes on, or was cut.
pub const UNFINISHED: &str = "unfinished";

/// The reason of a game that ended because the mover had no move.
pub const STUCK: &str = "stuck";

impl Default for End {
    fn default() -> End {
        End { result: UNFINISHED.to_owned(), scores: None, reason: None, resigned: None, late: None }
    }
}

/// An option's value as JSON.
pub fn option_json(value: &OptionValue) -> Value {
    match value {
        OptionValue::Flag(on) => Value::Bool(*on),
        OptionValue::Word(w) => Value::String(w.clone()),
        OptionValue::Number(n) => Value::from(*n),
    }
}

/// A line of a record, with its end.
pub fn line(of: &impl Serialize) -> String {
    serde_json::to_string(of).unwrap_or_default() + "\n"
}

/// A whole record.
///
/// ```
/// use farrier::analysis::{playout, replay};
/// use farrier::notation::record::Record;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "tic-tac-toe".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let start = game.start(&mut machine, None, 1)?;
/// let record = playout::record(&game, &mut machine, &start, 1, 100);
/// let again = Record::read(&record.write())?;
/// assert_eq!(replay::verify(&game, &again)?, record.plies.len() as u32);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// The plies.
    pub plies: Vec<Ply>,
    /// The last line; none where nothing is said of the end.
    pub end: Option<End>,
}

/// Why a record cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The mistake in it.
    pub message: String,
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// Reads a record; blank lines are passed over. Behind its result is nothing, or the header of another record.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
        fn parse<T: for<'a> Deserialize<'a>>(line: usize, text: &str) -> Result<T, RecordError> {
            serde_json::from_str(text).map_err(|e| RecordError { line: line + 1, message: e.to_string() })
        }
        let Some((i, first)) = lines.next() else {
            return Err(RecordError { line: 1, message: "the record is empty".to_owned() });
        };
        let header = parse(i, first)?;
        let mut plies = Vec::new();
        let mut end = None;
        for (i, line) in lines {
            let value: Value = parse(i, line)?;
            if end.is_some() {
                if value.get("game").is_some() {
                    break;
                }
                let message = "the record has ended: its result stands above this line".to_owned();
                return Err(RecordError { line: i + 1, message });
            }
            match value.get("result") {
                Some(_) => end = Some(parse(i, line)?),
                None => plies.push(parse(i, line)?),
            }
        }
        Ok(Record { header, plies, end })
    }

    /// The record as text, a line end after each line.
    pub fn write(&self) -> String {
        let plies = self.plies.iter().map(line);
        [line(&self.header)].into_iter().chain(plies).chain(self.end.iter().map(line)).collect()
    }
}
