//! The description of a board in a definition, with every number resolved.

use std::fmt;

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
        /// second, if there is one, backwards.
        edges: Vec<(String, Option<String>, Vec<Vec<String>>)>,
    },
}

impl Shape {
    /// The keys of `[board]` that each give a board its shape.
    pub const KEYS: [&str; 5] = ["square", "hex", "hexhex", "triangle", "graph"];

    /// The key that says it.
    pub fn key(&self) -> &'static str {
        match self {
            Shape::Square { .. } => "square",
            Shape::Hex { .. } => "hex",
            Shape::HexHex { .. } => "hexhex",
            Shape::Triangle { .. } => "triangle",
            Shape::Graph { .. } => "graph",
        }
    }

    /// Whether opposite borders may be joined.
    pub fn can_wrap(&self) -> bool {
        match self {
            Shape::Square { .. } | Shape::Hex { .. } => true,
            Shape::HexHex { .. } | Shape::Triangle { .. } | Shape::Graph { .. } => false,
        }
    }

    /// The shape of a key and its sizes.
    pub fn of_sizes(key: &str, sizes: &[usize]) -> Option<Shape> {
        match (key, sizes) {
            ("square", &[columns, rows]) => Some(Shape::Square { columns, rows }),
            ("hex", &[columns, rows]) => Some(Shape::Hex { columns, rows }),
            ("hexhex", &[base]) => Some(Shape::HexHex { base }),
            ("triangle", &[base]) => Some(Shape::Triangle { base }),
            _ => None,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Square { columns, rows } => write!(f, "squares, {columns} by {rows}"),
            Shape::Hex { columns, rows } => write!(f, "a rhombus of hexagons, {columns} by {rows}"),
            Shape::HexHex { base } => write!(f, "a hexagon of hexagons, {base} an edge"),
            Shape::Triangle { base } => write!(f, "a triangle of hexagons, {base} an edge"),
            Shape::Graph { .. } => f.write_str("a graph"),
        }
    }
}

/// A direction or a group of directions that a definition names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DirectionSpec {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub table: DirectionTable,
}

impl DirectionTable {
    /// Whether it is a label of its own.
    pub fn is_label(&self) -> bool {
        matches!(self, DirectionTable::Pairs(_) | DirectionTable::Walk(_))
    }
}

/// The meaning of a named direction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DirectionTable {
    /// Labels and groups.
    Group(Vec<String>),
    /// Labels and groups for each player, in the players' order.
    PerPlayer(Vec<Vec<String>>),
    /// A partial function of sites: chains of site names. A new label.
    Pairs(Vec<Vec<String>>),
    /// As far as a walk of labels leads. A new label.
    Walk(Vec<String>),
}
