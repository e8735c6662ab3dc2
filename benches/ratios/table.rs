//! The tables that are printed.

use farrier::analysis::bench::Spread;

/// A row: two sides, what each does in a second, and the size of a piece of it.
pub struct Row {
    pub what: String,
    pub theirs: Spread,
    pub ours: Spread,
    pub sizes: (f64, f64),
}

impl Row {
    /// How many times as much Farrier does.
    pub fn ratio(&self) -> f64 {
        self.ours.median / self.theirs.median
    }

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

/// A row of such a table.
pub fn row(row: &Row, lengths: bool) -> String {
    let mut out =
        format!("| {} | {} | {} | {:.2} |", row.what, spread(&row.theirs), spread(&row.ours), row.ratio());
    if lengths {
        let length = |plies: f64| if plies.is_nan() { "-".to_owned() } else { format!("{plies:.0}") };
        out += &format!(" {} | {} |", length(row.sizes.0), length(row.sizes.1));
    }
    out
}

fn spread(s: &Spread) -> String {
    format!("{} ({} to {})", short(s.median), short(s.lowest), short(s.highest))
}

/// Three digits and a unit: 1.23 M, 45.6 k.
fn short(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 1e6 => (v / 1e6, " M"),
        v if v >= 1e4 => (v / 1e3, " k"),
        v => (v, ""),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}{unit}")
}
