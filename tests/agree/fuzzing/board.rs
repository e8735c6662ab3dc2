//! Random boards, directions and pictures.

use super::page::{Page, quoted};
use super::words::{OptionName, Writer};

impl Writer {
    /// `[board]` and `[directions]`.
    pub fn board(&mut self, page: &mut Page) {
        page.table("board");
        self.names.stacks = self.dice.one_in(4);
        if self.names.stacks {
            page.key("stack", &[2, 3, 5, 12, 40][self.dice.pick(5)].to_string());
        }
        let numbers = self.names.options.iter().filter_map(|o| match o {
            OptionName::Number(name) => Some(name.clone()),
            _ => None,
        });
        let numbers: Vec<String> = numbers.collect();
        let shape = self.dice.pick(12);
        let mut sites: Vec<String> = Vec::new();
        let name = |c: i32, r: i32| format!("{}{r}", char::from(b'a' + c as u8 - 1));
        let mut add = |w: &mut Writer, columns: i32, rows: i32, there: &dyn Fn(i32, i32) -> bool| {
            (w.names.columns, w.names.rows) = (columns, rows);
            for r in 1..=rows {
                sites.extend((1..=columns).filter(|c| there(*c, r)).map(|c| name(c, r)));
            }
        };
        let mut grid = false;
        self.names.sides = 4;
        match shape {
            0..=6 => {
                let (columns, rows) = self.size();
                grid = true;
                let hex = shape == 6;
                self.names.square = !hex;
                // Now and then an option says how many rows there are; it has three values, 2 to 4.
                let (rows, text) = match self.dice.any(&numbers) {
                    Some(option) if self.dice.one_in(3) => {
                        self.names.sized = true;
                        (2, quoted(&option))
                    }
                    _ => (rows, rows.to_string()),
                };
                page.key(if hex { "hex" } else { "square" }, &format!("[{columns}, {text}]"));
                add(self, columns, rows, &|_, _| true);
                self.directions(if hex { HEX } else { SQUARE }, hex);
            }
            7 | 8 => {
                let n = [1, 2, 2, 3, 3, 4, 5, 6, 7][self.dice.pick(9)];
                page.key("hexhex", &n.to_string());
                add(self, 2 * n - 1, 2 * n - 1, &|c, r| (c - r).abs() < n);
                self.names.sides = 6;
                self.directions(HEXHEX, true);
            }
            9 | 10 => {
                let n = [1, 2, 3, 3, 4, 5, 6, 8, 11, 16][self.dice.pick(10)];
                page.key("triangle", &n.to_string());
                add(self, n, n, &|c, r| c + r <= n + 1);
                self.names.sides = 3;
                self.directions(HEX, true);
            }
            _ => {
                let count = [2, 2, 3, 5, 8, 20, 70][self.dice.pick(7)];
                sites.extend((1..=count).map(|i| format!("s{i}")));
                self.graph(page, &sites);
            }
        }
        if sites.len() > 3 && shape < 11 && self.dice.one_in(4) {
            self.dice.shuffle(&mut sites);
            let gone = sites.split_off(sites.len() - 1 - self.dice.pick(sites.len() / 3));
            sites.sort_unstable();
            page.text("remove", &gone.join(" "));
        }
        if grid && self.dice.one_in(4) {
            page.text("wrap", ["columns", "rows", "both"][self.dice.pick(3)]);
        }
        self.names.sites = sites;
        if self.dice.one_in(4) && !self.names.directions.is_empty() {
            self.own_directions(page);
        }
        // Loops over many sites that lie in each other are too much work.
        if self.names.sites.len() > 70 {
            self.most_loops = self.most_loops.min(1);
        }
    }

    fn size(&mut self) -> (i32, i32) {
        match self.dice.pick(9) {
            0 => (self.dice.between(1, 8), 1),
            1 => (1, self.dice.between(1, 8)),
            2..=5 => (self.dice.between(2, 4), self.dice.between(2, 4)),
            6 => (8, 8),
            7 => (9, 9),
            _ => [(12, 12), (5, 13), (19, 7), (16, 4), (13, 10)][self.dice.pick(5)],
        }
    }

    fn graph(&mut self, page: &mut Page, sites: &[String]) {
        let labels = [("on back", &["on", "back"][..]), ("up down", &["up", "down"]), ("out", &["out"])];
        page.table("board.graph.edges");
        (self.names.sides, self.names.columns, self.names.rows) = (0, 0, 0);
        for (i, (key, names)) in labels.iter().enumerate() {
            if i > 0 && self.dice.one_in(2) {
                continue;
            }
            let mut chain = sites.to_vec();
            if i > 0 {
                self.dice.shuffle(&mut chain);
                chain.truncate(2 + self.dice.pick(chain.len() - 1));
            }
            if self.dice.one_in(2) {
                chain.push(chain[0].clone());
            }
            page.text(&quoted(key), &chain.join("-"));
            self.names.directions.extend(names.iter().map(|n| (*n).to_owned()));
            self.names.labels.extend(names.iter().map(|n| (*n).to_owned()));
        }
        self.names.directions.push("orthogonal".to_owned());
        self.names.directions.push("any".to_owned());
    }

    fn directions(&mut self, labels: &[&str], hex: bool) {
        let players = self.names.players.len();
        let mut list = labels.to_vec();
        list.extend(["orthogonal", "diagonal", "any", "any"]);
        if players <= 4 {
            list.extend(["forward", "backward", "forward-left", "forward-right"]);
            if !hex {
                list.extend(["left", "right"]);
            }
        }
        self.names.directions = list.into_iter().map(str::to_owned).collect();
        let groups = ["orthogonal", "diagonal", "any"];
        self.names.labels = self.names.directions.clone();
        self.names.labels.retain(|name| !groups.contains(&name.as_str()));
    }

    fn own_directions(&mut self, page: &mut Page) {
        page.table("directions");
        let name = self.names.fresh("d");
        let of = |w: &mut Writer| w.dice.any(&w.names.directions).unwrap_or_default();
        match self.dice.pick(3) {
            0 => {
                let (a, b) = (of(self), of(self));
                page.text(&name, &format!("{a} {b}"));
            }
            1 => {
                let each: Vec<String> = self
                    .names
                    .players
                    .clone()
                    .into_iter()
                    .map(|p| format!("{p} = {}", quoted(&of(self))))
                    .collect();
                page.key(&name, &format!("{{ {} }}", each.join(", ")));
            }
            _ => {
                let mut sites = self.names.sites.clone();
                self.dice.shuffle(&mut sites);
                sites.truncate(4);
                if sites.len() < 2 {
                    return;
                }
                page.text(&name, &format!("pairs {}", sites.join("-")));
            }
        }
        self.names.directions.push(name);
    }

    /// A picture of the board with some pieces on it, its rows joined by a mark.
    pub fn picture(&mut self, join: &str) -> String {
        let players = self.names.players.len();
        let row_of =
            |site: &String| site.trim_start_matches(|c: char| c.is_ascii_lowercase()).parse::<usize>();
        // Ten sites of a graph stand in a line; else the last row comes first.
        let graph = self.names.rows == 0;
        let mut rows: Vec<usize> = Vec::new();
        for (i, site) in self.names.sites.iter().enumerate() {
            let row = if graph { i / 10 } else { row_of(site).unwrap_or(0) };
            rows.resize(rows.len().max(row + 1), 0);
            rows[row] += 1;
        }
        if !graph {
            rows.remove(0);
            rows.reverse();
        }
        let one_in = 2 + self.dice.pick(4);
        let lines = rows.into_iter().map(|sites| {
            let tokens = (0..sites).map(|_| {
                if !self.dice.one_in(one_in) {
                    return ".".to_owned();
                }
                // A row of one token would be read letter by letter.
                let most = if self.names.stacks && sites > 1 { 2 } else { 1 };
                let pieces = (0..=self.dice.pick(most)).map(|_| self.token(players));
                pieces.collect::<String>()
            });
            tokens.collect::<Vec<_>>().join(" ")
        });
        lines.collect::<Vec<_>>().join(join)
    }

    /// A piece in a picture.
    fn token(&mut self, players: usize) -> String {
        let letter = self.dice.any(&self.names.kinds).unwrap_or_default()[..1].to_owned();
        match (self.dice.pick(7), players) {
            (0, _) => format!("*{letter}"),
            (n, 2) if n < 4 => letter.to_uppercase(),
            (_, 1 | 2) => letter,
            (_, many) => format!("{}{letter}", 1 + self.dice.pick(many)),
        }
    }
}

const SQUARE: &[&str] = &["n", "e", "s", "w", "ne", "se", "sw", "nw"];
const HEX: &[&str] = &["n", "e", "se", "s", "w", "nw", "ne", "ese", "sse", "sw", "wnw", "nnw"];
const HEXHEX: &[&str] = &["n", "ne", "e", "s", "sw", "w", "nne", "ene", "se", "ssw", "wsw", "nw"];
