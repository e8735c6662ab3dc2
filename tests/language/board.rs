//! Boards of every shape, asked the questions that the language asks.

use farrier::board::{
    Board, BoardPart, BoardSpec, DirGroup, DirectionSpec, DirectionTable, RayOrder, Relation, Shape,
};
use farrier::definition::schema;
use farrier::ids::{Dir, Site};
use farrier::siteset::SiteSet;

fn spec(shape: Shape) -> BoardSpec {
    BoardSpec {
        shape,
        remove: Vec::new(),
        wrap_columns: false,
        wrap_rows: false,
        directions: Vec::new(),
        players: 2,
    }
}

fn square(columns: usize, rows: usize) -> BoardSpec {
    spec(Shape::Square { columns, rows })
}

fn hexhex(base: usize) -> BoardSpec {
    spec(Shape::HexHex { base })
}

fn rhombus(columns: usize, rows: usize) -> BoardSpec {
    spec(Shape::Hex { columns, rows })
}

fn chains(text: &str) -> Vec<Vec<String>> {
    let words = text.split_whitespace();
    words.map(|chain| chain.split('-').map(str::to_owned).collect()).collect()
}

fn graph(edges: &[(&str, &str)]) -> BoardSpec {
    let edges = edges.iter().map(|(labels, text)| {
        let mut labels = labels.split(' ').map(str::to_owned);
        (labels.next().unwrap(), labels.next(), chains(text))
    });
    spec(Shape::Graph { edges: edges.collect() })
}

fn build(spec: &BoardSpec) -> Board {
    Board::build(spec).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn mistakes(spec: &BoardSpec) -> Vec<String> {
    let errors = Board::build(spec).err().unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

fn named(board: &Board, set: &SiteSet) -> String {
    let names: Vec<_> = set.iter().map(|site| board.name(Site(site as u16))).collect();
    names.join(" ")
}

fn of(board: &Board, relation: &Relation, site: &str) -> String {
    named(board, &relation.of(board.site(site).unwrap()))
}

fn dirs(board: &Board, names: &str) -> Vec<Dir> {
    let names = names.split_whitespace();
    names.map(|name| board.dir(name).unwrap()).collect()
}

/// The labels of a group for each player, as names.
fn labels(board: &Board, name: &str) -> Vec<String> {
    let names = |dirs: &Vec<Dir>| -> Vec<&str> {
        dirs.iter().map(|dir| board.directions()[dir.index()].name.as_str()).collect()
    };
    match board.resolve(name).unwrap() {
        DirGroup::Fixed(dirs) => vec![names(&dirs).join(" ")],
        DirGroup::PerPlayer(tables) => tables.iter().map(|dirs| names(dirs).join(" ")).collect(),
    }
}

fn direction(name: &str, table: DirectionTable) -> DirectionSpec {
    DirectionSpec { name: name.to_owned(), table }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_square_board() {
    let board = build(&square(10, 8));
    assert_eq!((board.len(), board.all().count()), (80, 80));
    assert_eq!(board.site("j8"), Some(Site(79)));
    assert_eq!(board.name(Site(10)), "a2");
    assert_eq!(board.site("k1"), None);
    let d3 = board.site("d3").unwrap();
    assert_eq!((board.column(d3), board.row(d3)), (4, 3));
    assert_eq!((board.columns(), board.rows()), (10, 8));
    assert_eq!(of(&board, &board.near(), "a1"), "b1 a2");
    assert_eq!(board.row_set(8).count(), 10);
    assert!(board.row_set(9).is_empty() && board.row_set(0).is_empty());
    assert!(board.column_set(-1).is_empty() && board.column_set(i32::MAX).is_empty());
    assert_eq!(named(&board, &board.corners()), "a1 j1 a8 j8");
    assert_eq!(named(&board, &board.centre()), "e4 f4 e5 f5");
    assert_eq!(board.edge().count(), 32);
    let sides: Vec<_> = (0..=5).map(|i| board.side(i)).collect();
    let right = [
        SiteSet::EMPTY,
        board.row_set(1),
        board.column_set(10),
        board.row_set(8),
        board.column_set(1),
        SiteSet::EMPTY,
    ];
    assert_eq!(sides, right);
    let narrow = build(&square(3, 5));
    assert_eq!(named(&narrow, &narrow.centre()), "b3");
    let axes = board.axes();
    assert_eq!((axes.len(), board.lines().len()), (4, 8));
    assert!(axes.iter().all(|(_, back)| back.is_some()));
}

#[test]
fn the_graph_and_the_tables_agree() {
    let mut spec = hexhex(3);
    spec.remove = words("c3 a2");
    let board = build(&spec);
    let graph = board.graph();
    assert_eq!(graph.node_count(), 25);
    let mut edges = 0;
    for (dir, _) in board.directions().iter().enumerate() {
        let dir = Dir(dir as u16);
        for site in board.sites() {
            edges += usize::from(board.step(dir, site).is_some());
        }
    }
    assert_eq!(edges, graph.edge_count());
}

#[test]
fn a_hexagon_of_hexagons() {
    let board = build(&hexhex(6));
    assert_eq!((board.len(), board.all().count()), (121, 91));
    assert_eq!(named(&board, &board.centre()), "f6");
    assert_eq!(named(&board, &board.corners()), "a1 f1 a6 k6 f11 k11");
    assert_eq!(board.site("g1"), None);
    assert_eq!(of(&board, &board.near(), "f6"), "e5 f5 e6 g6 f7 g7");
    let leap = board.leap(2, 1).unwrap();
    assert_eq!(of(&board, &leap, "a1"), "d2 d3 b4 c4");
    assert_eq!(leap.of(board.site("f6").unwrap()).count(), 12);
    assert_eq!(leap, board.leap(1, 2).unwrap());
    assert_eq!(leap, leap.converse());
    assert_eq!((board.sides(), board.edge().count()), (6, 30));
    for side in 1..=6 {
        let next = board.side(side % 6 + 1);
        assert_eq!(board.side(side).count(), 6);
        assert_eq!((board.side(side) & next).count(), 1);
    }
    assert_eq!(board.axes().len(), 3);
    assert_eq!(board.lines().len(), 6);
    let diagonal = board.leap(1, 1).unwrap();
    let DirGroup::Fixed(long) = board.resolve("diagonal").unwrap() else {
        panic!("a fixed group");
    };
    assert_eq!(diagonal, board.steps(&long));
    assert_eq!(build(&hexhex(1)).all().count(), 1);
}

#[test]
fn a_rhombus_and_a_triangle() {
    let board = build(&rhombus(11, 11));
    assert_eq!(of(&board, &board.near(), "b2"), "b1 c1 a2 c2 a3 b3");
    assert_eq!(named(&board, &board.corners()), "a1 k1 a11 k11");
    assert_eq!(board.edge().count(), 40);
    let triangle = build(&spec(Shape::Triangle { base: 4 }));
    assert_eq!((triangle.len(), triangle.all().count()), (16, 10));
    assert_eq!(named(&triangle, &triangle.corners()), "a1 d1 a4");
    assert_eq!(named(&triangle, &triangle.centre()), "b2");
    assert_eq!(named(&triangle, &triangle.side(2)), "d1 c2 b3 a4");
    assert_eq!((triangle.sides(), triangle.edge().count()), (3, 9));
}

#[test]
fn every_hexagon_has_six_diagonals_between_its_edges() {
    for spec in [hexhex(5), rhombus(9, 9)] {
        let board = build(&spec);
        let names = board.direction_names();
        assert_eq!(board.directions().len(), 12);
        assert!(names.contains(&"forward-left") && !names.contains(&"left"));
        assert_eq!(labels(&board, "any"), labels(&board, "orthogonal"));
        for direction in board.directions() {
            let back = direction.opposite.unwrap();
            let back = board.directions()[back.index()].opposite.unwrap();
            assert_eq!(board.directions()[back.index()].name, direction.name);
        }
    }
}

#[test]
fn directions_of_players() {
    let of_players = |mut spec: BoardSpec, players: usize, name: &str| {
        spec.players = players;
        labels(&build(&spec), name)
    };
    let board = square(8, 8);
    assert_eq!(of_players(board.clone(), 2, "forward"), ["n", "s"]);
    assert_eq!(of_players(board.clone(), 2, "forward-left"), ["nw", "se"]);
    assert_eq!(of_players(board.clone(), 2, "right"), ["e", "w"]);
    assert_eq!(of_players(board.clone(), 3, "forward"), ["n", "s", "e"]);
    assert_eq!(of_players(board.clone(), 4, "forward"), ["n", "e", "s", "w"]);
    assert_eq!(of_players(board.clone(), 4, "backward-right"), ["se", "sw", "nw", "ne"]);
    assert_eq!(of_players(hexhex(4), 2, "forward"), ["n", "s"]);
    assert_eq!(of_players(hexhex(4), 2, "forward-right"), ["ne", "sw"]);
    assert_eq!(of_players(hexhex(4), 2, "forward-left"), ["w", "e"]);
    assert_eq!(of_players(hexhex(4), 3, "forward"), ["n", "e", "sw"]);
    assert_eq!(of_players(rhombus(4, 4), 3, "forward"), ["n", "se", "w"]);
    assert_eq!(of_players(rhombus(4, 4), 6, "forward").len(), 6);
    for players in [0, 7, usize::MAX] {
        let mut many = hexhex(4);
        many.players = players;
        assert_eq!(build(&many).resolve("forward"), None);
    }
}

#[test]
fn directions_of_a_definition() {
    let mut spec = square(3, 3);
    spec.directions = vec![
        direction("ahead", DirectionTable::Group(words("side-ways forward"))),
        direction("side-ways", DirectionTable::Group(words("e w e"))),
        direction("mixed", DirectionTable::PerPlayer(vec![words("forward n"), words("forward e")])),
        direction("track", DirectionTable::Pairs(chains("a1-b2-c1-a1"))),
        direction("diagonal", DirectionTable::Group(words("ne track"))),
    ];
    let board = build(&spec);
    assert_eq!(labels(&board, "side-ways"), ["e w"]);
    assert_eq!(labels(&board, "ahead"), ["e w n", "e w s"]);
    assert_eq!(labels(&board, "mixed"), ["n", "s e"]);
    assert_eq!(labels(&board, "diagonal"), ["ne track"]);
    let track = dirs(&board, "track");
    assert_eq!(of(&board, &board.steps(&track), "c1"), "a1");
    let rays = board.rays(track[0]);
    assert_eq!(rays.ray(board.site("a1").unwrap()).len(), 2);
    assert_eq!(rays.order(), RayOrder::Mixed);
    assert_eq!(of(&board, &board.walk(&dirs(&board, "track n")), "a1"), "b3");
}

#[test]
fn mistakes_in_directions() {
    let with = |directions: Vec<DirectionSpec>| {
        let mut spec = square(3, 3);
        spec.directions = directions;
        mistakes(&spec)
    };
    let group = |name: &str, of: &str| direction(name, DirectionTable::Group(words(of)));
    let pairs = |name: &str, of: &str| direction(name, DirectionTable::Pairs(chains(of)));
    assert_eq!(
        with(vec![group("up", "forwrad")]),
        ["there is no direction `forwrad` (did you mean `forward`?)"]
    );
    assert_eq!(with(vec![group("n", "s")]), ["`n` is a direction of this board already"]);
    assert_eq!(with(vec![group("up", "n"), group("up", "s")]), ["the direction `up` is defined twice"]);
    assert_eq!(with(vec![group("p", "q"), group("q", "p")]).len(), 1);
    assert_eq!(with(vec![group("any", "any")]), ["the direction `any` is defined by itself"]);
    assert_eq!(with(vec![pairs("t", "a1-b1 a1-c1")]), ["`t` leads from `a1` both to `b1` and to `c1`"]);
    assert_eq!(with(vec![pairs("t", "a1-b4")]), ["there is no site `b4` (did you mean `b1`?)"]);
    assert_eq!(
        with(vec![direction("t", DirectionTable::PerPlayer(vec![words("n")]))]),
        ["`t` needs directions for each player: it has 1 of 2"]
    );
    let deep = (0..50_000).map(|i| group(&format!("d{i}"), &format!("d{}", i + 1)));
    assert_eq!(with(deep.chain([group("d50000", "n")]).collect()).len(), 0);
}

#[test]
fn wrapping() {
    let mut spec = square(5, 4);
    spec.wrap_columns = true;
    let board = build(&spec);
    assert_eq!(of(&board, &board.near(), "a1"), "b1 e1 a2");
    assert_eq!(of(&board, &board.leap(1, 2).unwrap(), "a1"), "c2 d2 b3 e3");
    assert_eq!(named(&board, &board.edge()), "a1 b1 c1 d1 e1 a4 b4 c4 d4 e4");
    assert!(board.corners().is_empty());
    assert!(board.side(2).is_empty());
    let east = board.rays(board.dir("e").unwrap());
    let c1 = board.site("c1").unwrap();
    let names: Vec<_> = east.ray(c1).iter().map(|s| board.name(*s)).collect();
    assert_eq!(names, ["d1", "e1", "a1", "b1"]);
    assert_eq!(east.order(), RayOrder::Mixed);
    assert!(board.leap(5, 0).unwrap().is_empty());

    let mut torus = rhombus(1, 1);
    (torus.wrap_columns, torus.wrap_rows) = (true, true);
    assert!(build(&torus).near().is_empty());

    for mut spec in [hexhex(3), graph(&[("e", "a-b")])] {
        (spec.wrap_columns, spec.wrap_rows) = (true, true);
        assert_eq!(mistakes(&spec).len(), 2);
    }
}

#[test]
fn holes() {
    let mut spec = square(5, 5);
    spec.remove = words("c3 a1 c3");
    let board = build(&spec);
    assert_eq!((board.len(), board.all().count()), (25, 23));
    assert_eq!(board.site("c3"), None);
    assert!(board.is_removed("c3") && !board.is_removed("c4"));
    let east = board.dir("e").unwrap();
    assert_eq!(board.step(east, board.site("b3").unwrap()), None);
    assert_eq!(board.rays(east).ray(board.site("a3").unwrap()).len(), 1);
    assert_eq!(of(&board, &board.walk(&[east, east]), "b3"), "d3");
    assert_eq!(of(&board, &board.walk(&dirs(&board, "w w n e e")), "b2"), "b3");
    assert!(board.centre().is_empty());
    assert_eq!(named(&board, &board.corners()), "e1 a5 e5");
    assert!(!board.near().image(&board.all()).contains(12));
    assert_eq!(board.picture_rows()[2][2], None);

    spec.remove = words("c9");
    assert_eq!(mistakes(&spec), ["there is no site `c9` (did you mean `c1`?)"]);
    let mut single = square(1, 1);
    single.remove = words("a1");
    assert_eq!(mistakes(&single), ["the board has no site: all are removed"]);
}

#[test]
fn a_graph() {
    let mut spec = graph(&[
        ("e w", "a1-d1-g1 a4-d4 e4-g4 a7-d7-g7"),
        ("n s", "a1-a4-a7 d1-d4 d4-d7 g1-g4-g7"),
        ("x", "e4-d7"),
    ]);
    let board = build(&spec);
    assert!(!board.is_grid());
    assert_eq!((board.len(), board.rows(), board.columns()), (10, 0, 0));
    assert_eq!(board.row(Site(0)), 0);
    assert_eq!(board.site("d1"), Some(Site(1)));
    assert_eq!(of(&board, &board.near(), "d4"), "d1 a4 d7");
    assert_eq!(of(&board, &board.near(), "e4"), "g4 d7");
    assert_eq!(board.axes().len(), 3);
    assert_eq!(board.axes()[2].1, None);
    assert_eq!(labels(&board, "any"), ["e w n s x"]);
    assert_eq!(labels(&board, "diagonal"), [""]);
    assert_eq!(board.resolve("forward"), None);
    assert!(board.leap(1, 2).is_err());
    let a1 = board.site("a1").unwrap();
    let g1 = board.site("g1").unwrap();
    assert_eq!(named(&board, &board.between(a1, g1)), "d1");
    assert_eq!(board.edge().count(), 5);
    assert_eq!(board.sides(), 0);
    assert_eq!(board.place(board.site("g7").unwrap()), (6.0, 6.0));
    assert_eq!(board.picture_rows().len(), 1);
    let path = build(&graph(&[("e w", "p-q-r-s")]));
    assert_eq!(named(&path, &path.centre()), "q r");
    assert_eq!(named(&path, &path.edge()), "p s");

    spec.remove = words("d1");
    let board = build(&spec);
    assert_eq!((board.len(), board.all().count()), (10, 9));
    let east = board.dir("e").unwrap();
    assert_eq!(board.step(east, a1), None);
    assert_eq!(of(&board, &board.walk(&[east, east]), "a1"), "g1");

    assert_eq!(mistakes(&graph(&[("e w", "a-b a-c")])), ["`e` leads from `a` both to `b` and to `c`"]);
}

#[test]
fn hostile_sizes() {
    let huge = usize::MAX;
    for shape in [
        Shape::Square { columns: huge, rows: huge },
        Shape::Square { columns: huge, rows: 1 },
        Shape::Square { columns: huge / 2 + 1, rows: 2 },
        Shape::Square { columns: 0, rows: huge },
        Shape::Square { columns: 33, rows: 32 },
        Shape::HexHex { base: huge },
        Shape::HexHex { base: 0 },
        Shape::HexHex { base: 17 },
        Shape::Hex { columns: 1025, rows: 1 },
        Shape::Triangle { base: huge },
        Shape::Triangle { base: 33 },
        Shape::Triangle { base: 0 },
    ] {
        let errors = Board::build(&spec(shape)).unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].part, BoardPart::Shape);
    }
    let many: Vec<String> = (0..3000).map(|i| format!("s{i}")).collect();
    assert_eq!(mistakes(&graph(&[("e w", &many.join("-"))])).len(), 1);
    assert_eq!(mistakes(&graph(&[("e w", &many[..1024].join("-"))])).len(), 0);

    for spec in [square(32, 32), square(1, 1024), hexhex(16), rhombus(1024, 1)] {
        let board = build(&spec);
        for (a, b) in [(i32::MAX, i32::MIN), (0, i32::MAX), (-1, 2)] {
            let _ = board.leap(a, b).unwrap();
        }
        assert!(board.leap(0, 0).is_err());
        assert_eq!(board.name(Site(u16::MAX)), "");
        assert_eq!(board.step(Dir(u16::MAX), Site(u16::MAX)), None);
        assert_eq!(board.rays(Dir(999)).ray(Site(0)).len(), 0);
        assert!(board.side(i32::MIN).is_empty());
    }
    let mut torus = square(32, 32);
    (torus.wrap_columns, torus.wrap_rows) = (true, true);
    let _ = build(&torus).leap(i32::MAX, i32::MIN).unwrap();
}

#[test]
fn pairs_of_sites() {
    let board = build(&square(3, 3));
    let site = |name| board.site(name).unwrap();
    let relation = board.pairs(&[
        vec![site("a1"), site("c3"), site("a1")],
        vec![site("a1"), site("b1")],
        vec![Site(70), site("a1")],
        vec![],
    ]);
    assert_eq!(of(&board, &relation, "a1"), "b1 c3");
    assert_eq!(of(&board, &relation, "c3"), "a1");
}

#[test]
fn pictures_and_places() {
    let board = build(&hexhex(2));
    let lines: Vec<String> = board
        .picture_rows()
        .iter()
        .map(|row| {
            let names = row.iter().map(|site| site.map_or("--", |s| board.name(s)));
            names.collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(lines, ["-- b3 c3", "a2 b2 c2", "a1 b1 --"]);
    assert_eq!(board.place(board.site("a2").unwrap()).0, 0.0);
    assert_eq!(build(&square(4, 4)).place(Site(6)), (2.0, 1.0));
}

/// Each key of a shape is one of definitions, and its sizes make a board with all that boards have.
#[test]
fn every_key_of_a_shape_makes_a_board() {
    for key in Shape::KEYS {
        let path = format!("board.{key}");
        let keys = schema().iter().filter(|row| {
            row.path.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        assert_eq!(keys.count(), 1, "`{path}` in src/core/definition/schema.rs");
        if key == "graph" {
            continue;
        }
        let made = [&[4][..], &[4, 4]].into_iter().find_map(|sizes| Shape::of_sizes(key, sizes));
        let shape = made.unwrap_or_else(|| panic!("`{key}` makes no shape of one or two sizes"));
        assert_eq!(shape.key(), key);
        let can_wrap = shape.can_wrap();
        let board = build(&spec(shape.clone()));
        for side in 1..=board.sides() {
            assert!(!board.side(side).is_empty(), "{key}: side {side}");
        }
        assert!(board.sides() > 2 && !board.centre().is_empty(), "{key}");
        assert_eq!(board.corners().count() as i32, board.sides(), "{key}");
        assert!(
            board.resolve("forward").is_some() && board.axes().iter().all(|(_, back)| back.is_some()),
            "{key}"
        );
        let wrapped = Board::build(&BoardSpec { wrap_columns: true, wrap_rows: true, ..spec(shape) });
        assert_eq!(wrapped.is_ok(), can_wrap, "{key}");
    }
}
