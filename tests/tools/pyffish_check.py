#!/usr/bin/env python3
"""Compares the chess variants and other games that Fairy-Stockfish knows too with its Python module, ply by ply.

    pip install pyffish
    tests/tools/pyffish_check.py FARRIER [GAME...] [--games 10] [--plies 300]

Fairy-Stockfish plays a random game and notes all legal moves on the way. `farrier play` plays the same game and must
have the same legal moves after each ply and the same result at the end. The package is under the GPL and is used by
this test only.
"""
import argparse
import json
import random
import re
import subprocess
import sys

import pyffish


class Variant:
    def __init__(self, name, letters=(), late=False, players=("white", "black"), kinds=False, mating="", drawn=False):
        self.name = name  # how Fairy-Stockfish calls it
        self.letters = dict(letters)  # what a pawn becomes, in Farrier's letters
        self.players = players  # who begins stands first
        self.kinds = kinds  # whether pieces of several kinds are put
        self.mating = mating  # what must not mate where it is put: Fairy-Stockfish lets who does it lose
        self.drawn = drawn  # whether the start is drawn by a seed, and castling is written as the king taking the rook
        self.late = late  # whether Farrier waits for the ply that decides the game where Fairy-Stockfish foresees it

    def spelled(self, move):
        """A move of Fairy-Stockfish as Farrier writes it."""
        move = move.split(",")[0]  # where a wall goes besides: it follows from the move
        kind, at, where = move.rpartition("@")  # what is put: said if there is more than one kind
        move = kind.lower() + at + where if self.kinds else where
        return move[:-1] + self.letters.get(move[-1], move[-1])

    def legal(self, fen, moves):
        """The legal moves after some others, without what must not mate where it is put."""
        here = pyffish.get_fen(self.name, fen, moves, self.drawn)

        def banned(move):
            put = self.mating and move.startswith(self.mating + "@")
            return put and not pyffish.legal_moves(self.name, here, [move])

        return [move for move in pyffish.legal_moves(self.name, fen, moves, self.drawn) if not banned(move)]

    def start(self, farrier, game, seed):
        """The start: of Fairy-Stockfish, or the one that Farrier draws."""
        if not self.drawn:
            return pyffish.start_fen(self.name)
        command = [farrier, "show", game, "--seed", str(seed), "--format", "json"]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)["position"]


KNOWN = {
    "antichess": Variant("antichess"),
    "ataxx": Variant("ataxx", players=("red", "blue")),
    "atomic-chess": Variant("atomic"),
    "breakthrough": Variant("breakthrough"),
    "chess": Variant("chess"),
    "chess960": Variant("chess", drawn=True),
    "chigorin-chess": Variant("chigorin"),
    "clobber": Variant("clobber"),
    "crazyhouse": Variant("crazyhouse", kinds=True),
    "fox-and-hounds": Variant("fox-and-hounds"),
    "gardner-minichess": Variant("gardner"),
    "horde-chess": Variant("horde"),
    "jeson-mor": Variant("jesonmor", late=True),
    "joust": Variant("joust"),
    "king-of-the-hill": Variant("kingofthehill"),
    "knightmate": Variant("knightmate", letters={"m": "k"}),
    "los-alamos-chess": Variant("losalamos"),
    "minishogi": Variant("minishogi", players=("black", "white"), kinds=True, mating="P"),
    "nightrider-chess": Variant("nightrider"),
    "pocket-knight": Variant("pocketknight"),
    "racing-kings": Variant("racingkings", late=True),
    "shogi": Variant("shogi", players=("black", "white"), kinds=True, mating="P"),
    "three-check": Variant("3check"),
    "xiangqi": Variant("xiangqi", players=("red", "black")),
}


def over(variant, fen, moves, legal):
    """The result for white where the game is over: more than 0, 0 or less; None while it goes on."""
    here = (variant.name, fen, moves, variant.drawn)
    ended, value = pyffish.is_immediate_game_end(*here)
    if not ended and not legal:
        ended, value = True, pyffish.game_result(*here)
    if not ended:
        ended, value = pyffish.is_optional_game_end(*here)
    if not ended:
        return None
    return value if len(moves) % 2 == 0 else -value


def random_game(variant, fen, rng, plies):
    """The moves of a game, the legal moves before each of them, and the result."""
    moves, legal = [], []
    while True:
        here = variant.legal(fen, moves)
        result = over(variant, fen, moves, here)
        if result is not None or len(moves) == plies:
            return moves, legal, result
        # Nobody can win any more: a game may say so, and end.
        if all(pyffish.has_insufficient_material(variant.name, fen, moves, variant.drawn)):
            return moves, legal, 0
        legal.append(here)
        moves.append(rng.choice(here))


def farrier_game(farrier, game, seed, variant, moves):
    """The legal moves before each move, and after the last one, and what Farrier says at the end."""
    words = [f"moves\n{variant.spelled(move)}\n" for move in moves]
    seats = ",".join(f"{player}=human" for player in variant.players)
    command = [farrier, "play", game, "--plain", "--seed", str(seed), "--as", seats]
    run = subprocess.run(command, input="".join(words) + "moves\nquit\n", capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    legal, listed, said = [], None, None
    for line in run.stdout.splitlines():
        if line.endswith("> moves"):
            listed = []
            legal.append(listed)
        elif line.startswith("  ") and listed is not None:
            listed.extend(line.split())
        elif not line.endswith(":"):
            listed = None
        result = re.fullmatch(r"(?:the game is a )?(draw|\S+ wins)(?: \(.*\))?", line)
        said = result[1] if result else said
    return legal, said


def compared(farrier, game, variant, seed, plies):
    """The number of plies of one game, and whether it came to its end; stops the program where something differs."""
    start = variant.start(farrier, game, seed)
    moves, theirs, result = random_game(variant, start, random.Random(seed), plies)
    moves = [variant.spelled(move) for move in moves]

    def differs(at, wanted, found):
        sys.exit(f"{game}, seed {seed}, after {' '.join(moves[:at])}:\n  Fairy-Stockfish: {wanted}\n  Farrier: {found}")

    ours, said = farrier_game(farrier, game, seed, variant, moves)
    for at, wanted in enumerate(theirs):
        wanted = sorted(variant.spelled(move) for move in wanted)
        found = sorted(ours[at]) if at < len(ours) else []
        if found != wanted:
            differs(at, wanted, found)
    if result is not None:
        wanted = "draw" if result == 0 else f"{variant.players[result < 0]} wins"
        if variant.late and said is None:
            ends = [farrier_game(farrier, game, seed, variant, moves + [move])[1] for move in ours[-1]]
            said = wanted if wanted in ends else ends
        if said != wanted:
            differs(len(moves), wanted, said)
    return len(theirs), result is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("farrier")
    parser.add_argument("game", nargs="*", default=list(KNOWN))
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--plies", type=int, default=300)
    given = parser.parse_args()
    for game in given.game:
        variant = KNOWN[game]
        games = [compared(given.farrier, game, variant, seed, given.plies) for seed in range(given.games)]
        plies, ended = map(sum, zip(*games))
        print(f"{game}: {given.games} games of {plies} plies, {ended} of them to the end")
    print("Fairy-Stockfish has no complaint")


if __name__ == "__main__":
    main()
