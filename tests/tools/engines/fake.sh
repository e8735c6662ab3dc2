#!/bin/sh
# An engine for tests, of tic-tac-toe: plays the first vacant square, or misbehaves as its first word says.
# The second word is a file into which what was said to it is written.
how=${1:-well}
log=${2:-/dev/null}
# Tells what it starts, or becomes, from all other processes.
export FAKE_ENGINE="$log"
case $how in
    dead) exit 3 ;;
    mute) exec sleep 600 ;;
    babbles) while :; do echo nonsense; done ;;
    endless) exec tr '\0' x </dev/zero ;;
    deaf)
        read -r _
        echo uciok
        exec sleep 600 <&- ;;
    stubborn) trap '' HUP INT TERM ;;
    # What it starts has its name, and outlives it unless somebody ends it.
    breeds) sh "$0" child "$log" & ;;
    child)
        trap '' HUP INT TERM
        while :; do sleep 1; done ;;
esac
while read -r line; do
    echo "$line" >>"$log"
    case $line in
        uci) [ "$how" = ugi ] || echo uciok ;;
        ugi) [ "$how" = ugi ] && echo ugiok ;;
        isready)
            [ "$how" = unready ] && exec sleep 600
            echo readyok ;;
        position*) placed=" ${line#*moves} " ;;
        go*)
            [ "$how" = slow ] && sleep 1
            case $how in
                crash) exit 7 ;;
                stall)
                    echo "info depth 1 score cp 3 pv b2"
                    exec sleep 600 ;;
                hang) exec sleep 600 ;;
                closes)
                    exec >&-
                    while :; do sleep 1; done ;;
                flood) while :; do echo "info depth 1 score cp 3 pv a1"; done ;;
                lie) echo "bestmove z9" ;;
                none) printf "info string there is no game\nbestmove (none)\n" ;;
                empty) echo "bestmove" ;;
                binary) printf 'bestmove \377\033[2J\n' ;;
                *)
                    for square in b2 a1 b1 c1 a2 c2 a3 b3 c3; do
                        case $placed in
                            *" $square "*) ;;
                            *)
                                echo "info depth 2 nodes 9 score mate 1 pv $square"
                                echo "bestmove $square"
                                break ;;
                        esac
                    done ;;
            esac ;;
        quit)
            while [ "$how" = stubborn ]; do sleep 1; done
            exit 0 ;;
    esac
done
# Its input is closed.
while [ "$how" = stubborn ]; do sleep 1; done
