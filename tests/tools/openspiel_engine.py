#!/usr/bin/env python3
"""OpenSpiel's Monte-Carlo tree search as an engine that speaks UGI, an opponent for `farrier match`.

    pip install open_spiel
    tests/tools/openspiel_engine.py GAME [--explore 2] [--seed 1]

GAME is breakthrough, connect-four, draughts, havannah, hex or reversi; havannah and hex without the pie rule. The search
has one thread, plain playouts and proves results. OpenSpiel's draughts is drawn after 40 plies without a capture, which
Farrier's is not: the engine gives up there.
"""
import argparse
import re
import sys

import pyspiel

MEMORY = 2000  # MB


def same(state, action):
    return state.action_to_string(action)


def turned(state, action):
    """OpenSpiel numbers the rows of breakthrough from the other side, and marks captures."""
    return re.sub("[1-8]", lambda row: str(9 - int(row[0])), same(state, action).rstrip("*"))


def dropped(state, action):
    """A disc of connect four falls on those that lie in its column."""
    return "abcdefg"[action] + str(1 + state.history().count(action))


# Each game's name there, and its moves as Farrier writes them.
GAMES = {
    "breakthrough": ("breakthrough", turned),
    "connect-four": ("connect_four", dropped),
    "draughts": ("checkers", same),
    "havannah": ("havannah(board_size=8)", same),
    "hex": ("hex", same),
    "reversi": ("othello", same),
}


def moves_of(state, spelled):
    return {spelled(state, action): action for action in state.legal_actions()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--explore", type=float, default=2.0, help="the constant of UCT")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    name, spelled = GAMES[options.game]
    game = pyspiel.load_game(name)
    state, seed = game.new_initial_state(), options.seed

    def say(line):
        print(line, flush=True)

    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "ugi":
            say("id name OpenSpiel MCTS")
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif command == "position":
            # Only from the start: `startpos moves ...`.
            state = game.new_initial_state()
            for word in words[2:]:
                state.apply_action(moves_of(state, spelled)[word])
        elif command == "go":
            if state.is_terminal():
                sys.exit("the game is over as OpenSpiel sees it")
            limits = dict(zip(words[::2], words[1::2]))
            nodes = int(limits.get("nodes", 100_000_000))
            seconds = int(limits["movetime"]) / 1000 if "movetime" in limits else -1.0
            seed += 1
            bot = pyspiel.MCTSBot(
                game, pyspiel.RandomRolloutEvaluator(1, seed), options.explore, nodes, MEMORY, True, seed, False,
                max_wall_clock_time=seconds)
            say("bestmove " + spelled(state, bot.step(state)))
        elif command == "quit":
            return


if __name__ == "__main__":
    main()
