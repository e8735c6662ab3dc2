//! The one table of built-ins: name, parameters, result, dependence on the position, cost, documentation. The checker
//! reads it, and so do the reference of the language and every "did you mean". The code of a [`Builtin`] is made in
//! one `match` of the lowering, which must be complete.

use super::types::Type;

/// The arguments that a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A value of a type.
    A(Type),
    /// Sites or kinds.
    SitesOrKinds,
    /// The name of a relation or of a pattern trait; may be left out: then one step on the board.
    Relation,
    /// Names of directions; may be left out: then all straight lines.
    Directions,
    /// The name of a decision.
    Decision,
    /// A player; may be left out: then the mover.
    MaybePlayer,
}

/// The meaning of a row of the table in the typed tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// `true`
    True,
    /// `false`
    False,
    /// `none`
    None,
    /// `all`
    All,
    /// `mover`
    Me,
    /// `players`: a domain, no value.
    Players,
    /// A value or a plain function of its arguments; whether it depends on the position; its own cost.
    Plain(Builtin, Asks, Extra),
    /// `near(S)`
    Near,
    /// `distance(x, y, R)`
    Distance,
    /// `distance(S, k, R)`
    Ring,
    /// `flood(S, within, R)`
    Flood,
    /// `follow(S, n, R)`
    Follow,
    /// `line(S, k, directions)`
    Line,
    /// `can(D, player)`
    Can,
    /// `drawn(S)`
    Drawn,
}

/// Built-ins that are values or plain functions of their arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// The other one of two players.
    Opponent,
    /// The player after me in order, skipped ones left out.
    Next,
    /// My pieces.
    Own,
    /// The pieces of all who do not play with me, neutral ones left out.
    Enemy,
    /// The pieces of who plays with me, mine left out.
    Ally,
    /// Nobody's pieces.
    Neutral,
    /// Sites without a piece.
    Vacant,
    /// Sites with a piece.
    Occupied,
    /// Sites with exactly one piece.
    Single,
    /// Sites with exactly two.
    Double,
    /// The border.
    Edge,
    /// Where my pieces stand at the start.
    StartSites,
    /// The corners.
    Corners,
    /// The middle: 1, 2 or 4 sites.
    Centre,
    /// `side(i)`
    Side,
    /// `row(i)`: sites of that row.
    RowSites,
    /// `column(i)`: sites of that column.
    ColumnSites,
    /// `row(x)`: the number of the row of a `site?`, 0 for none.
    RowOf,
    /// `column(x)`.
    ColumnOf,
    /// `between(S, T)`: the sites strictly between a member of S and one of T on a straight line.
    Between,
    /// `first(S)`: the lowest member.
    First,
    /// `only(S)`: the member, if there is exactly one.
    Only,
    /// `count(S)`: how many sites; of kinds how many kinds.
    Count,
    /// `height(x)`: how many pieces.
    Height,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `abs(a)`
    Abs,
    /// `opposite(d)`: the label that leads back.
    Opposite,
    /// Turns in a row that were only a pass.
    Passes,
    /// How often this position occurred at a turn's start, this time included.
    Seen,
    /// Plies made.
    Ply,
    /// Rounds begun.
    Round,
    /// `kind(x)`: the kind on a `site?`, none if vacant.
    KindOn,
    /// `kind(x, n)`: the kind of the nth piece from the top.
    KindDown,
    /// `owner(x, n)`: its owner.
    OwnerDown,
    /// `owner(x)`: the owner on a `site?`; no player where vacant or neutral: equal to none, with no sites.
    OwnerOn,
}

impl Builtin {
    /// Whether it depends on the position, and its own cost.
    pub fn about(self) -> (Asks, Extra) {
        let of = |row: &Row| match row.means {
            Means::Plain(builtin, asks, costs) if builtin == self => Some((asks, costs)),
            _ => None,
        };
        // A built-in without a row costs most.
        TABLE.iter().find_map(of).unwrap_or((Asks::Position, Extra::Skip))
    }
}

/// What a built-in depends on besides its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// The board and the players at most: of the same arguments it is the same in every position.
    Board,
    /// The position.
    Position,
}

/// The extra work of a built-in, beside its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// A step.
    Step,
    /// A step for each site of the board.
    Sites,
    /// The cost of `skip`, for each player.
    Skip,
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// How rules call it.
    pub name: &'static str,
    /// The parameters with their names; none: it is written without brackets.
    pub params: &'static [(&'static str, Takes)],
    /// The type of the value.
    pub result: Type,
    /// Its meaning.
    pub means: Means,
    /// One sentence.
    pub doc: &'static str,
}

use Means::Plain;
use Takes::{A, Decision, Directions, MaybePlayer, Relation, SitesOrKinds};
use Type::{Bool, Direction, Int, KindOpt, Nothing, Player, SiteOpt, Sites};

/// A row, without its documentation.
const fn row(
    name: &'static str,
    params: &'static [(&'static str, Takes)],
    result: Type,
    means: Means,
) -> Row {
    Row { name, params, result, means, doc: "" }
}

/// A function of its arguments and the board, in one step.
const fn of_board(builtin: Builtin) -> Means {
    Plain(builtin, Asks::Board, Extra::Step)
}

/// A function of the position too, in one step.
const fn of_position(builtin: Builtin) -> Means {
    Plain(builtin, Asks::Position, Extra::Step)
}

/// Built-ins that are younger than the first definitions: a game may give their names a meaning of its own, so that
/// older games still load.
pub const YOUNGER: [&str; 3] = ["ally", "follow", "opposite"];

/// The table, in the order of the reference.
pub const TABLE: &[Row] = &[
    row("true", &[], Bool, Means::True).doc("Yes."),
    row("false", &[], Bool, Means::False).doc("No."),
    row("none", &[], Nothing, Means::None).doc("The empty value: no site, no kind, the empty set."),
    row("all", &[], Sites, Means::All).doc("All sites of the board."),
    row("mover", &[], Player, Means::Me).doc("Who decides this ply. In a trait: the piece's owner."),
    row("opponent", &[], Player, of_board(Builtin::Opponent)).doc("The other player (two players only)."),
    row("next", &[], Player, Plain(Builtin::Next, Asks::Position, Extra::Skip))
        .doc("Who has the turn after the mover's: the next in order whom `skip` leaves in."),
    row("players", &[], Player, Means::Players)
        .doc("All players, as what a name ranges over: `every p in players : ...`."),
    row("own", &[], Sites, of_position(Builtin::Own)).doc("Sites with the mover's pieces."),
    row("enemy", &[], Sites, of_position(Builtin::Enemy))
        .doc("Sites with another player's pieces; with teams, of another team."),
    row("ally", &[], Sites, of_position(Builtin::Ally))
        .doc("Sites with pieces of the mover's team, the mover's own left out."),
    row("neutral", &[], Sites, of_position(Builtin::Neutral)).doc("Sites with pieces that belong to nobody."),
    row("vacant", &[], Sites, of_position(Builtin::Vacant)).doc("Sites without a piece."),
    row("occupied", &[], Sites, of_position(Builtin::Occupied)).doc("Sites with a piece."),
    row("single", &[], Sites, of_position(Builtin::Single)).doc("Sites with exactly one piece."),
    row("double", &[], Sites, of_position(Builtin::Double)).doc("Sites with exactly two pieces."),
    row("edge", &[], Sites, of_board(Builtin::Edge)).doc("The border of the board."),
    row("start-sites", &[], Sites, of_board(Builtin::StartSites))
        .doc("Sites where the mover's pieces stand in the picture of the start."),
    row("corners", &[], Sites, of_board(Builtin::Corners)).doc("The corners of the board."),
    row("centre", &[], Sites, of_board(Builtin::Centre))
        .doc("The middle of the board: one site, or two or four."),
    row("side", &[("i", A(Int))], Sites, of_board(Builtin::Side))
        .doc("Side number i of the board, from 1, corners included."),
    row("row", &[("i", A(Int))], Sites, of_board(Builtin::RowSites)).doc("The sites of row i, from 1."),
    row("row", &[("x", A(SiteOpt))], Int, of_board(Builtin::RowOf))
        .doc("The number of the row of a site; 0 for none."),
    row("column", &[("i", A(Int))], Sites, of_board(Builtin::ColumnSites))
        .doc("The sites of column i, from 1."),
    row("column", &[("x", A(SiteOpt))], Int, of_board(Builtin::ColumnOf))
        .doc("The number of the column of a site; 0 for none."),
    row("near", &[("S", A(Sites))], Sites, Means::Near)
        .doc("One step from S: orthogonal on squares, over any edge else."),
    row("distance", &[("S", A(Sites)), ("k", A(Int)), ("R", Relation)], Sites, Means::Ring)
        .doc("The sites exactly k steps of R from S (from the nearest member)."),
    row("distance", &[("x", A(SiteOpt)), ("y", A(SiteOpt)), ("R", Relation)], Int, Means::Distance).doc(
        "The least number of steps of R from x to y; more than any real distance where there is no way.",
    ),
    row("follow", &[("S", A(Sites)), ("n", A(Int)), ("R", Relation)], Sites, Means::Follow)
        .doc("The sites at the end of n steps of R from the members of S; S itself for 0 and less."),
    row(
        "between",
        &[("S", A(Sites)), ("T", A(Sites))],
        Sites,
        Plain(Builtin::Between, Asks::Board, Extra::Sites),
    )
    .doc("The sites strictly between a member of S and a member of T, on straight lines."),
    row("line", &[("S", A(Sites)), ("k", A(Int)), ("directions", Directions)], Sites, Means::Line)
        .doc("The members of S that lie in a straight run of at least k members."),
    row("flood", &[("S", A(Sites)), ("within", A(Sites)), ("R", Relation)], Sites, Means::Flood)
        .doc("What the members of S inside `within` reach by steps of R without leaving `within`."),
    row("first", &[("S", A(Sites))], SiteOpt, of_board(Builtin::First))
        .doc("The lowest member (row 1 first), none of the empty set."),
    row("only", &[("S", A(Sites))], SiteOpt, of_board(Builtin::Only))
        .doc("The member, if there is exactly one."),
    row("drawn", &[("S", A(Sites))], SiteOpt, Means::Drawn).doc(
        "A member by the game's seed, each as likely; none of the empty set. Only in `do` of `[setup]`.",
    ),
    row("count", &[("S", SitesOrKinds)], Int, of_board(Builtin::Count))
        .doc("How many members. Names of kinds mean the pieces: `count(a | b)` of two kinds."),
    row("height", &[("x", A(SiteOpt))], Int, of_position(Builtin::Height))
        .doc("How many pieces stand on a site."),
    row("kind", &[("x", A(SiteOpt))], KindOpt, of_position(Builtin::KindOn))
        .doc("The kind of the pieces on a site, none if it is vacant."),
    row("kind", &[("x", A(SiteOpt)), ("n", A(Int))], KindOpt, of_position(Builtin::KindDown))
        .doc("The kind of the nth piece from the top, which is 1; none if there are fewer."),
    row("owner", &[("x", A(SiteOpt))], Player, of_position(Builtin::OwnerOn))
        .doc("The owner of the pieces on a site; equal to no player if it is vacant or neutral."),
    row("owner", &[("x", A(SiteOpt)), ("n", A(Int))], Player, of_position(Builtin::OwnerDown))
        .doc("The owner of the nth piece from the top; equal to no player if there are fewer."),
    row("min", &[("a", A(Int)), ("b", A(Int))], Int, of_board(Builtin::Min)).doc("The lesser number."),
    row("max", &[("a", A(Int)), ("b", A(Int))], Int, of_board(Builtin::Max)).doc("The greater number."),
    row("abs", &[("a", A(Int))], Int, of_board(Builtin::Abs)).doc("The number without its sign."),
    row("opposite", &[("d", A(Direction))], Direction, of_board(Builtin::Opposite))
        .doc("The direction that leads back; none, which leads nowhere, where there is none."),
    row("passes", &[], Int, of_position(Builtin::Passes)).doc("How many turns in a row were only a pass."),
    row("seen", &[], Int, of_position(Builtin::Seen))
        .doc("How often this position has occurred at a turn's start, this time included."),
    row("ply", &[], Int, of_position(Builtin::Ply)).doc("How many plies the game has had."),
    row("round", &[], Int, of_position(Builtin::Round)).doc("Rounds begun: 1 at the start."),
    row("can", &[("D", Decision), ("player", MaybePlayer)], Bool, Means::Can)
        .doc("Whether decision D has a legal choice, for that player as mover."),
];

impl Row {
    /// With this documentation.
    const fn doc(self, doc: &'static str) -> Row {
        Row { doc, ..self }
    }

    /// The signature for people: `distance(S: sites, k: int, R?) -> sites`.
    pub fn signature(&self) -> String {
        let mut text = self.name.to_owned();
        if !self.params.is_empty() {
            let params: Vec<String> = self
                .params
                .iter()
                .map(|(name, takes)| match takes {
                    A(ty) => format!("{name}: {ty}"),
                    SitesOrKinds => format!("{name}: sites or kinds"),
                    Relation => format!("{name}: relation = near"),
                    Directions => format!("{name} = any"),
                    Decision => format!("{name}: decision"),
                    MaybePlayer => format!("{name} = mover"),
                })
                .collect();
            text += &format!("({})", params.join(", "));
        }
        format!("{text} -> {}", self.result)
    }

    /// The least number of arguments.
    pub fn least(&self) -> usize {
        self.params.iter().filter(|(_, t)| !matches!(t, Relation | Directions | MaybePlayer)).count()
    }
}

/// The rows of a name.
pub fn named(name: &str) -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(move |r| r.name == name)
}
