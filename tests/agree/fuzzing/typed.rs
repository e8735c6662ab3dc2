//! Random definitions, typed: a rule says only names that are in sight, where a value of their type is wanted.

use farrier::semantics::Type;

use super::overlay::Said;
use super::page::{Page, quoted};
use super::words::{Define, OptionName, Relation, State, Writer};

/// A random definition.
pub fn definition(seed: u64) -> String {
    let mut w = Writer::new(seed);
    let mut page = Page::default();
    let mut said = Said::default();
    w.most_loops = [1, 2, 2, 2, 3][w.dice.pick(5)];
    page.text("name", "Random");
    w.players(&mut page);
    let option_names = w.options();
    w.board(&mut page);
    w.pieces(&mut page, &mut said);
    w.state(&mut page);
    w.vocabulary(&mut page, &mut said);
    w.setup(&mut page);
    w.decisions(&mut page, &mut said);
    w.turn(&mut page, &mut said);
    w.ends(&mut page, &mut said);
    w.position(&mut page);
    w.overlays(&mut page, &said, option_names);
    page.0
}

const TYPES: [Type; 8] = [
    Type::Bool,
    Type::Int,
    Type::SiteOpt,
    Type::Sites,
    Type::KindOpt,
    Type::Kinds,
    Type::Player,
    Type::Direction,
];

impl Writer {
    fn players(&mut self, page: &mut Page) {
        let count = [2, 2, 2, 2, 2, 1, 1, 3, 4, 8][self.dice.pick(10)];
        let names = ["white", "black", "red", "blue", "green", "pink", "grey", "brown"];
        self.names.players = names[..count].iter().map(|n| (*n).to_owned()).collect();
        if count != 2 || self.dice.one_in(3) {
            let list: Vec<String> = self.names.players.iter().map(|p| quoted(p)).collect();
            page.key("players", &format!("[{}]", list.join(", ")));
        }
        if count > 2 && self.dice.one_in(2) {
            // Who sits at a distance plays together; the last team is smaller where that does not come out even.
            let teams = self.dice.between(2, count as i32) as usize;
            let team = |i: usize| {
                let of = self.names.players.iter().enumerate().filter(|(p, _)| p % teams == i);
                quoted(&of.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" "))
            };
            page.key("teams", &format!("[{}]", (0..teams).map(team).collect::<Vec<_>>().join(", ")));
        }
    }

    /// Chooses the options that the rules may name; their tables come last.
    fn options(&mut self) -> usize {
        let count = [0, 0, 0, 1, 2, 3][self.dice.pick(6)];
        for _ in 0..count {
            let name = self.names.fresh("o");
            self.names.options.push(match self.dice.pick(4) {
                0 | 1 => OptionName::Flag(name),
                2 => OptionName::Number(name),
                _ => OptionName::Words(name, vec!["plain".to_owned(), "wild".to_owned()]),
            });
        }
        count
    }

    fn pieces(&mut self, page: &mut Page, said: &mut Said) {
        let count = [1, 1, 1, 2, 2, 3, 4][self.dice.pick(7)];
        let all = ["man", "king", "rook", "toad"];
        self.names.kinds = all[..count].iter().map(|k| (*k).to_owned()).collect();
        self.names.groups = (0..self.dice.pick(3)).map(|_| self.names.fresh("g")).collect();
        self.names.int_traits = (0..self.dice.pick(2)).map(|_| self.names.fresh("i")).collect();
        self.names.kind_traits = (0..self.dice.pick(2)).map(|_| self.names.fresh("k")).collect();
        let traits: Vec<String> = (0..self.dice.pick(3)).map(|_| self.names.fresh("t")).collect();
        page.table("pieces");
        let mut groups_left = self.names.groups.clone();
        for (n, kind) in self.names.kinds.clone().into_iter().enumerate() {
            let mut keys = vec![format!("letter = {}", quoted(&kind[..1]))];
            if self.dice.one_in(4) && !self.names.stacks {
                keys.push(format!("stack = {}", [2, 3, 255][self.dice.pick(3)]));
            }
            let last = n + 1 == count;
            let has = |w: &mut Writer| last || w.dice.one_in(2);
            for name in self.names.groups.clone() {
                if groups_left.contains(&name) && has(self) || self.dice.one_in(2) {
                    groups_left.retain(|g| *g != name);
                    keys.push(format!("{name} = true"));
                }
            }
            for name in self.names.int_traits.clone() {
                if has(self) {
                    keys.push(format!("{name} = {}", self.dice.between(-2, 9)));
                }
            }
            for name in self.names.kind_traits.clone() {
                if has(self) {
                    let of = self.dice.any(&self.names.kinds).unwrap_or_default();
                    keys.push(format!("{name} = {}", quoted(&of)));
                }
            }
            for name in &traits {
                if has(self) {
                    let text = self.rule(|w| w.pattern().0);
                    keys.push(format!("{name} = {}", quoted(&text)));
                    said.patterns.push(format!("pieces.{kind}.{name}"));
                }
            }
            page.key(&kind, &format!("{{ {} }}", keys.join(", ")));
        }
        let pattern = |name| Relation { name, fixed: false, one_to_one: false, named: false, headed: false };
        self.names.relations.extend(traits.into_iter().map(pattern));
    }

    fn state(&mut self, page: &mut Page) {
        let count = [0, 1, 1, 2, 3, 5][self.dice.pick(6)];
        if count == 0 {
            return;
        }
        page.table("state");
        for _ in 0..count {
            let name = self.names.fresh("s");
            let ty = TYPES[self.dice.pick(TYPES.len())];
            let mut per: Vec<&'static str> = Vec::new();
            for _ in 0..[0, 0, 1, 1, 2][self.dice.pick(5)] {
                let by = ["player", "site", "kind", "direction"][self.dice.pick(4)];
                // A set for each site of a large board is more than a position holds.
                let much = by == "site" && ty == Type::Sites && self.names.sites.len() > 20;
                if !per.contains(&by) && !much {
                    per.push(by);
                }
            }
            let mut keys = vec![format!("type = {}", quoted(&ty.to_string()))];
            match per.as_slice() {
                [] => {}
                [one] => keys.push(format!("per = {}", quoted(one))),
                [a, b, ..] => keys.push(format!("per = [{}, {}]", quoted(a), quoted(b))),
            }
            let dealt = ty == Type::Int && per == ["site"] && !self.names.sized && self.dice.one_in(2);
            if dealt {
                let low = self.dice.between(-1, 1);
                let high = low + self.names.sites.len() as i32 - 1;
                keys.push(format!("shuffle = \"{low}..{high}\""));
            } else if self.dice.one_in(3) {
                self.fixed = true;
                let start = match per.first() {
                    Some(&"player") if self.dice.one_in(2) => {
                        let players = self.names.players.clone();
                        let each = players.into_iter().map(|p| {
                            let text = self.rule(|w| w.term(ty, 1).0);
                            format!("{p} = {}", quoted(&text))
                        });
                        format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
                    }
                    _ => quoted(&self.rule(|w| w.term(ty, 1).0)),
                };
                self.fixed = false;
                keys.push(format!("start = {start}"));
            }
            if !dealt && self.dice.one_in(4) {
                keys.push(format!("lasts = {}", self.dice.pick(3)));
            }
            if self.dice.one_in(5) {
                keys.push("identity = false".to_owned());
            }
            page.key(&name, &format!("{{ {} }}", keys.join(", ")));
            self.names.state.push(State { name, ty, per });
        }
    }

    /// Relations, regions, definitions and effects; each names only what was there before.
    fn vocabulary(&mut self, page: &mut Page, said: &mut Said) {
        let mut tables: [Page; 4] = Default::default();
        for _ in 0..[0, 1, 2, 3, 5, 8][self.dice.pick(6)] {
            match self.dice.pick(6) {
                0 | 1 => {
                    let name = self.names.fresh("r");
                    let headed = self.dice.one_in(3);
                    let known = self.names.directions.len();
                    let (head, (text, fixed, one_to_one)) = self.rule(|w| match headed {
                        false => (name.clone(), w.pattern()),
                        true => {
                            let d = w.bind(Type::Direction);
                            // It is named often, or it would not matter.
                            w.names.directions.extend(std::iter::repeat_n(d.clone(), known + 1));
                            (quoted(&format!("{name}({d}: direction)")), w.pattern())
                        }
                    });
                    self.names.directions.truncate(known);
                    tables[0].text(&head, &text);
                    said.patterns.push(format!("relations.{name}"));
                    self.names.relations.push(Relation { name, fixed, one_to_one, named: true, headed });
                }
                2 => {
                    let name = self.names.fresh("z");
                    self.fixed = true;
                    let text = self.rule(|w| w.sites_domain(2));
                    self.fixed = false;
                    tables[1].text(&name, &text);
                    said.exprs.push((format!("regions.{name}"), Type::Sites));
                    self.names.defines.push(Define {
                        name,
                        params: Vec::new(),
                        ty: Type::Sites,
                        fixed: true,
                    });
                }
                _ => self.define(&mut tables[2], said),
            }
        }
        for _ in 0..[0, 0, 1, 2][self.dice.pick(4)] {
            let name = self.names.fresh("e");
            let (head, params, text) = self.headed(&name, |w| w.effects(3, 2));
            tables[3].text(&head, &text);
            said.effects.push(format!("effects.{name}"));
            self.names.effects.push(Define { name, params, ty: Type::Nothing, fixed: false });
        }
        for (table, name) in tables.into_iter().zip(["relations", "regions", "define", "effects"]) {
            if !table.0.is_empty() {
                page.table(name);
                page.0 += &table.0;
            }
        }
    }

    /// Something that may have parameters: its key, their types and what is written with them in sight.
    fn headed(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Writer) -> String,
    ) -> (String, Vec<Type>, String) {
        let count = [0, 0, 1, 2][self.dice.pick(4)];
        self.rule(|w| {
            let mut params = Vec::new();
            let mut heads = Vec::new();
            for _ in 0..count {
                let ty = if w.dice.one_in(3) { Type::Site } else { TYPES[w.dice.pick(TYPES.len())] };
                let name = w.bind(ty);
                heads.push(match ty {
                    Type::Site => name,
                    ty => format!("{name}: {ty}"),
                });
                params.push(ty);
            }
            let head =
                if count == 0 { name.to_owned() } else { quoted(&format!("{name}({})", heads.join(", "))) };
            let text = write(w);
            (head, params, text)
        })
    }

    fn define(&mut self, table: &mut Page, said: &mut Said) {
        let name = self.names.fresh("f");
        let ty = TYPES[self.dice.pick(TYPES.len())];
        if self.dice.one_in(4) {
            let players = self.names.players.clone();
            let each =
                players.into_iter().map(|p| format!("{p} = {}", quoted(&self.rule(|w| w.exactly(ty)))));
            let each: Vec<String> = each.collect();
            table.key(&name, &format!("{{ {} }}", each.join(", ")));
            self.names.defines.push(Define { name, params: Vec::new(), ty, fixed: false });
            return;
        }
        // A parameter is always a site: what is a `site` for a caller must be one.
        let (head, params, text) = self.headed(&name, |w| w.exactly(ty));
        let params: Vec<Type> = params;
        table.text(&head, &text);
        if params.is_empty() && matches!(ty, Type::Sites) {
            said.exprs.push((format!("define.{name}"), ty));
        }
        self.names.defines.push(Define { name, params, ty, fixed: false });
    }

    /// An expression that is of a type, not only of one that widens to it.
    pub fn exactly(&mut self, ty: Type) -> String {
        let text = self.expr(ty);
        match ty {
            Type::Sites => format!("all & ({text})"),
            Type::Kinds => format!("({text}) | {}", self.dice.any(&self.names.kinds).unwrap_or_default()),
            Type::SiteOpt => format!("first({text})"),
            Type::KindOpt => format!("({text}) otherwise kind(none)"),
            _ => text,
        }
    }

    fn setup(&mut self, page: &mut Page) {
        page.table("setup");
        if self.dice.one_in(4) && !self.names.sized {
            let picture = self.picture(" / ");
            page.text("board", &picture);
        }
        // Mostly everybody has something, or else there is not much to play with.
        let mut list = Vec::new();
        let kinds = self.names.kinds.clone();
        if !self.dice.one_in(6) {
            let players = self.names.players.clone();
            for (i, player) in players.iter().enumerate() {
                let kind = self.dice.any(&kinds).unwrap_or_default();
                let rows = self.names.rows;
                let far = if rows > 0 { rows - i as i32 } else { 0 };
                let sites = match (rows, i) {
                    (2.., 0) => "row(1)".to_owned(),
                    (2.., _) if far > 1 && i < 3 => format!("row({far})"),
                    _ => self.dice.any(&self.names.sites).unwrap_or_default(),
                };
                list.push(format!("put {player} {kind} at {sites}"));
            }
        }
        if self.dice.one_in(3) {
            let more = self.rule(|w| w.effects(3, 2));
            list.push(more);
        }
        // Twice from the same set now and then: a draw from what is left.
        let drawn = self.dice.one_in(4);
        if drawn {
            let sites = self.rule(|w| w.term(Type::Sites, 1).0);
            for _ in 0..=self.dice.pick(2) {
                let player = self.dice.any(&self.names.players).unwrap_or_default();
                let kind = self.dice.any(&kinds).unwrap_or_default();
                list.push(format!("put {player} {kind} at drawn(({sites}) & vacant)"));
            }
        }
        if !list.is_empty() {
            page.text("do", &list.join("; "));
        }
        let dealt = self.names.state.iter().find(|s| s.ty == Type::Int && s.per.is_empty());
        if let Some(state) = dealt.map(|s| s.name.clone())
            && !drawn
            && self.dice.one_in(9)
        {
            page.text("text", &format!("{{{state}}}"));
        }
    }

    fn decisions(&mut self, page: &mut Page, said: &mut Said) {
        let count = [1, 1, 2, 2, 3][self.dice.pick(5)];
        let mut known = Vec::new();
        for n in 0..count {
            let name = ["drop", "go", "act"][n];
            page.table(&format!("decisions.{name}"));
            let marks = self.names.locals.len();
            if self.dice.one_in(4) {
                let text = self.rule(|w| w.expr(Type::Bool));
                page.text("when", &text);
            }
            let mut fields = Vec::new();
            if !self.dice.one_in(12) {
                self.left = 30;
                let most = if self.names.sites.len() > 70 { 2 } else { [1, 2, 2, 3][self.dice.pick(4)] };
                let (choose, list) = self.choose(most);
                page.text("choose", &choose);
                fields = list;
            }
            let mut lets = Vec::new();
            for _ in 0..[0, 0, 1, 2][self.dice.pick(4)] {
                let ty = TYPES[self.dice.pick(TYPES.len())];
                let text = self.rule(|w| w.exactly(ty));
                let name = self.bind(ty);
                lets.push(format!("{name} = {}", quoted(&text)));
            }
            if !lets.is_empty() {
                page.key("let", &format!("{{ {} }}", lets.join(", ")));
            }
            if self.dice.one_in(3) {
                let text = self.rule(Writer::condition);
                page.text("where", &text);
                said.conditions.push(format!("decisions.{name}.where"));
            }
            if !self.dice.one_in(10) {
                let text = self.rule(|w| {
                    let depth = w.depth();
                    w.effects(3, depth)
                });
                page.text("do", &text);
                said.effects.push(format!("decisions.{name}.do"));
            }
            if self.dice.one_in(4) {
                let text = self.rule(Writer::condition);
                page.text("keeps", &text);
                said.conditions.push(format!("decisions.{name}.keeps"));
            }
            if self.dice.one_in(8) {
                page.key("repeats", "false");
            }
            // Two decisions that stand beside each other are told apart, mostly.
            let head = if self.dice.one_in(12) { "" } else { &name[..1] };
            page.text("text", &format!("{head}:{}", fields.join("/")));
            if self.dice.one_in(3) {
                // Behind the ply before it a choice may say less, as where a piece goes on from where it is.
                let behind = if self.dice.one_in(3) { fields.len().saturating_sub(1) } else { 0 };
                let mark = self.dice.of(&["-", "+", ":"]);
                page.text("joined", &format!("{mark}{}", fields[behind..].join("/")));
            }
            if self.dice.one_in(9) {
                page.text("by", "chance");
                if self.dice.one_in(2) {
                    let text = self.rule(|w| w.expr(Type::Int));
                    page.text("weight", &text);
                }
            }
            self.names.locals.truncate(marks);
            known.push(name.to_owned());
            // Later decisions may ask whether this one can be made.
            self.names.decisions.push(name.to_owned());
        }
        self.names.decisions = known;
    }

    fn turn(&mut self, page: &mut Page, said: &mut Said) {
        let mut flows = Page::default();
        for _ in 0..[0, 0, 1, 2][self.dice.pick(4)] {
            let name = self.names.fresh("w");
            let depth = self.depth();
            flows.text(&name, &self.rule(|w| w.flow(depth)));
            self.names.flows.push(name);
        }
        if !flows.0.is_empty() {
            page.table("flow");
            page.0 += &flows.0;
        }
        page.table("turn");
        if self.dice.one_in(5) {
            let list: Vec<String> = (0..1 + self.dice.pick(2))
                .map(|_| {
                    let flow = self.rule(|w| w.flow(1));
                    let by = if self.dice.one_in(3) { format!("({flow}) by {}", self.who()) } else { flow };
                    quoted(&by)
                })
                .collect();
            page.key("opening", &format!("[{}]", list.join(", ")));
        }
        let depth = [0, 0, 1, 2, 3][self.dice.pick(5)];
        page.text("main", &self.rule(|w| w.flow(depth)));
        if self.dice.one_in(3) {
            page.text("finish", &self.rule(|w| w.effects(2, 2)));
            said.effects.push("turn.finish".to_owned());
        }
        if self.dice.one_in(5) {
            page.text("skip", &self.rule(|w| w.expr(Type::Bool)));
            said.conditions.push("turn.skip".to_owned());
        }
        if !self.dice.one_in(3) {
            page.text("stuck", &self.rule(|w| w.outcome(true, 2)));
        }
    }

    fn ends(&mut self, page: &mut Page, said: &mut Said) {
        for n in 0..[0, 0, 1, 1, 2][self.dice.pick(5)] {
            let name = ["near", "last"][n % 2];
            page.table(&format!("end.{name}-end"));
            let often = self.rule(|w| w.expr(Type::Bool));
            let when = if self.dice.one_in(3) {
                often
            } else {
                format!("ply > {} and ({often})", self.dice.pick(9))
            };
            page.text("when", &when);
            page.text("result", &self.rule(|w| w.outcome(false, 2)));
            if self.dice.one_in(2) {
                page.text("at", ["ply", "turn"][self.dice.pick(2)]);
            }
            if self.dice.one_in(4) {
                page.key("perft", "false");
            }
            said.drops.push(format!("end.{name}-end"));
            said.conditions.push(format!("end.{name}-end.when"));
        }
        if page.0.contains("score") || self.dice.one_in(4) {
            page.table("score");
            page.text("value", &self.rule(|w| w.expr(Type::Int)));
            said.exprs.push(("score.value".to_owned(), Type::Int));
        }
        if self.dice.one_in(12) {
            page.table("match");
            page.key("target", "9");
            let points = self.rule(|w| {
                w.names.locals.push(("won".to_owned(), Type::Bool));
                w.names.locals.push(("score".to_owned(), Type::Int));
                w.expr(Type::Int)
            });
            page.text("points", &points);
        }
    }

    fn position(&mut self, page: &mut Page) {
        if !self.dice.one_in(4) {
            return;
        }
        page.table("position");
        let mut fields = vec!["{board}".to_owned(), "{turn}".to_owned()];
        for state in self.names.state.clone() {
            if self.dice.one_in(2) {
                fields.push(format!("{{{}}}", state.name));
            }
            if state.ty == Type::Sites && self.dice.one_in(3) {
                let sites: Vec<String> = self.names.sites.clone();
                let letters = sites
                    .iter()
                    .zip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".chars())
                    .map(|(s, l)| format!("{s} = \"{l}\""));
                page.key(&state.name, &format!("{{ {} }}", letters.collect::<Vec<_>>().join(", ")));
            }
        }
        if self.dice.one_in(2) {
            fields.push("{round}".to_owned());
        }
        page.text("text", &fields.join(" "));
        if self.dice.one_in(3) {
            let each = self.names.players.iter().map(|p| format!("{p} = \"{}\"", &p[..3]));
            page.key("turn", &format!("{{ {} }}", each.collect::<Vec<_>>().join(", ")));
        }
        if self.dice.one_in(4) {
            page.text("empty", "none");
        }
        if self.dice.one_in(6) {
            // What is tidy stays as it is.
            page.text("tidy", "if false then remove all");
        }
    }
}
