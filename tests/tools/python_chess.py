#!/usr/bin/env python3
"""Plays whole games of chess with `farrier engine chess` by way of python-chess, which judges every move.

    pip install chess
    tests/tools/python_chess.py FARRIER [--games 2] [--agent flat:2]

The engine plays one side of each game, moves at random the other. It is asked by nodes, by time and by clock, for
analysis that is stopped, for several lines. There is no move for both after mate and stalemate;
past any other draw the engine goes on.
"""
import argparse
import random
import sys
import time

import chess
import chess.engine


def over(board):
    """Whether the game is over as Farrier's chess has it: what may be claimed is claimed."""
    return board.is_game_over(claim_draw=False) or board.is_repetition(3) or board.is_fifty_moves()


def game(engine, number):
    board = chess.Board()
    if number % 2:
        board.set_fen("r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 4 9")
    rng = random.Random(number)
    limits = [
        chess.engine.Limit(nodes=20),
        chess.engine.Limit(time=0.02),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(depth=1, nodes=5),
    ]
    late = 0.0
    while not over(board):
        if board.turn == bool(number & 2):
            board.push(rng.choice(list(board.legal_moves)))
            continue
        limit = limits[rng.randrange(len(limits))]
        begun = time.monotonic()
        played = engine.play(board, limit, info=chess.engine.INFO_ALL, game=number)
        if limit.time:
            late = max(late, time.monotonic() - begun - limit.time)
        if played.move is None:
            sys.exit(f"no move, but the game goes on: {board.fen()}")
        board.push(played.move)
    # Mate and stalemate have no move. Past any other draw the engine goes on: nobody has to claim it.
    played = engine.play(board, chess.engine.Limit(nodes=1), game=number)
    if not any(board.legal_moves):
        if played.move is not None:
            sys.exit(f"a move, but there is none: {board.fen()}")
    elif played.move not in board.legal_moves:
        sys.exit(f"no legal move past a draw: {board.fen()}")
    return board, late


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("farrier")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--agent", default="flat:2")
    given = parser.parse_args()
    command = [given.farrier, "engine", "chess", "--agent", given.agent]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        engine.ping()
        engine.configure({"Agent": given.agent, "Move Overhead": 5})
        for number in range(given.games):
            board, late = game(engine, number)
            print(f"game {number}: {board.ply()} plies, {board.result(claim_draw=True)}, at most {late * 1000:.0f} ms late")
        # Thought without an end, which is stopped.
        with engine.analysis(chess.Board(), multipv=2) as analysis:
            time.sleep(0.2)
            analysis.stop()
            best = analysis.wait()
        if best.move not in chess.Board().legal_moves:
            sys.exit("no move after `stop`")
    print("python-chess has no complaint")


if __name__ == "__main__":
    main()
