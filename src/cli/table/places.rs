//! Where the sites of a board stand on a terminal, and which one is next in a direction.

use crate::board::Board;
use crate::drawing::plan::SiteForm;
use crate::ids::Site;

/// The distance of rows of hexagons, in units of the distance of neighbours.
const ROW: f32 = 0.866_025_4;

/// A picture of a board in characters: each site has a cell of the same size.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Places {
    /// Squares have their names at the edge, hexagons each its own where there is room, else
    /// those of the ends of rows, dots each its own.
    pub form: SiteForm,
    /// Width and height of a cell.
    pub cell: (u16, u16),
    /// Width and height of all.
    pub size: (u16, u16),
    /// The upper left corner of each site's cell; none where there is no site.
    pub at: Vec<Option<(u16, u16)>>,
    /// Names at the edge: place and text.
    pub labels: Vec<(u16, u16, String)>,
}

/// Where a site stands, in columns and rows from the upper left.
fn spot(board: &Board, site: Site, form: SiteForm) -> (f32, f32) {
    let (x, y) = board.place(site);
    match form {
        SiteForm::Square => (x, board.rows() as f32 - 1.0 - y),
        SiteForm::Hexagon => (x, board.rows() as f32 - 1.0 - (y / ROW).round()),
        SiteForm::Dot => {
            // Names such as d7 tell where a site is; others stand in lines.
            let places: Vec<(f32, f32)> = board.sites().map(|s| board.place(s)).collect();
            match places.iter().all(|(x, y)| x.fract() == 0.0 && y.fract() == 0.0) {
                true => {
                    let top = places.iter().map(|p| p.1).fold(0.0, f32::max);
                    (x, top - y)
                }
                false => ((site.index() % 8) as f32, (site.index() / 8) as f32),
            }
        }
    }
}

/// The site that is next in a direction; the same one where there is none.
pub(super) fn walk(board: &Board, from: Site, (dx, dy): (i32, i32)) -> Site {
    let form = SiteForm::of(board);
    let (x, y) = spot(board, from, form);
    let far = |site: Site| {
        let (a, b) = spot(board, site, form);
        let (a, b) = (a - x, b - y);
        let along = a * dx as f32 + b * dy as f32;
        let across = (a * dy as f32 - b * dx as f32).abs();
        (along > 0.1).then_some(along + 2.0 * across)
    };
    let near = board.sites().filter_map(|site| Some((site, far(site)?)));
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(from, |(site, _)| site)
}

/// The width of the longest name of a site.
fn name_width(board: &Board) -> u16 {
    board.sites().map(|site| board.name(site).chars().count()).max().unwrap_or(1) as u16
}

impl Places {
    /// The largest picture that fits; where none does the smallest. `token` is the width of the widest piece.
    pub(super) fn fit(board: &Board, token: u16, room: (u16, u16)) -> Places {
        let form = SiteForm::of(board);
        let name = name_width(board);
        let even = |w: u16| w + w % 2;
        let sizes = match form {
            SiteForm::Square => vec![(token + 5, 3), (token + 3, 2), (token + 2, 1), (token + 1, 1)],
            // Where there is room each hexagon has its name in it.
            SiteForm::Hexagon => {
                let wide = token.max(name);
                vec![(even(wide + 3), 2), (even(wide + 1), 1), (even(token + 2), 1), (even(token + 1), 1)]
            }
            SiteForm::Dot => vec![(name + token + 4, 2), (name + token + 3, 1)],
        };
        let mut places = Places { form, cell: (1, 1), size: (0, 0), at: Vec::new(), labels: Vec::new() };
        for cell in sizes {
            places = Places::new(board, form, cell);
            if places.size.0 <= room.0 && places.size.1 <= room.1 {
                break;
            }
        }
        places
    }

    fn new(board: &Board, form: SiteForm, cell: (u16, u16)) -> Places {
        let (w, h) = (f32::from(cell.0), f32::from(cell.1));
        let edge = match form {
            SiteForm::Square => board.rows().to_string().len() as u16 + 1,
            SiteForm::Hexagon if cell.0 > name_width(board) => 0,
            SiteForm::Hexagon => name_width(board) + 1,
            SiteForm::Dot => 0,
        };
        let mut at = vec![None; board.len()];
        let (mut right, mut low) = (0, 0);
        for site in board.sites() {
            let (x, y) = spot(board, site, form);
            let place = (edge + (x * w).round() as u16, (y * h).round() as u16);
            (right, low) = (right.max(place.0 + cell.0), low.max(place.1 + cell.1));
            if let Some(slot) = at.get_mut(site.index()) {
                *slot = Some(place);
            }
        }
        let mut labels = Vec::new();
        let middle = (cell.1 - 1) / 2;
        for row in board.picture_rows() {
            let sites: Vec<Site> = row.into_iter().flatten().collect();
            let (Some(first), Some(last)) = (sites.first(), sites.last()) else { continue };
            let place = |site: &Site| at.get(site.index()).copied().flatten().unwrap_or_default();
            match form {
                SiteForm::Square => {
                    let name = board.name(*first).trim_start_matches(char::is_alphabetic);
                    labels.push((edge - 1 - name.len() as u16, place(first).1 + middle, name.to_owned()));
                }
                // Where each has its name there is no need of others.
                SiteForm::Hexagon if cell.0 > name_width(board) => {}
                SiteForm::Hexagon => {
                    let name = board.name(*first);
                    let left = place(first).0.saturating_sub(name.chars().count() as u16 + 1);
                    labels.push((left, place(first).1 + middle, name.to_owned()));
                    let end = place(last).0 + cell.0 + 1;
                    labels.push((end, place(last).1 + middle, board.name(*last).to_owned()));
                    right = right.max(end + board.name(*last).chars().count() as u16);
                }
                SiteForm::Dot => {}
            }
        }
        if form == SiteForm::Square {
            let mut seen = Vec::new();
            for site in board.sites() {
                let name = board.name(site).trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
                let column = at.get(site.index()).copied().flatten().unwrap_or_default().0;
                if !seen.contains(&column) {
                    seen.push(column);
                    let middle = (cell.0.saturating_sub(name.len() as u16)) / 2;
                    labels.push((column + middle, low, name));
                }
            }
            low += 1;
        }
        Places { form, cell, size: (right, low), at, labels }
    }
}
