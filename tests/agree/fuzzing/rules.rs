//! Random effects, patterns, choices, flows and outcomes.

use farrier::semantics::Type;

use super::words::{Binds, OptionName, Relation, State, Writer};

impl Writer {
    /// A list of up to so many effects.
    pub fn effects(&mut self, most: usize, depth: usize) -> String {
        self.within(|w| {
            let count = 1 + w.dice.pick(most);
            let list: Vec<String> = (0..count).map(|_| w.effect(depth)).collect();
            list.join("; ")
        })
    }

    /// An effect whose names go when it ends.
    fn inner(&mut self, depth: usize) -> String {
        let text = self.within(|w| w.effect(depth));
        // Nothing is bound for one effect alone, and an `else` goes to the `if` next to it.
        if text.starts_with("let ") || text.starts_with("if ") { format!("({text})") } else { text }
    }

    fn effect(&mut self, depth: usize) -> String {
        self.left -= 1;
        let depth = if self.left <= 0 { 0 } else { depth };
        let less = depth.saturating_sub(1);
        match self.dice.pick(if depth > 0 { 21 } else { 13 }) {
            0..=2 => {
                let at = self.term(Type::Sites, depth).0;
                format!("put {} at {at}", self.piece(true))
            }
            3..=5 => {
                let from = self.term(Type::SiteOpt, depth).at(Binds::Otherwise);
                let to = self.term(Type::SiteOpt, depth).at(Binds::Otherwise);
                let word = if self.names.stacks && self.dice.one_in(3) { "under " } else { "" };
                let most = if self.names.stacks && self.dice.one_in(2) {
                    format!(" upto {}", self.term(Type::Int, depth).at(Binds::Otherwise))
                } else {
                    String::new()
                };
                format!("move {from} -> {word}{to}{most}")
            }
            6 => format!("remove {}", self.term(Type::Sites, depth).0),
            7 => format!("lift {}", self.term(Type::Sites, depth).0),
            8 => {
                let at = self.term(Type::Sites, depth).at(Binds::Otherwise);
                format!("turn {at} -> {}", self.piece(false))
            }
            9..=12 => self.assign(depth).unwrap_or_else(|| "remove none".to_owned()),
            13 if self.names.players.len() == 2 => "swap sides".to_owned(),
            14 if !self.names.stacks => {
                let carries = |r: &&Relation| r.named && r.fixed && r.one_to_one;
                let one: Vec<Relation> = self.names.relations.iter().filter(carries).cloned().collect();
                match self.dice.any(&one) {
                    Some(relation) => {
                        let name = self.in_direction(&relation, depth);
                        let converse = if self.dice.one_in(3) { "~" } else { "" };
                        format!(
                            "carry {} by {converse}{name}",
                            self.term(Type::Sites, depth).at(Binds::Otherwise)
                        )
                    }
                    None => self.effect(0),
                }
            }
            15 | 16 => {
                let types = [Type::Int, Type::SiteOpt, Type::Sites, Type::KindOpt, Type::Bool, Type::Player];
                let ty = types[self.dice.pick(types.len())];
                let value = match (ty, self.dice.any(&self.names.kinds)) {
                    (Type::KindOpt, Some(kind)) => {
                        format!("kind({}) otherwise {kind}", self.term(Type::SiteOpt, less).0)
                    }
                    (Type::SiteOpt, _) => format!("first({})", self.term(Type::Sites, less).0),
                    (Type::Sites, _) => self.sites_domain(less),
                    _ => self.term(ty, less).0,
                };
                let name = self.bind(ty);
                format!("let {name} = {value}")
            }
            17 | 18 => {
                let cond = self.term(Type::Bool, less).0;
                let yes = self.inner(less);
                match self.dice.one_in(2) {
                    true => format!("if {cond} then {yes}"),
                    false => format!("if {cond} then {yes} else {}", self.inner(less)),
                }
            }
            19 if self.loops < self.most_loops => self.within(|w| {
                let domain = w.domain(less);
                w.loops += 1;
                let name = w.bind(domain.1);
                format!("for {name} in {} : {}", domain.0, w.inner(less))
            }),
            20 => match self.dice.any(&self.names.effects) {
                Some(effect) => {
                    let args: Vec<String> = effect.params.iter().map(|ty| self.term(*ty, less).0).collect();
                    format!("{}({})", effect.name, args.join(", "))
                }
                None => format!("({})", self.effects(3, less)),
            },
            _ => self.effect(0),
        }
    }

    fn assign(&mut self, depth: usize) -> Option<String> {
        let State { name, ty, per } = self.dice.any(&self.names.state)?;
        let signs: &[&str] = match ty {
            Type::Int => &["=", "+=", "-="],
            Type::Sites | Type::Kinds => &["=", "|=", "&=", "-="],
            _ => &["="],
        };
        let sign = self.dice.of(signs);
        let place = self.entry(&name, &per, depth);
        Some(format!("{place} {sign} {}", self.term(ty, depth).0))
    }

    /// How a piece is named.
    fn piece(&mut self, put: bool) -> String {
        let mut words: Vec<String> = Vec::new();
        let players: Vec<String> =
            self.names.locals.iter().filter(|(_, t)| *t == Type::Player).map(|(n, _)| n.clone()).collect();
        match self.dice.pick(8) {
            0..=2 => words.push("own".to_owned()),
            3 if self.names.players.len() == 2 => words.push("enemy".to_owned()),
            4 => words.push("neutral".to_owned()),
            5 => words.extend(self.dice.any(&players)),
            6 => words.extend(self.dice.any(&self.names.players)),
            _ => {}
        }
        if put && !self.names.stacks && self.dice.one_in(5) {
            words.push(self.dice.of(&["single", "double"]).to_owned());
        }
        let locals = self.names.locals.iter().filter(|(_, t)| matches!(t, Type::Kind | Type::KindOpt));
        let locals: Vec<String> = locals.map(|(name, _)| name.clone()).collect();
        let one = self.names.kinds.len() == 1;
        let left_out =
            if put { one && self.dice.one_in(2) } else { !words.is_empty() && self.dice.one_in(2) };
        if !left_out || words.is_empty() {
            let local = self.dice.any(&locals).filter(|_| self.dice.one_in(2));
            words.extend(local.or(self.dice.any(&self.names.kinds)));
        }
        self.dice.shuffle(&mut words);
        words.join(" ")
    }

    /// A pattern; whether it is the same in every position, and whether it is one-to-one.
    pub fn pattern(&mut self) -> (String, bool, bool) {
        let (mut fixed, mut one) = (true, true);
        let count = [1, 1, 1, 2, 3][self.dice.pick(5)];
        let mut walks = Vec::new();
        for _ in 0..count {
            let (text, still, single) = self.walk();
            fixed &= still;
            one &= single && count == 1;
            walks.push(text);
        }
        (walks.join(" or "), fixed, one)
    }

    /// A piece in Betza's notation.
    fn betza(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.dice.pick(3) {
            text += self.dice.of(&["", "", "m", "c", "i"]);
            text += self.dice.of(&["", "", "f", "b", "l", "r", "v", "s", "fs", "fl", "ff", "rb", "fh", "hr"]);
            let single = self.dice.one_in(2);
            text += self.dice.of(if single { &["", "n"] } else { &["", "p"] });
            let atom = self.dice.of(&["W", "F", "D", "N", "A", "H", "C", "Z", "K", "G"]);
            text += atom;
            if !single {
                text += self.dice.of(&["0", "2", "3", atom]);
            }
        }
        text
    }

    fn walk(&mut self) -> (String, bool, bool) {
        let direction = |w: &mut Writer| w.dice.any(&w.names.directions).unwrap_or_default();
        let (mut fixed, mut one) = (true, false);
        let text = match self.dice.pick(12) {
            0..=3 => {
                one = self.dice.one_in(2);
                let count = if one { 1 } else { 1 + self.dice.pick(2) };
                let list: Vec<String> = (0..count).map(|_| direction(self)).collect();
                format!("step {}", list.join(" "))
            }
            4..=6 if self.dice.one_in(4) => {
                fixed = false;
                match self.names.rows > 0 && self.dice.one_in(2) {
                    true => format!("ride {},{}", self.dice.pick(3), 1 + self.dice.pick(2)),
                    false => format!("ride {} {}", direction(self), direction(self)),
                }
            }
            4..=6 => {
                fixed = false;
                format!("slide {}", direction(self))
            }
            7 if self.names.square && self.names.players.len() <= 4 && self.dice.one_in(3) => {
                return (format!("betza {}", self.betza()), false, false);
            }
            7 if self.names.rows > 0 => format!("leap {},{}", self.dice.pick(3), 1 + self.dice.pick(2)),
            8 => {
                one = true;
                let list: Vec<String> = (0..1 + self.dice.pick(3)).map(|_| direction(self)).collect();
                format!("walk {}", list.join(" "))
            }
            9 => {
                one = true;
                let mut sites = self.names.sites.clone();
                self.dice.shuffle(&mut sites);
                sites.truncate(2 + self.dice.pick(4));
                if sites.len() > 1 {
                    return (format!("pairs {}", sites.join("-")), true, true);
                }
                "step any".to_owned()
            }
            10 => return ("none".to_owned(), true, true),
            _ => "step any".to_owned(),
        };
        let slide = text.starts_with("slide") || text.starts_with("ride");
        let mut clauses = String::new();
        let mut clause = |w: &mut Writer, word: &str| {
            let depth = 1 + w.dice.pick(2);
            let set = w.term(Type::Sites, depth).at(Binds::Sum);
            clauses += &format!(" {word} {set}");
        };
        let lame = (text.starts_with("leap") || text.starts_with("walk")) && self.dice.one_in(3);
        if lame || slide && self.dice.one_in(3) {
            clause(self, "through");
        }
        if (slide || text.starts_with("step")) && self.dice.one_in(4) {
            clause(self, "over");
        }
        if self.dice.one_in(4) {
            clause(self, "onto");
        }
        if self.dice.one_in(8) {
            clause(self, "leaving");
        }
        if slide && self.dice.one_in(3) {
            let numbers = self.names.options.iter().filter_map(|o| match o {
                OptionName::Number(name) => Some(name.clone()),
                _ => None,
            });
            let numbers: Vec<String> = numbers.collect();
            let most = self.dice.any(&numbers).unwrap_or_else(|| self.dice.between(0, 4).to_string());
            clauses += &format!(" upto {most}");
        }
        if !clauses.is_empty() {
            (fixed, one) = (false, false);
        }
        (text + &clauses, fixed, one)
    }

    /// What is chosen, and the field of each name in a text. The names stay in sight.
    pub fn choose(&mut self, most: usize) -> (String, Vec<String>) {
        let mut choices = Vec::new();
        let mut fields = Vec::new();
        for _ in 0..1 + self.dice.pick(most) {
            let depth = self.depth().min(2);
            let (text, name) = match self.dice.pick(14) {
                0 => {
                    let (low, high) = (self.dice.between(-2, 2), self.dice.between(0, 4));
                    let name = self.bind(Type::Int);
                    (format!("{name} in {low}..{high}"), name)
                }
                1 if self.dice.one_in(2) && !self.names.directions.is_empty() => {
                    let group = self.dice.any(&self.names.directions).unwrap_or_default();
                    let name = self.bind(Type::Direction);
                    (format!("{name} in {group}"), name)
                }
                1 => {
                    let name = self.bind(Type::Player);
                    (format!("{name} in players"), name)
                }
                2 => {
                    let domain = self.kinds_domain(depth).0;
                    let maybe = self.dice.one_in(2);
                    let name = self.bind(if maybe { Type::KindOpt } else { Type::Kind });
                    (format!("{name}{} in {domain}", if maybe { "?" } else { "" }), name)
                }
                n => {
                    let domain = match n {
                        3 | 4 => "own".to_owned(),
                        5 | 6 => "vacant".to_owned(),
                        7 => {
                            let set = self.term(Type::SiteOpt, depth).at(Binds::Sum);
                            format!("{set} otherwise {}", self.sites_domain(1))
                        }
                        _ => self.sites_domain(depth),
                    };
                    let maybe = self.dice.one_in(7);
                    let name = self.bind(if maybe { Type::SiteOpt } else { Type::Site });
                    (format!("{name}{} in {domain}", if maybe { "?" } else { "" }), name)
                }
            };
            choices.push(text);
            fields.push(if self.dice.one_in(12) { format!("{{{name}:02}}") } else { format!("{{{name}}}") });
        }
        (choices.join(", "), fields)
    }

    /// A turn flow.
    pub fn flow(&mut self, depth: usize) -> String {
        let unit = self.flow_unit(depth);
        if depth == 0 || !self.dice.one_in(4) {
            return unit;
        }
        let rest = self.flow_unit(depth - 1);
        format!("{unit}, {rest}")
    }

    /// One thing of a flow: what may stand after `try` and its like, perhaps with `if` and `by`.
    fn flow_unit(&mut self, depth: usize) -> String {
        let text = self.flow_prefixed(depth);
        let test = match self.dice.one_in(6) {
            true => {
                self.left = self.left.max(8);
                format!(" if {}", self.term(Type::Bool, 1).at(Binds::Test))
            }
            false => String::new(),
        };
        let by = if self.dice.one_in(5) { format!(" by {}", self.who()) } else { String::new() };
        match text.starts_with("either") && !(test.is_empty() && by.is_empty()) {
            true => format!("({text}){test}{by}"),
            false => format!("{text}{test}{by}"),
        }
    }

    fn flow_prefixed(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            let mut acts = self.names.decisions.clone();
            acts.extend(self.names.flows.iter().cloned());
            return match self.dice.one_in(10) {
                true => "pass".to_owned(),
                false => self.dice.any(&acts).unwrap_or_else(|| "pass".to_owned()),
            };
        };
        let grouped = |w: &mut Writer| match w.flow_prefixed(depth) {
            one if one.starts_with("either") => format!("({one})"),
            one => one,
        };
        match self.dice.pick(10) {
            0 | 1 => {
                let steps: Vec<String> = (0..2 + self.dice.pick(2)).map(|_| grouped(self)).collect();
                format!("either {}", steps.join(" or "))
            }
            2 => format!("try {}", grouped(self)),
            3 => format!("may {}", grouped(self)),
            4 => match grouped(self) {
                // To decline again and again is refused.
                may if may.starts_with("may") => may,
                one => format!("repeat {one}"),
            },
            5 if self.dice.one_in(3) => {
                let one = grouped(self);
                match self.dice.one_in(2) {
                    true => format!("longest {one}"),
                    false => format!("longest ({one}, repeat {one})"),
                }
            }
            6 => format!("({})", self.flow(depth)),
            _ => self.flow_prefixed(0),
        }
    }

    /// A player by a name, in flows and outcomes.
    pub fn who(&mut self) -> String {
        let two = self.names.players.len() == 2;
        match self.dice.pick(5) {
            0 if two => "opponent".to_owned(),
            1 => "next".to_owned(),
            2 | 3 => self.dice.any(&self.names.players).unwrap_or_default(),
            _ => {
                let defines = self.names.defines.iter();
                let players = defines.filter(|d| d.ty == Type::Player && d.params.is_empty());
                let players: Vec<String> = players.map(|d| d.name.clone()).collect();
                self.dice.any(&players).unwrap_or_else(|| "mover".to_owned())
            }
        }
    }

    /// An outcome; a pass is one of a stuck mover only.
    pub fn outcome(&mut self, stuck: bool, depth: usize) -> String {
        match self.dice.pick(9) {
            0 if stuck => "pass".to_owned(),
            1 => "draw".to_owned(),
            2 => "score".to_owned(),
            3 if self.names.players.len() > 1 => format!("{} loses", self.who()),
            4 | 5 if depth > 0 => {
                let cond = self.term(Type::Bool, 1).0;
                let (yes, no) = (self.outcome(stuck, depth - 1), self.outcome(stuck, depth - 1));
                format!("if {cond} then {yes} else {no}")
            }
            6 => format!("places by {}", self.term(Type::Int, depth.min(1)).0),
            _ => format!("{} wins", self.who()),
        }
    }
}
