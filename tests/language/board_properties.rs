//! What holds of every board and of every set of its sites.

use farrier::board::{Board, BoardSpec, Relation, Shape};
use farrier::ids::Dir;
use farrier::siteset::SiteSet;
use proptest::prelude::*;

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

/// Boards of every kind, some with holes, some that wrap.
fn boards() -> Vec<Board> {
    let graph = [("e", Some("w"), "p-q-r-s-p t-u"), ("n", Some("s"), "p-t-v r-u"), ("x", None, "p-u")];
    let chains = |text: &str| -> Vec<Vec<String>> {
        let chains = text.split(' ');
        chains.map(|chain| chain.split('-').map(str::to_owned).collect()).collect()
    };
    let edges = graph.map(|(a, b, text)| (a.to_owned(), b.map(str::to_owned), chains(text)));
    let mut specs: Vec<BoardSpec> = [
        Shape::Square { columns: 8, rows: 8 },
        Shape::Square { columns: 5, rows: 7 },
        Shape::Square { columns: 1, rows: 9 },
        Shape::HexHex { base: 4 },
        Shape::HexHex { base: 6 },
        Shape::Hex { columns: 6, rows: 5 },
        Shape::Triangle { base: 6 },
        Shape::Graph { edges: edges.into() },
    ]
    .map(spec)
    .into();
    for shape in [Shape::Square { columns: 6, rows: 5 }, Shape::Hex { columns: 5, rows: 6 }] {
        let mut spec = spec(shape);
        spec.remove = vec!["b2".to_owned(), "c4".to_owned()];
        specs.push(spec.clone());
        spec.wrap_columns = true;
        specs.push(spec.clone());
        spec.wrap_rows = true;
        specs.push(spec);
    }
    let boards: Vec<Board> = specs.iter().flat_map(Board::build).collect();
    assert_eq!(boards.len(), 14, "every board builds");
    boards
}

/// One of the boards, and sets of its sites.
fn a_board_and_sets() -> impl Strategy<Value = (Board, SiteSet, SiteSet)> {
    let sets = prop::array::uniform4(any::<u64>());
    (prop::sample::select(boards()), sets).prop_map(|(board, [a, b, c, d])| {
        let first = SiteSet::load(&[a, b]) & board.all();
        let second = SiteSet::load(&[c, d]) & board.all();
        (board, first, second)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn translations_are_the_relation((board, set, _) in a_board_and_sets()) {
        let mut relations = vec![board.near(), board.steps(&board.lines())];
        relations.extend(board.leap(2, 1));
        relations.push(board.walk(&board.lines()[..1].repeat(2)));
        for relation in relations {
            let parts = relation.translations(usize::MAX).unwrap();
            let moved = parts
                .iter()
                .fold(SiteSet::EMPTY, |sum, (by, from)| sum | (set & *from).shift(*by));
            prop_assert_eq!(moved, relation.image(&set));
            prop_assert_eq!(relation.image(&set) - board.all(), SiteSet::EMPTY);
        }
    }

    #[test]
    fn the_nearest_on_a_ray_is_the_first_met((board, set, through) in a_board_and_sets()) {
        for dir in 0..board.directions().len() {
            let dir = Dir(dir as u16);
            let rays = board.rays(dir);
            for site in board.sites() {
                prop_assert_eq!(rays.nearest(site, &set), rays.walk_to(site, &set));
                // The slide by rays is the slide by single steps.
                let mut reached = SiteSet::EMPTY;
                let mut at = site;
                while let Some(next) = board.step(dir, at) {
                    if next == site || reached.contains(next.index()) {
                        break;
                    }
                    reached.insert(next.index());
                    if !through.contains(next.index()) {
                        break;
                    }
                    at = next;
                }
                prop_assert_eq!(rays.slide(site, &through, None), reached);
                prop_assert_eq!(rays.slide(site, &through, Some(0)), SiteSet::EMPTY);
            }
        }
    }

    #[test]
    fn a_flood_is_the_union_of_its_rings((board, seed, within) in a_board_and_sets()) {
        let near = board.near();
        let pairs = near.pairs().filter(|(a, b)| within.contains(a.index()) && within.contains(b.index()));
        let inside = Relation::from_pairs(board.len(), pairs);
        let start = seed & within;
        let rings = (0..board.len() as u32).fold(SiteSet::EMPTY, |sum, k| sum | inside.ring(&start, k));
        prop_assert_eq!(near.flood(&seed, &within), rings);
    }

    #[test]
    fn converse_and_opposites_agree((board, set, _) in a_board_and_sets()) {
        for (i, direction) in board.directions().iter().enumerate() {
            let there = board.steps(&[Dir(i as u16)]);
            if let Some(back) = direction.opposite {
                prop_assert_eq!(there.converse(), board.steps(&[back]));
            }
            prop_assert_eq!(there.then(&there).image(&set), there.image(&there.image(&set)));
        }
    }
}
