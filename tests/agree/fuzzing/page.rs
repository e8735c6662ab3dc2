//! A definition as text, table by table.

use std::collections::BTreeSet;

/// A definition as it is written: its tables in order.
#[derive(Default)]
pub struct Page(pub String);

impl Page {
    pub fn table(&mut self, name: &str) {
        self.0 += &format!("\n[{name}]\n");
    }

    pub fn key(&mut self, key: &str, value: &str) {
        self.0 += &format!("{key} = {value}\n");
    }

    pub fn text(&mut self, key: &str, text: &str) {
        self.key(key, &quoted(text));
    }

    /// The same, unless the table has the key.
    pub fn once(&mut self, keys: &mut BTreeSet<String>, key: &str, text: &str) {
        if keys.insert(key.to_owned()) {
            self.text(key, text);
        }
    }
}

/// A TOML string.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
