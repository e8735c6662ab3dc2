//! The tables that are printed.

use farrier::analysis::bench::Spread;

/// A row: two sides, what each does in a second, and the size of a piece of it.
pub struct Row {
    pub what: String,
    pub theirs: Spread,
    pub ours: Spread,
    /// How many times as much Farrier does.
    pub ratio: Spread,
    pub sizes: (f64, f64),
}

impl Row {
    /// Both sides count the same.
    pub fn same_size(&self) {
        let (theirs, ours) = self.sizes;
        assert!(theirs == ours, "{}: they count {theirs} nodes, Farrier {ours}", self.what);
    }
}

/// The head of a table whose other side has a name, up to the columns that not every table has.
pub fn head(theirs: &str, more: &[&str]) -> String {
    let names: String = more.iter().map(|name| format!(" {name} |")).collect();
    let rules: String = more.iter().map(|_| " --: |").collect();
    format!("|  | {theirs} | Farrier | ratio |{names}\n| --- | --: | --: | --: |{rules}")
}

/// A row of such a table; with the sizes, and the ratio of what is done in plies, where pieces have some.
pub fn row(row: &Row, lengths: bool) -> String {
    let (theirs, ours, by) = (spread(&row.theirs), spread(&row.ours), spread(&row.ratio));
    let mut out = format!("| {} | {theirs} | {ours} | {by} |", row.what);
    if lengths {
        let (theirs, ours) = row.sizes;
        let known = |value: f64, text: String| if value.is_nan() { "-".to_owned() } else { text };
        let by_plies = row.ratio.median * ours / theirs;
        out += &format!(" {} | {ours:.1} |", known(theirs, format!("{theirs:.1}")));
        out += &format!(" {} |", known(by_plies, short(by_plies)));
    }
    out
}

fn spread(s: &Spread) -> String {
    format!("{} ({} to {})", short(s.median), short(s.lowest), short(s.highest))
}

/// Three digits and a unit: 1.23 M, 45.6 k, 0.0123.
fn short(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 1e6 => (v / 1e6, " M"),
        v if v >= 1e4 => (v / 1e3, " k"),
        v => (v, ""),
    };
    let before = value.abs().max(1e-4).log10().floor() as i32;
    let digits = usize::try_from(2 - before).unwrap_or(0);
    format!("{value:.digits$}{unit}")
}
