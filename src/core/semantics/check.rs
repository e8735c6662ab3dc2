//! From definition to rules: the order of the checks, and the checks of the whole.

use std::collections::HashMap;
use std::sync::Arc;

use super::cycles::{self, Item, Order};
use super::picture;
use super::scope::{Entity, Names};
use super::tree::{
    Decision, Effect, EffectFunction, Expr, Function, KindInfo, LocalId, NamedPattern, Owners, Per, PieceOn,
    PositionText, Rules, Setup, StateVar, TextField, Trait, TraitValues,
};
use super::types::Type;
use crate::board::Board;
use crate::definition::{Definition, Param, PerPlayer, PieceDef, Rule, TraitValue};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ids::{Dir, Kind, Site};
use crate::syntax::ast::{self, Name};
use crate::wording::many;

/// The keys of a piece that are no traits.
pub(super) const TEXT_KEYS: [&str; 2] = ["letter", "stack"];

/// The state of a check.
pub(super) struct Checker<'d> {
    pub(super) def: &'d Definition,
    pub(super) board: Arc<Board>,
    pub(super) out: Diagnostics,
    pub(super) names: Names,
    pub(super) traits: Vec<Trait>,
    pub(super) relations: Vec<Option<NamedPattern>>,
    /// Of relations with a direction as parameter: the relation of each label.
    pub(super) headed: HashMap<usize, Vec<usize>>,
    /// The direction that a parameter is just now.
    pub(super) heading: Option<(String, Dir)>,
    pub(super) functions: Vec<Option<Function>>,
    pub(super) function_params: Vec<Vec<LocalId>>,
    pub(super) effect_params: Vec<Vec<LocalId>>,
    pub(super) state: Vec<StateVar>,
    pub(super) owners: Owners,
    /// Whether the present effects run before the game only.
    pub(super) in_setup: bool,
    /// Whether `drawn` may be said here: in the effects of the set-up itself.
    pub(super) draws: bool,
    /// The flows that contain themselves, which was reported.
    pub(super) circular: Vec<usize>,
    /// Warnings on rules that are allowed but most likely not meant.
    pub(super) doubts: Vec<Diagnostic>,
    /// Names of variables that are assigned but not declared, which was reported.
    pub(super) undeclared: Vec<String>,
}

/// Names and types of a definition on its board; rules only if there is no mistake.
pub fn check(def: &Definition, board: Arc<Board>) -> (Option<Rules>, Diagnostics) {
    let mut out = Diagnostics::default();
    let names = Names::collect(def, &mut out);
    let Some(order) = cycles::order(def, &names, &mut out) else { return (None, out) };
    let mut checker = Checker {
        def,
        board,
        out,
        names,
        traits: Vec::new(),
        relations: vec![None; def.relations.len()],
        headed: HashMap::new(),
        heading: None,
        functions: vec![None; def.defines.len()],
        function_params: Vec::new(),
        effect_params: Vec::new(),
        state: Vec::new(),
        owners: Owners::default(),
        in_setup: false,
        draws: false,
        circular: Vec::new(),
        doubts: Vec::new(),
        undeclared: Vec::new(),
    };
    let rules = checker.rules(&order);
    let mut out = std::mem::take(&mut checker.out);
    out.0.retain(|d| !checker.follows(d));
    if let Some(rules) = rules.as_ref().filter(|_| !out.has_errors()) {
        super::cost::check(rules, &order.items, &mut out);
    }
    out.sort();
    (rules.filter(|_| !out.has_errors()), out)
}

impl Checker<'_> {
    /// Whether a finding follows from another one: it is about a name that was refused or is missing.
    fn follows(&self, d: &Diagnostic) -> bool {
        let refused = || self.names.refused.iter().any(|n| d.message.contains(&format!("`{n}`")));
        let missing = || self.undeclared.iter().any(|n| d.message == unknown_name(n));
        matches!(d.code, "unknown-name" | "arguments" | "type") && (refused() || missing())
    }

    fn rules(&mut self, order: &Order) -> Option<Rules> {
        let def = self.def;
        self.circular.clone_from(&order.circular);
        self.heads();
        let mut effects: Vec<Option<EffectFunction>> = vec![None; def.effects.len()];
        let mut decisions: Vec<Option<Decision>> = vec![None; def.decisions.len()];
        for item in &order.items {
            match *item {
                Item::Relation(i) => self.relation(i),
                Item::Trait(i) => self.patterns_of_trait(i),
                Item::Define(i) => self.define(i),
                Item::Effect(i) => effects[i] = self.effect_function(i),
                Item::Decision(i) => decisions[i] = def.decisions.get(i).map(|d| self.decision(d)),
                Item::Flow(_) | Item::Skip => {}
            }
        }
        self.starts();
        let turn = self.turn();
        let ends = self.ends();
        let score = def.score.as_ref().map(|r| self.want(&r.tree, Type::Int));
        let match_ = self.match_();
        let setup = self.setup();
        let position = self.position();
        self.refuse_dealt(&setup.effects, &effects);
        if let Some(position) = &position {
            self.refuse_dealt(&position.tidy, &effects);
        }
        if !self.def.flawed && !self.out.has_errors() {
            self.lint();
        }
        Some(Rules {
            title: def.title.clone(),
            players: def.players.iter().map(|p| p.text.clone()).collect(),
            teams: def.teams.clone(),
            board: self.board.clone(),
            kinds: self.kinds(),
            mixed: def.stack,
            owners: self.owners,
            traits: self.traits.clone(),
            relations: all(&mut self.relations)?,
            defines: all(&mut self.functions)?,
            effects: all(&mut effects)?,
            state: self.state.clone(),
            locals: self.names.locals.clone(),
            start_sites: self.start_sites(&setup, position.as_ref()),
            setup,
            position,
            decisions: all(&mut decisions)?,
            turn: turn?,
            ends,
            score,
            match_,
        })
    }

    fn kinds(&self) -> Vec<KindInfo> {
        self.def
            .pieces
            .iter()
            .map(|p| KindInfo {
                name: p.name.text.clone(),
                letter: p.letter.clone(),
                stack: p.stack.max(1),
                span: p.name.span,
            })
            .collect()
    }

    /// The facts about each name that are known before any rule is read: parameters, types, forms of traits.
    fn heads(&mut self) {
        let def = self.def;
        if def.pieces.len() > 31 {
            let message =
                format!("{} kinds of pieces are more than the 31 that a game can have", def.pieces.len());
            self.out.push(Diagnostic::error("limit", def.board_span, message));
        }
        if let Some((_, span)) = def.stack
            && let Some(kind) = def.pieces.iter().find(|p| p.stack > 1)
        {
            let message = format!("`{}` has a `stack` of its own", kind.name.text);
            let found = Diagnostic::error("stack", span, message)
                .here("these stacks are of all kinds")
                .and(kind.name.span, "leave its `stack` out");
            self.out.push(found);
        }
        for name in self.names.traits.clone() {
            let values = self.trait_form(&name);
            self.traits.push(Trait { name, values });
        }
        for d in &def.defines {
            let params = self.params(&d.params);
            self.function_params.push(params);
        }
        for e in &def.effects {
            let params = self.params(&e.params);
            self.effect_params.push(params);
        }
        for s in &def.state {
            let ty = self.type_named(&s.ty);
            if matches!(ty, Type::Site | Type::Kind) {
                let message = format!("a variable of type `{ty}` would need a value at the start");
                let found = Diagnostic::error("type", s.ty.span, message)
                    .help(format!("say `{ty}?`, which starts as none"));
                self.out.push(found);
            }
            let per: Vec<Per> = s.per.iter().filter_map(|p| Per::of(&p.text)).collect();
            if let Some((low, high, span)) = s.shuffle {
                let sites = self.board.sites().count() as u64;
                let found = u64::from(high.abs_diff(low)) + 1;
                if per != [Per::Site] || ty != Type::Int {
                    let message =
                        "`shuffle` deals numbers to sites: it goes with `type = \"int\", per = \"site\"`";
                    self.out.push(Diagnostic::error("type", span, message));
                } else if s.lasts.is_some() || s.start.is_some() {
                    let message = "`shuffle` deals what the numbers are: it goes without `start` and `lasts`";
                    let help = "let another state change and last, and add the two where a rule asks";
                    self.out.push(Diagnostic::error("type", span, message).help(help));
                } else if found != sites {
                    let message =
                        format!("{} cannot be dealt to {}", many(found, "number"), many(sites, "site"));
                    self.out.push(Diagnostic::error("type", span, message).here("one number for each site"));
                }
            }
            self.state.push(StateVar {
                name: s.name.text.clone(),
                ty,
                per,
                start: Vec::new(),
                shuffle: s.shuffle.map(|(a, b, _)| (a, b)),
                lasts: s.lasts,
                identity: s.identity,
                assigned: false,
                drawn: false,
                span: s.name.span,
            });
        }
    }

    fn params(&mut self, params: &[Param]) -> Vec<LocalId> {
        self.scoped(|this| {
            let bind = |p: &Param| {
                let ty = p.ty.as_ref().map_or(Type::Site, |name| this.type_named(name));
                this.bind(&p.name, ty)
            };
            params.iter().map(bind).collect()
        })
    }

    /// Puts the parameters of a definition in sight, for its body.
    fn enter(&mut self, params: &[Param], ids: &[LocalId]) {
        params.iter().zip(ids).for_each(|(param, id)| self.names.enter(&param.name.text, *id));
    }

    /// The type of a name; a mistake if there is none.
    fn type_named(&mut self, name: &Name) -> Type {
        Type::named(&name.text).unwrap_or_else(|| {
            let message = format!("there is no type `{name}`");
            // `integer` and `boolean` are further from the words here than a slip is.
            let longer = Type::NAMES.into_iter().find(|ty| name.text.starts_with(ty));
            let help = match longer {
                Some(ty) => format!("did you mean `{ty}`?"),
                None => format!("the types are {}", Type::NAMES.join(", ")),
            };
            let found = Diagnostic::error("unknown-name", name.span, message).help(help);
            self.out.push(found.suggest(&name.text, Type::NAMES));
            Type::Error
        })
    }

    /// The form of a trait: all its values must be of one form.
    fn trait_form(&mut self, name: &str) -> TraitValues {
        let def = self.def;
        let kinds = def.pieces.len();
        let values = || def.pieces.iter().map(|p| p.traits.iter().find(|(n, _)| n.text == name));
        // A name of no kind does not tell the form.
        let is_known =
            |v: &TraitValue| !matches!(v, TraitValue::Kind(n) if self.kind_named(&n.text).is_none());
        let first = values().flatten().find(|(_, v)| is_known(v));
        let mut form = match first.map(|(_, v)| v) {
            Some(TraitValue::Group(..)) => TraitValues::Group(vec![false; kinds]),
            Some(TraitValue::Int(..)) => TraitValues::Ints(vec![0; kinds]),
            Some(TraitValue::Kind(_)) => TraitValues::Kinds(vec![None; kinds]),
            _ => TraitValues::Patterns(vec![None; kinds]),
        };
        for (i, value) in values().enumerate() {
            let Some((place, value)) = value else { continue };
            let fits = match (&mut form, value) {
                (TraitValues::Group(g), TraitValue::Group(on, _)) => g.get_mut(i).map(|g| *g = *on).is_some(),
                (TraitValues::Ints(n), TraitValue::Int(v, _)) => n.get_mut(i).map(|n| *n = *v).is_some(),
                (_, TraitValue::Kind(other)) if self.kind_named(&other.text).is_none() => {
                    let found = self.no_such("kind", other, |e| matches!(e, Entity::Kind(_)));
                    let help = found.help.clone().unwrap_or_else(|| no_kind(name, &other.text));
                    self.out.push(found.help(help));
                    true
                }
                (TraitValues::Kinds(k), TraitValue::Kind(other)) => {
                    let kind = self.kind_named(&other.text);
                    self.names.used.extend(kind.map(Entity::Kind));
                    k.get_mut(i).map(|k| *k = kind).is_some()
                }
                (TraitValues::Patterns(_), TraitValue::Pattern(_)) => true,
                _ => false,
            };
            if !fits {
                let mut d =
                    Diagnostic::error("type", place.span, format!("the trait `{name}` is of two forms"))
                        .here("unlike the others");
                if let Some((other, _)) = first {
                    d = d.and(other.span, "first here");
                }
                let found = d.help("a trait is a pattern for every kind, or a number, or a kind, or a group");
                self.out.push(found);
            }
        }
        form
    }

    fn kind_named(&self, name: &str) -> Option<Kind> {
        match self.names.peek(name) {
            Some(Entity::Kind(kind)) => Some(kind),
            _ => None,
        }
    }

    fn patterns_of_trait(&mut self, t: usize) {
        if !self.is_pattern_trait(t) {
            return;
        }
        let def = self.def;
        let name = self.traits[t].name.clone();
        let pattern = |piece: &PieceDef| match piece.traits.iter().find(|(n, _)| n.text == name) {
            Some((_, TraitValue::Pattern(rule))) => Some(self.pattern(&rule.tree)),
            _ => None,
        };
        self.traits[t].values = TraitValues::Patterns(def.pieces.iter().map(pattern).collect());
    }

    fn define(&mut self, i: usize) {
        let def = self.def;
        let Some(d) = def.defines.get(i) else { return };
        let params = self.function_params(i);
        let mut bodies: Vec<Expr> = self.scoped(|this| {
            this.enter(&d.params, &params);
            d.body.all().iter().map(|r| this.infer(&r.tree)).collect()
        });
        // The first body is of its own type: joined with nothing, a player would be its pieces.
        let mut ty = bodies.first().map_or(Type::Nothing, |b| b.ty);
        for b in &bodies {
            ty = match ty.join(b.ty).or((ty == Type::Nothing).then_some(b.ty)) {
                Some(joined) => joined,
                None => {
                    let message = format!(
                        "`{}` is {} for one player and {} for another",
                        d.name.text,
                        super::expr::article(ty),
                        super::expr::article(b.ty)
                    );
                    self.out.push(Diagnostic::error("type", b.span, message));
                    Type::Error
                }
            };
        }
        if ty == Type::Nothing {
            // `none` alone is most often the empty set of sites.
            ty = Type::Sites;
        }
        if matches!(ty, Type::Word(_)) {
            let found = Diagnostic::error("type", d.name.span, "an option of words is no value")
                .help("test it with `is`");
            self.out.push(found);
        }
        bodies = bodies.into_iter().map(|b| self.coerce(b, ty)).collect();
        let fixed = bodies.iter().all(|b| self.is_fixed(b));
        if d.region && !fixed && !bodies.iter().any(|b| b.ty == Type::Error) {
            let message = format!("the region `{}` depends on the position", d.name.text);
            let found =
                Diagnostic::error("not-fixed", bodies.first().map_or(d.name.span, |b| b.span), message)
                    .help("a region is the same in every position; put this under `[define]`");
            self.out.push(found);
        }
        let name = d.name.text.clone();
        self.functions[i] = Some(Function { name, params, ty, bodies, fixed, span: d.name.span });
    }

    fn effect_function(&mut self, i: usize) -> Option<EffectFunction> {
        let def = self.def;
        let d = def.effects.get(i)?;
        let params = self.effect_params.get(i).cloned().unwrap_or_default();
        let body = self.scoped(|this| {
            this.enter(&d.params, &params);
            this.effects(&d.body.tree)
        });
        Some(EffectFunction { name: d.name.text.clone(), params, body, span: d.name.span })
    }

    fn starts(&mut self) {
        let def = self.def;
        for (i, s) in def.state.iter().enumerate() {
            let (ty, by_player) = (self.state[i].ty, self.state[i].per.first() == Some(&Per::Player));
            if matches!(s.start, Some(PerPlayer::Each(_))) && !by_player {
                let message = "a start for each player needs `per = \"player\"`";
                self.out.push(Diagnostic::error("type", s.name.span, message));
            }
            let rules = s.start.iter().flat_map(PerPlayer::all);
            let start: Vec<Expr> = rules.map(|r| self.want(&r.tree, ty)).collect();
            for e in &start {
                if e.ty != Type::Error && !self.is_fixed(e) {
                    let message = format!("the start of `{}` depends on the position", s.name.text);
                    let found = Diagnostic::error("not-fixed", e.span, message)
                        .help("assign it in `[setup] do` instead");
                    self.out.push(found);
                }
            }
            self.state[i].start = start;
        }
    }

    fn setup(&mut self) -> Setup {
        let def = self.def;
        let mut setup = Setup::default();
        if let Some(text) = &def.setup.board {
            match self.picture(text.text()) {
                Ok(pieces) => setup.pieces = pieces,
                Err(e) => {
                    let message = "the picture of the set-up cannot be read";
                    let found = Diagnostic::error("picture", text.span(e.start, e.end), message);
                    self.out.push(found.here(e.message));
                }
            }
        }
        self.draws = true;
        setup.effects = self.setup_effects(def.setup.effects.as_ref());
        self.draws = false;
        setup.text = def.setup.text.as_ref().map(|t| self.fields(t, &[]));
        setup.named = def.setup.named.iter().map(|(n, t)| (n.text.clone(), t.text.clone())).collect();
        setup
    }

    fn picture(&self, text: &str) -> Result<Vec<PieceOn>, picture::PictureError> {
        let stack = self.def.stack.map(|(stack, _)| stack);
        picture::read(text, &self.board, &self.kinds(), self.def.players.len(), stack)
    }

    /// Effects that run before the game only.
    pub(super) fn setup_effects(&mut self, rule: Option<&Rule<ast::Effects>>) -> Vec<Effect> {
        self.in_setup = true;
        let effects = self.scoped(|this| rule.map(|r| this.effects(&r.tree)).unwrap_or_default());
        self.in_setup = false;
        effects
    }

    /// The sites of each player's pieces (of those on top) in the picture of the start: in the text of the starting
    /// position, if that begins with the board, else in the set-up.
    fn start_sites(&self, setup: &Setup, position: Option<&PositionText>) -> Vec<Vec<Site>> {
        let first = position.filter(|p| matches!(p.text.first(), Some(TextField::Board)));
        let start = first.and_then(|p| p.start.as_deref()).and_then(|start| start.split_whitespace().next());
        let players = self.def.players.len();
        let started = start.and_then(|text| self.picture(text).ok());
        let pieces = started.as_ref().unwrap_or(&setup.pieces);
        let of = |p: usize| {
            let tops = pieces.chunk_by(|a, b| a.site == b.site).filter_map(<[_]>::last);
            let own = tops.filter(|piece| piece.owner.is_some_and(|owner| owner.index() == p));
            own.map(|piece| piece.site).collect()
        };
        (0..players).map(of).collect()
    }

    /// The parameters of a definition.
    pub(super) fn function_params(&self, d: usize) -> Vec<LocalId> {
        self.function_params.get(d).cloned().unwrap_or_default()
    }

    /// The type of a definition's value; unknown while it is not checked.
    pub(super) fn function_type(&self, d: usize) -> Type {
        self.functions.get(d).and_then(Option::as_ref).map_or(Type::Error, |f| f.ty)
    }

    /// The type of a local.
    pub(super) fn local_type(&self, id: LocalId) -> Type {
        self.names.locals.get(id.0 as usize).map_or(Type::Error, |l| l.ty)
    }
}

/// Advice for the value of a trait that is no kind.
fn no_kind(name: &str, value: &str) -> String {
    match (nearest(name, TEXT_KEYS), value) {
        (Some(key), _) => {
            format!("did you mean `{key} = \"{value}\"`? every other key of a piece is a trait")
        }
        (None, "leap") => "a movement pattern says where: `leap 1,2`".to_owned(),
        (None, "betza") => "the word of the notation stands behind it: `betza fmWfcF`".to_owned(),
        (None, "step" | "slide" | "walk") => format!("a movement pattern says where: `{value} any`"),
        _ => "a trait is a movement pattern such as `step any`, a number, `true` or the name of a kind"
            .to_owned(),
    }
}

/// The message for a name without a meaning.
pub(super) fn unknown_name(name: &str) -> String {
    format!("unknown name `{name}`")
}

/// All of them, if all are there.
fn all<T>(list: &mut Vec<Option<T>>) -> Option<Vec<T>> {
    std::mem::take(list).into_iter().collect()
}
