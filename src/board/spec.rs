//! What a definition says of its board, with every number resolved.

/// A board to be built.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BoardSpec {
    /// The sites and their neighbours.
    pub shape: Shape,
    /// Names of sites that are taken out.
    pub remove: Vec<String>,
    /// Whether files wrap around (the last column is beside the first); grids only.
    pub wrap_columns: bool,
    /// Whether ranks wrap around; grids only.
    pub wrap_rows: bool,
    /// Directions that the definition adds.
    pub directions: Vec<DirectionSpec>,
    /// Number of players, for directions relative to a player.
    pub players: usize,
}

/// The shape of a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// `columns` by `rows` squares.
    Square {
        /// Files.
        columns: usize,
        /// Ranks.
        rows: usize,
    },
    /// A hexagon of hexagons, `base` cells an edge, in diagonal coordinates.
    HexHex {
        /// Cells an edge.
        base: usize,
    },
    /// A rhombus of hexagons.
    Hex {
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
    },
    /// A triangle of hexagons.
    Triangle {
        /// Cells an edge.
        base: usize,
    },
    /// Any graph: for each pair of labels, chains of site names.
    Graph {
        /// `edges."e w" = "a1-b1-c1 d1-e1"`: the first label leads forwards along each chain, the
        /// second, where there is one, backwards.
        edges: Vec<(String, Option<String>, Vec<Vec<String>>)>,
    },
}

/// A direction or a group of directions that a definition names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DirectionSpec {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub table: DirectionTable,
}

/// What a named direction stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DirectionTable {
    /// Labels and groups.
    Group(Vec<String>),
    /// Labels and groups for each player, in the players' order.
    PerPlayer(Vec<Vec<String>>),
    /// A partial function of sites: chains of site names. A new label.
    Pairs(Vec<Vec<String>>),
}
