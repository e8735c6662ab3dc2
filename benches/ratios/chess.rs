//! The chess libraries' side: uniformly random playouts to mate, stalemate, fifty moves, the third
//! repetition, insufficient material or the cut; and perft in which every leaf is made.

use std::hint::black_box;
use std::time::Duration;

use cozy_chess::{BitBoard, Board, Piece};
use cpu_time::ThreadTime;
use farrier::play::Rng;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use super::{Side as Slices, Slice};

/// Slices of a playout (which gives its plies).
fn playouts(mut one: impl FnMut(&mut Rng) -> u32 + 'static) -> Slices<'static> {
    let mut rng = Rng::new(1);
    Box::new(move |seconds| {
        let (began, time) = (ThreadTime::now(), Duration::from_secs_f64(seconds));
        let (mut games, mut plies) = (0_u64, 0_u64);
        while games == 0 || began.elapsed() < time {
            for _ in 0..8 {
                plies += u64::from(one(&mut rng));
                games += 1;
            }
        }
        let rate = games as f64 / began.elapsed().as_secs_f64();
        Slice { rate, size: plies as f64 / games as f64 }
    })
}

/// Slices of a count.
fn counts(count: impl Fn() -> u64 + 'static) -> Slices<'static> {
    Box::new(move |seconds| {
        let (began, time) = (ThreadTime::now(), Duration::from_secs_f64(seconds));
        let (mut nodes, mut times, mut size) = (0, 0, 0);
        while times == 0 || began.elapsed() < time {
            size = count();
            nodes += size;
            times += 1;
        }
        Slice { rate: nodes as f64 / began.elapsed().as_secs_f64(), size: size as f64 }
    })
}

/// Whether the last position is there for the third time. `halfmoves` have been made since the last move
/// that cannot be taken back, and the same side is to move in every second.
fn third(hashes: &[u64], halfmoves: usize) -> bool {
    let Some((last, before)) = hashes.split_last() else { return false };
    before.iter().rev().take(halfmoves).skip(1).step_by(2).filter(|h| *h == last).count() >= 2
}

pub fn shakmaty_playouts(most: u32) -> Slices<'static> {
    let mut hashes: Vec<u64> = Vec::with_capacity(most as usize + 1);
    playouts(move |rng| {
        let mut pos = Chess::default();
        let hash = |pos: &Chess| pos.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        hashes.clear();
        hashes.push(hash(&pos));
        let mut plies = 0;
        while plies < most {
            let moves = pos.legal_moves();
            let over = moves.is_empty()
                || pos.halfmoves() >= 100
                || pos.is_insufficient_material()
                || third(&hashes, pos.halfmoves() as usize);
            if over {
                break;
            }
            pos.play_unchecked(moves[rng.pick(moves.len())]);
            hashes.push(hash(&pos));
            plies += 1;
        }
        plies
    })
}

/// At most one minor piece, or bishops of one colour of squares only.
fn insufficient(board: &Board) -> bool {
    let of = |piece| board.pieces(piece);
    if !(of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen)).is_empty() {
        return false;
    }
    let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
    (knights | bishops).len() <= 1
        || knights.is_empty()
            && ((bishops & BitBoard::DARK_SQUARES).is_empty()
                || (bishops & BitBoard::LIGHT_SQUARES).is_empty())
}

pub fn cozy_playouts(most: u32) -> Slices<'static> {
    let mut hashes: Vec<u64> = Vec::with_capacity(most as usize + 1);
    let mut moves = Vec::with_capacity(256);
    playouts(move |rng| {
        let mut board = Board::default();
        hashes.clear();
        hashes.push(board.hash());
        let mut plies = 0;
        while plies < most {
            moves.clear();
            board.generate_moves(|some| {
                moves.extend(some);
                false
            });
            let halfmoves = board.halfmove_clock();
            let over = moves.is_empty()
                || halfmoves >= 100
                || insufficient(&board)
                || third(&hashes, usize::from(halfmoves));
            if over {
                break;
            }
            board.play_unchecked(moves[rng.pick(moves.len())]);
            hashes.push(board.hash());
            plies += 1;
        }
        plies
    })
}

pub fn shakmaty_perft(depth: u32) -> Slices<'static> {
    fn count(pos: &Chess, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        for m in &pos.legal_moves() {
            let mut next = pos.clone();
            next.play_unchecked(*m);
            nodes += count(black_box(&next), depth - 1);
        }
        nodes
    }
    counts(move || count(&Chess::default(), depth))
}

pub fn cozy_perft(depth: u32) -> Slices<'static> {
    fn count(board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        board.generate_moves(|some| {
            for m in some {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += count(black_box(&next), depth - 1);
            }
            false
        });
        nodes
    }
    counts(move || count(&Board::default(), depth))
}
