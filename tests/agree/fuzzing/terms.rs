//! Random expressions of a type that is wanted.

use farrier::semantics::Type;

use super::words::{Binds, OptionName, Relation, Term, Writer};

/// What a bound name ranges over: its text, and the type of its members.
pub struct Domain(pub String, pub Type);

impl Writer {
    /// An expression of a type (or of one that widens to it), as text.
    pub fn expr(&mut self, ty: Type) -> String {
        let depth = self.depth();
        self.term(ty, depth).0
    }

    /// An expression of a type, or of one that widens to it.
    pub fn term(&mut self, ty: Type, depth: usize) -> Term {
        self.left -= 1;
        let depth = if self.left <= 0 { 0 } else { depth };
        // What a game has of its own is what matters most.
        if self.dice.one_in(3)
            && let Some(term) = self.named(ty, depth)
        {
            return term;
        }
        if depth > 0 && self.dice.one_in(9) {
            return self.common(ty, depth - 1);
        }
        match ty {
            Type::Bool => self.bool(depth),
            Type::Int => self.int(depth),
            Type::Site | Type::SiteOpt => self.site(ty, depth),
            Type::Kind | Type::KindOpt => self.kind(ty, depth),
            Type::Kinds => self.kinds(depth),
            Type::Player => self.player(depth),
            Type::Direction => self.direction(depth),
            _ => self.sites(depth),
        }
    }

    /// The same, where `none` would have no type.
    fn typed(&mut self, ty: Type, depth: usize) -> Term {
        let term = self.term(ty, depth);
        match (term.0.as_str(), ty) {
            ("none", Type::Sites) => Term("all & none".to_owned(), Binds::Product),
            ("none", Type::Kinds) => Term::word(self.dice.any(&self.names.kinds).unwrap_or_default()),
            ("none", Type::SiteOpt) => Term::word("first(none)"),
            ("none", _) => Term::word("kind(none)"),
            _ => term,
        }
    }

    /// Two terms and what stands between them.
    fn pair(&mut self, ty: Type, word: &str, binds: Binds, depth: usize) -> Term {
        let left = self.typed(ty, depth).at(binds);
        // To the right of an operator what binds alike needs brackets; open forms may stand after words.
        let right = self.typed(ty, depth);
        let open = matches!(binds, Binds::Or | Binds::And) && right.1 == Binds::Open;
        let right = if open || right.1 > binds { right.0 } else { format!("({})", right.0) };
        Term(format!("{left} {word} {right}"), binds)
    }

    /// A set to begin from: often one site at most.
    fn origin(&mut self, depth: usize) -> String {
        let ty = if self.dice.one_in(2) { Type::SiteOpt } else { Type::Sites };
        self.term(ty, depth).0
    }

    /// A call of something with arguments of these types.
    fn call(&mut self, name: &str, args: &[Type], depth: usize) -> Term {
        let args: Vec<String> = args.iter().map(|ty| self.term(*ty, depth).0).collect();
        Term::word(format!("{name}({})", args.join(", ")))
    }

    /// A local, a state variable, a definition, an option: whatever has a name and fits.
    fn named(&mut self, ty: Type, depth: usize) -> Option<Term> {
        let names = &self.names;
        let fits = |found: Type| found.widens_to(ty) || found == ty;
        let locals = names.locals.iter().filter(|(_, t)| fits(*t)).map(|(name, _)| Term::word(name));
        let mut found: Vec<Term> = locals.collect();
        let options = names.options.iter().filter_map(|option| match option {
            OptionName::Flag(name) if ty == Type::Bool => Some(Term::word(name)),
            OptionName::Number(name) if ty == Type::Int => Some(Term::word(name)),
            OptionName::Words(name, words) if ty == Type::Bool => {
                Some(Term(format!("{name} is {}", words[0]), Binds::Test))
            }
            _ => None,
        });
        found.extend(options);
        // A group, a kind and a player are sites too, but a local is what a rule is about.
        let plain = found.len();
        let defines: Vec<_> =
            names.defines.iter().filter(|d| fits(d.ty) && (d.fixed || !self.fixed)).cloned().collect();
        let state: Vec<_> = names.state.iter().filter(|s| fits(s.ty) && !self.fixed).cloned().collect();
        let sum = plain * 2 + defines.len() + state.len();
        if sum == 0 {
            return None;
        }
        let i = self.dice.pick(sum);
        if i < plain * 2 {
            return Some(found.swap_remove(i / 2));
        }
        if let Some(d) = defines.get(i - plain * 2) {
            if depth == 0 && !d.params.is_empty() {
                return None;
            }
            if !d.params.is_empty() {
                let by = match self.dice.one_in(4) {
                    true => format!("[{}]", self.term(Type::Player, depth.saturating_sub(1)).0),
                    false => String::new(),
                };
                return Some(self.call(&format!("{}{by}", d.name), &d.params, depth.saturating_sub(1)));
            }
            return Some(match self.dice.one_in(3) {
                true => {
                    let who = self.term(Type::Player, depth.saturating_sub(1)).0;
                    Term::word(format!("{}[{who}]", d.name))
                }
                false => Term::word(&d.name),
            });
        }
        let s = &state[i - plain * 2 - defines.len()];
        Some(Term::word(self.entry(&s.name, &s.per, depth)))
    }

    /// An entry of a state variable.
    pub fn entry(&mut self, name: &str, per: &[&str], depth: usize) -> String {
        if per.is_empty() {
            return name.to_owned();
        }
        let index = per.iter().map(|per| {
            let ty = match *per {
                "player" => Type::Player,
                "site" => Type::SiteOpt,
                "direction" => Type::Direction,
                _ => Type::KindOpt,
            };
            self.term(ty, depth.saturating_sub(1)).0
        });
        format!("{name}[{}]", index.collect::<Vec<_>>().join(", "))
    }

    /// Forms that values of all types have.
    fn common(&mut self, ty: Type, depth: usize) -> Term {
        if self.dice.one_in(4) && !self.fixed && self.loops < self.most_loops {
            return self.within(|w| {
                w.loops += 1;
                let effects = w.effects(1, depth.min(1));
                Term(format!("after ({effects}) : {}", w.term(ty, depth).0), Binds::Open)
            });
        }
        if self.dice.one_in(3) {
            let of = [Type::Int, Type::SiteOpt, Type::Sites, Type::Player, Type::Direction];
            let of = of[self.dice.pick(of.len())];
            let value = self.exactly(of);
            return self.within(|w| {
                let name = w.bind(of);
                Term(format!("let {name} = {value} : {}", w.term(ty, depth).0), Binds::Open)
            });
        }
        let cond = self.term(Type::Bool, depth).0;
        let (yes, no) = (self.term(ty, depth).0, self.term(ty, depth).0);
        Term(format!("if {cond} then {yes} else {no}"), Binds::Open)
    }

    fn bool(&mut self, depth: usize) -> Term {
        let Some(depth) = depth.checked_sub(1) else {
            return match self.dice.pick(5) {
                0 => Term::word(["true", "false"][self.dice.pick(2)]),
                n => {
                    let set = self.typed(Type::Sites, 0).at(Binds::Otherwise);
                    Term(format!("{} {set}", ["some", "no"][n % 2]), Binds::Test)
                }
            };
        };
        match self.dice.pick(13) {
            0 | 1 => {
                let ty = if self.dice.one_in(4) { Type::Kinds } else { Type::Sites };
                let set = self.typed(ty, depth);
                let word = self.dice.of(&["some", "no"]);
                Term(format!("{word} {}", set.at(Binds::Otherwise)), Binds::Test)
            }
            2 | 3 => {
                let (one, many) = match self.dice.one_in(4) {
                    true => (Type::KindOpt, Type::Kinds),
                    false => (Type::SiteOpt, Type::Sites),
                };
                let one = self.typed(one, depth).at(Binds::Otherwise);
                let many = self.term(many, depth).at(Binds::Otherwise);
                let word = self.dice.of(&["in", "not in"]);
                Term(format!("{one} {word} {many}"), Binds::Test)
            }
            4 | 5 => {
                let a = self.term(Type::Int, depth).at(Binds::Otherwise);
                let b = self.term(Type::Int, depth).at(Binds::Otherwise);
                let word = self.dice.of(&["=", "!=", "<", "<=", ">", ">="]);
                Term(format!("{a} {word} {b}"), Binds::Test)
            }
            6 => {
                let types =
                    [Type::SiteOpt, Type::Sites, Type::KindOpt, Type::Kinds, Type::Player, Type::Bool];
                let ty = types[self.dice.pick(types.len())];
                let a = self.term(ty, depth).at(Binds::Otherwise);
                let b = self.term(ty, depth).at(Binds::Otherwise);
                let word = self.dice.of(&["=", "!="]);
                Term(format!("{a} {word} {b}"), Binds::Test)
            }
            7 => self.pair(Type::Bool, "and", Binds::And, depth),
            8 => self.pair(Type::Bool, "or", Binds::Or, depth),
            9 => Term(format!("not {}", self.term(Type::Bool, depth).at(Binds::Atom)), Binds::Unary),
            10 if !self.fixed && !self.names.decisions.is_empty() => {
                let decision = self.dice.any(&self.names.decisions).unwrap_or_default();
                match self.dice.one_in(3) {
                    true => {
                        let who = self.term(Type::Player, depth).0;
                        Term::word(format!("can({decision}, {who})"))
                    }
                    false => Term::word(format!("can({decision})")),
                }
            }
            _ => {
                let word = self.dice.of(&["some", "every", "no"]);
                self.quantified(word, Type::Bool, depth).unwrap_or_else(|| self.bool(0))
            }
        }
    }

    /// `word x in D : body`, unless too many loops stand around.
    fn quantified(&mut self, word: &str, body: Type, depth: usize) -> Option<Term> {
        if self.loops >= self.most_loops {
            return None;
        }
        let Domain(domain, ty) = self.domain(depth);
        Some(self.within(|w| {
            w.loops += 1;
            let name = w.bind(ty);
            let body = w.term(body, depth).0;
            Term(format!("{word} {name} in {domain} : {body}"), Binds::Open)
        }))
    }

    /// What a name ranges over.
    pub fn domain(&mut self, depth: usize) -> Domain {
        match self.dice.pick(10) {
            0 if self.dice.one_in(2) && !self.names.directions.is_empty() => {
                let group = self.dice.any(&self.names.directions).unwrap_or_default();
                Domain(group, Type::Direction)
            }
            0 => Domain("players".to_owned(), Type::Player),
            1 => {
                let low = self.dice.between(-1, 2);
                let high = match self.dice.one_in(3) {
                    true => format!("min({}, 4)", self.term(Type::Int, depth.min(1)).0),
                    false => self.dice.between(-1, 4).to_string(),
                };
                Domain(format!("{low}..{high}"), Type::Int)
            }
            2 => self.kinds_domain(depth),
            _ => {
                let set = self.sites_domain(depth);
                Domain(set, Type::Site)
            }
        }
    }

    /// A set of kinds to range over: never the name of one kind, which would mean its pieces.
    pub fn kinds_domain(&mut self, depth: usize) -> Domain {
        let kinds = self.term(Type::Kinds, depth).at(Binds::Otherwise);
        let kind = self.dice.any(&self.names.kinds).unwrap_or_default();
        Domain(format!("({kinds} | {kind})"), Type::Kind)
    }

    /// A set of sites to range over.
    pub fn sites_domain(&mut self, depth: usize) -> String {
        let set = self.term(Type::Sites, depth);
        // A set of kinds that widens would be a domain of kinds.
        let plain = ["own", "vacant", "all", "occupied", "enemy"];
        let starts = plain.iter().any(|w| set.0 == *w);
        if starts { set.0 } else { format!("all & {}", set.at(Binds::Unary)) }
    }

    fn int(&mut self, depth: usize) -> Term {
        let Some(depth) = depth.checked_sub(1) else {
            return match self.dice.pick(9) {
                0 if !self.fixed => Term::word(self.dice.of(&["ply", "round", "passes", "seen"])),
                1 if !self.fixed => Term::word(format!("count({})", self.term(Type::Sites, 0).0)),
                2 => Term::word(self.dice.of(&["2147483647", "65536", "255", "31", "63", "64"])),
                3 => Term(format!("-{}", self.dice.pick(4)), Binds::Unary),
                4 => Term("-2147483648".to_owned(), Binds::Unary),
                _ => Term::word(self.dice.pick(6).to_string()),
            };
        };
        match self.dice.pick(16) {
            0 | 1 => self.call("count", &[Type::Sites], depth),
            2 if !self.fixed => self.call("count", &[Type::Kinds], depth),
            3 if !self.fixed => self.call("height", &[Type::SiteOpt], depth),
            4 => {
                let name = self.dice.of(&["row", "column"]);
                self.call(name, &[Type::SiteOpt], depth)
            }
            5 => {
                let (x, y) = (self.term(Type::SiteOpt, depth).0, self.term(Type::SiteOpt, depth).0);
                Term::word(format!("distance({x}, {y}{})", self.along()))
            }
            6 => {
                let name = self.dice.of(&["min", "max"]);
                self.call(name, &[Type::Int, Type::Int], depth)
            }
            7 => self.call("abs", &[Type::Int], depth),
            8 => self.pair(Type::Int, "+", Binds::Sum, depth),
            9 => self.pair(Type::Int, "-", Binds::Sum, depth),
            10 => {
                let word = self.dice.of(&["*", "/", "%"]);
                self.pair(Type::Int, word, Binds::Product, depth)
            }
            11 if !self.names.int_traits.is_empty() && !self.fixed => {
                let name = self.dice.any(&self.names.int_traits).unwrap_or_default();
                let ty = if self.dice.one_in(3) { Type::KindOpt } else { Type::SiteOpt };
                self.call(&name, &[ty], depth)
            }
            12 | 13 => {
                let counted = self.dice.one_in(2);
                let (word, body) = if counted { ("count", Type::Bool) } else { ("sum", Type::Int) };
                self.quantified(word, body, depth).unwrap_or_else(|| self.int(0))
            }
            _ => self.int(0),
        }
    }

    /// `, R`, or nothing.
    fn along(&mut self) -> String {
        if self.dice.one_in(2) {
            return String::new();
        }
        let name = self.relation().unwrap_or_else(|| "near".to_owned());
        let converse = if self.dice.one_in(3) { "~" } else { "" };
        format!(", {converse}{name}")
    }

    /// The name of a relation or pattern trait.
    fn relation(&mut self) -> Option<String> {
        let fixed = self.fixed;
        let list: Vec<_> = self.names.relations.iter().filter(|r| r.fixed || !fixed).cloned().collect();
        let relation = self.dice.any(&list)?;
        Some(self.in_direction(&relation, 0))
    }

    /// The name of a relation, with a direction where it goes in one.
    pub fn in_direction(&mut self, relation: &Relation, depth: usize) -> String {
        match relation.headed {
            true => format!("{}[{}]", relation.name, self.direction(depth).0),
            false => relation.name.clone(),
        }
    }

    /// One direction.
    fn direction(&mut self, depth: usize) -> Term {
        let locals = self.names.locals.iter().filter(|(_, t)| *t == Type::Direction);
        let locals: Vec<String> = locals.map(|(name, _)| name.clone()).collect();
        let label = match self.dice.any(&locals) {
            Some(local) if !self.dice.one_in(3) => local,
            _ => self.dice.any(&self.names.labels).unwrap_or_default(),
        };
        match depth > 0 && self.dice.one_in(3) {
            true => Term::word(format!("opposite({})", self.direction(depth - 1).0)),
            false => Term::word(label),
        }
    }

    fn site(&mut self, ty: Type, depth: usize) -> Term {
        let maybe = ty == Type::SiteOpt;
        if !maybe || depth == 0 {
            return match self.dice.pick(4) {
                0 if maybe => Term::word("none"),
                1 if maybe => Term::word(format!("first({})", self.term(Type::Sites, 0).0)),
                2 if maybe => Term::word(format!("only({})", self.term(Type::Sites, 0).0)),
                _ => {
                    let locals = self.names.locals.iter().filter(|(_, t)| *t == Type::Site);
                    let locals: Vec<String> = locals.map(|(name, _)| name.clone()).collect();
                    Term::word(
                        self.dice.any(&locals).or(self.dice.any(&self.names.sites)).unwrap_or_default(),
                    )
                }
            };
        }
        let depth = depth - 1;
        match self.dice.pick(7) {
            0 => {
                let name = self.dice.of(&["&", "-"]);
                let binds = if name == "&" { Binds::Product } else { Binds::Sum };
                let left = self.typed(Type::SiteOpt, depth).at(binds);
                let right = self.term(Type::Sites, depth).at(Binds::Unary);
                Term(format!("{left} {name} {right}"), binds)
            }
            1 => self.pair(Type::SiteOpt, "otherwise", Binds::Otherwise, depth),
            2 | 3 => self.call("first", &[Type::Sites], depth),
            4 | 5 => self.call("only", &[Type::Sites], depth),
            _ => self.site(ty, 0),
        }
    }

    fn kind(&mut self, ty: Type, depth: usize) -> Term {
        let named = Term::word(self.dice.any(&self.names.kinds).unwrap_or_default());
        if ty == Type::Kind {
            return named;
        }
        match (depth, self.dice.pick(5)) {
            (_, 0) => Term::word("none"),
            (1.., 1) if !self.fixed && self.dice.one_in(2) => {
                self.call("kind", &[Type::SiteOpt, Type::Int], depth - 1)
            }
            (1.., 1) if !self.fixed => self.call("kind", &[Type::SiteOpt], depth - 1),
            (1.., 2) if !self.names.kind_traits.is_empty() && !self.fixed => {
                let name = self.dice.any(&self.names.kind_traits).unwrap_or_default();
                let of = if self.dice.one_in(2) { Type::KindOpt } else { Type::SiteOpt };
                self.call(&name, &[of], depth - 1)
            }
            (1.., 3) => self.pair(Type::KindOpt, "otherwise", Binds::Otherwise, depth - 1),
            _ => named,
        }
    }

    fn kinds(&mut self, depth: usize) -> Term {
        let group = self.dice.any(&self.names.groups).map(Term::word);
        let Some(depth) = depth.checked_sub(1) else {
            return match group {
                Some(group) if !self.dice.one_in(3) => group,
                _ if self.dice.one_in(6) => Term::word("none"),
                _ => self.kind(Type::Kind, 0),
            };
        };
        match self.dice.pick(6) {
            0 => self.pair(Type::Kinds, "|", Binds::Sum, depth),
            1 => self.pair(Type::Kinds, "-", Binds::Sum, depth),
            2 => self.pair(Type::Kinds, "&", Binds::Product, depth),
            3 => Term(format!("not {}", self.term(Type::Kinds, depth).at(Binds::Atom)), Binds::Unary),
            4 if self.loops < self.most_loops => {
                let Domain(domain, ty) = self.kinds_domain(depth);
                self.filtered(&domain, ty, depth)
            }
            _ => self.kinds(0),
        }
    }

    /// `{x in D : c}`.
    fn filtered(&mut self, domain: &str, ty: Type, depth: usize) -> Term {
        self.within(|w| {
            w.loops += 1;
            let name = w.bind(ty);
            let cond = w.term(Type::Bool, depth).0;
            Term(format!("{{{name} in {domain} : {cond}}}"), Binds::Atom)
        })
    }

    fn player(&mut self, depth: usize) -> Term {
        let players = self.names.players.clone();
        match self.dice.pick(6) {
            0 if depth > 0 && !self.fixed && self.dice.one_in(2) => {
                self.call("owner", &[Type::SiteOpt, Type::Int], depth - 1)
            }
            0 if depth > 0 && !self.fixed => self.call("owner", &[Type::SiteOpt], depth - 1),
            1 if players.len() == 2 => Term::word("opponent"),
            2 if !self.fixed => Term::word("next"),
            3 => Term::word(self.dice.any(&players).unwrap_or_default()),
            _ => Term::word("mover"),
        }
    }

    fn sites(&mut self, depth: usize) -> Term {
        let Some(depth) = depth.checked_sub(1) else {
            return self.few_sites();
        };
        match self.dice.pick(20) {
            0 | 1 => self.pair(Type::Sites, "|", Binds::Sum, depth),
            2 => self.pair(Type::Sites, "-", Binds::Sum, depth),
            3 | 4 => self.pair(Type::Sites, "&", Binds::Product, depth),
            5 => Term(format!("not {}", self.term(Type::Sites, depth).at(Binds::Atom)), Binds::Unary),
            6 => self.pair(Type::Sites, "otherwise", Binds::Otherwise, depth),
            7 | 8 if self.loops < self.most_loops => {
                let domain = self.sites_domain(depth);
                self.filtered(&domain, Type::Site, depth)
            }
            9 => self.quantified("union", Type::Sites, depth).unwrap_or_else(|| self.few_sites()),
            10 | 11 => match self.relation() {
                Some(name) => {
                    let name = if self.dice.one_in(3) { format!("~{name}") } else { name };
                    Term::word(format!("{name}({})", self.origin(depth)))
                }
                None => Term::word(format!("near({})", self.origin(depth))),
            },
            12 => Term::word(format!("near({})", self.origin(depth))),
            13 => {
                let (of, steps) = (self.origin(depth), self.term(Type::Int, depth.min(1)).0);
                let name = self.dice.of(&["distance", "follow"]);
                Term::word(format!("{name}({of}, {steps}{})", self.along()))
            }
            14 | 15 => {
                let (from, to) = (self.origin(depth), self.origin(depth));
                Term::word(format!("between({from}, {to})"))
            }
            16 => {
                let (of, length) = (self.term(Type::Sites, depth).0, self.dice.between(-1, 5));
                let along = match self.dice.any(&self.names.directions) {
                    Some(name) if self.dice.one_in(2) => format!(", {name}"),
                    _ => String::new(),
                };
                Term::word(format!("line({of}, {length}{along})"))
            }
            17 => {
                let (seed, within) = (self.origin(depth), self.term(Type::Sites, depth).0);
                Term::word(format!("flood({seed}, {within}{})", self.along()))
            }
            18 => self.term(Type::SiteOpt, depth),
            _ => self.phrase(),
        }
    }

    /// A condition on a choice: any, or that a way is open.
    pub fn condition(&mut self) -> String {
        if !self.dice.one_in(3) {
            return self.expr(Type::Bool);
        }
        let (from, to, mut within) = (self.few_sites().0, self.few_sites().0, self.few_sites().0);
        if self.dice.one_in(2) {
            within = format!("not {within}");
        }
        if self.dice.one_in(2) {
            within = format!("{within} - {}", self.origin(1));
        }
        format!("some flood({from}, {within}{}) & {to}", self.along())
    }

    /// Words side by side.
    fn phrase(&mut self) -> Term {
        let count = 2 + self.dice.pick(2);
        let words: Vec<String> =
            (0..count).map(|_| self.few_sites()).filter(|t| t.1 == Binds::Word).map(|t| t.0).collect();
        let binds = if words.len() > 1 { Binds::Unary } else { Binds::Word };
        if words.is_empty() { Term::word("all") } else { Term(words.join(" "), binds) }
    }

    /// A set that is one word.
    fn few_sites(&mut self) -> Term {
        let name = self.names.sites.clone();
        match self.dice.pick(if self.fixed { 8 } else { 24 }) {
            0 => Term::word("none"),
            1 => Term::word(self.dice.of(&["edge", "corners", "centre", "start-sites"])),
            2 => Term::word(format!("side({})", self.dice.between(0, self.names.sides + 1))),
            3 => Term::word(format!("row({})", self.dice.between(0, self.names.rows + 1))),
            4 => Term::word(format!("column({})", self.dice.between(0, self.names.columns + 1))),
            5 => Term::word(self.dice.any(&name).unwrap_or_default()),
            6 | 7 => Term::word("all"),
            8 => Term::word(self.dice.any(&self.names.players).unwrap_or_default()),
            9 => Term::word(self.dice.any(&self.names.kinds).unwrap_or_default()),
            10 => match self.dice.any(&self.names.groups) {
                Some(group) => Term::word(group),
                None => Term::word("single"),
            },
            11 => Term::word("neutral"),
            12 => Term::word(self.dice.of(&["single", "double"])),
            13 => Term::word("enemy"),
            14 => Term::word(self.dice.of(&["enemy", "ally"])),
            15 | 16 => Term::word("occupied"),
            17..=19 => Term::word("vacant"),
            _ => Term::word("own"),
        }
    }
}
