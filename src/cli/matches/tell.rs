//! The results of a match, for people and for programs.

use serde_json::{Map, Value, json};

use crate::matches::stats::{self, Sprt, Verdict};
use crate::matches::{Match, Player, Row, Standings};
use crate::statistics::Estimate;
use crate::wording::{count, many};

/// A number with its sign; infinite ones in words.
fn elo(value: f64) -> String {
    match value {
        v if v == f64::INFINITY => "more than can be told".to_owned(),
        v if v == f64::NEG_INFINITY => "less than can be told".to_owned(),
        v => format!("{v:+.0}"),
    }
}

fn percent(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

fn interval(score: Estimate) -> String {
    format!("{} % ({} to {})", percent(score.value), percent(score.low), percent(score.high))
}

fn verdict(standings: &Standings, sprt: Sprt) -> String {
    let (low, high) = Sprt::bounds();
    let Sprt { elo0, elo1 } = sprt;
    let said = match standings.verdict(&sprt) {
        Verdict::GoOn => "not decided".to_owned(),
        Verdict::First => format!("{elo0:+} rather than {elo1:+}"),
        Verdict::Second => format!("{elo1:+} rather than {elo0:+}"),
    };
    let llr = sprt.llr(&standings.pairs());
    format!("{said} (log of the ratio {llr:.2}, of {low:.2} to {high:.2})")
}

/// The results as text.
pub(super) fn text(found: &Match, standings: &Standings, sprt: Option<Sprt>) -> String {
    let agents: Vec<&str> = found.rules().agents.iter().map(|agent| agent.name.as_str()).collect();
    let players = &found.game().rules.players;
    let clock = found.rules().clock.map_or(String::new(), |control| format!(", {control} on each clock"));
    let games = many(standings.games(), "game");
    let mut out = format!("{}: {games}{clock}\n", found.game().definition.title);
    match (&agents[..], standings.rows()) {
        ([a, b], [row, _]) => {
            out += &format!(
                "{a} against {b}: {} won, {} drawn, {} lost\n",
                count(row.wins),
                count(row.draws),
                count(row.losses)
            );
            if let Some(score) = row.score() {
                out += &format!("score        {}\n", interval(score));
                let Estimate { value, low, high, .. } = stats::in_elo(score);
                out += &format!("Elo          {} ({} to {})\n", elo(value), elo(low), elo(high));
                out += &format!("better with  {} %\n", percent(stats::superiority(&row.shares)));
                let pairs = standings.pairs().map(count).join(", ");
                out += &format!("pairs        {pairs} (with 0, 1/2, 1, 3/2, 2 points)\n");
            }
        }
        (_, rows) => {
            out += &table(&agents, rows, players.len());
            out.push('\n');
        }
    }
    if let Some(sprt) = sprt {
        out += &format!("test         {}\n", verdict(standings, sprt));
    }
    let all: f64 = standings.seats.iter().sum();
    if all > 0.0 {
        let seat = |(player, points): (&String, &f64)| format!("{player} {} %", percent(points / all));
        let seats: Vec<String> = players.iter().zip(&standings.seats).map(seat).collect();
        out += &format!("seats        {}\n", seats.join(", "));
    }
    let ends: Vec<String> =
        standings.endings.iter().map(|(name, games)| format!("{name} {}", count(*games))).collect();
    if !ends.is_empty() {
        out += &format!("ends         {}\n", ends.join(", "));
    }
    for ((agent, why), times) in &standings.given_up {
        let agent = agents.get(*agent).copied().unwrap_or_default();
        out += &format!("given up     {agent}, {}: {why}\n", many(*times, "time"));
    }
    if found.game().rules.match_.is_some() {
        let points = |(agent, row): (&&str, &Row)| format!("{agent} {}", row.match_points);
        let points: Vec<String> = agents.iter().zip(standings.rows()).map(points).collect();
        out += &format!("match points {} (of [match]; the score above counts games)\n", points.join(", "));
    }
    out
}

/// All agents, the best first.
fn table(agents: &[&str], rows: &[Row], players: usize) -> String {
    let mut order: Vec<usize> = (0..agents.len()).collect();
    let score = |agent: &usize| rows.get(*agent).and_then(Row::score).map_or(0.0, |score| score.value);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let against = players == 2;
    let mut head: Vec<String> =
        ["", "agent", "games", "score, 95 %", "won", "drawn", "lost"].map(str::to_owned).to_vec();
    if against {
        head.extend((1..=agents.len()).map(|place| format!("{place}")));
    }
    let lines = order.iter().enumerate().filter_map(|(place, agent)| {
        let row = rows.get(*agent)?;
        let mut cells = vec![
            format!("{}", place + 1),
            (*agents.get(*agent)?).to_owned(),
            count(row.games),
            row.score().map(interval).unwrap_or_default(),
            count(row.wins),
            count(row.draws),
            count(row.losses),
        ];
        if against {
            cells.extend(order.iter().map(|other| {
                let shares = row.against.get(other).and_then(|shares| stats::mean(shares));
                shares.map_or("-".to_owned(), |score| format!("{} %", percent(score.value)))
            }));
        }
        Some(cells)
    });
    let lines: Vec<Vec<String>> = lines.collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    crate::cli::text::table(&head, lines)
}

/// The results as JSON.
pub(super) fn json(found: &Match, standings: &Standings, sprt: Option<Sprt>) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let estimate =
        |e: Estimate| json!({ "value": finite(e.value), "low": finite(e.low), "high": finite(e.high) });
    let rules = found.rules();
    let against = |(other, shares): (&usize, &Vec<f64>)| {
        Some((rules.agents.get(*other)?.name.clone(), estimate(stats::mean(shares)?)))
    };
    let agent = |(agent, row): (&Player, &Row)| {
        let against: Map<String, Value> = row.against.iter().filter_map(against).collect();
        json!({
            "agent": agent.name, "games": row.games, "wins": row.wins, "draws": row.draws, "losses": row.losses,
            "score": row.score().map(estimate), "against": against,
            "match_points": found.game().rules.match_.as_ref().map(|_| row.match_points),
        })
    };
    let agents: Vec<Value> = rules.agents.iter().zip(standings.rows()).map(agent).collect();
    let seats: Map<String, Value> =
        found.game().rules.players.iter().cloned().zip(standings.seats.iter().map(|p| json!(p))).collect();
    let mut shown = json!({
        "game": found.game().name,
        "options": crate::cli::load::options_json(found.game()),
        "seed": rules.seed,
        "clock": rules.clock.map(|control| control.to_string()),
        "games": standings.games(),
        "agents": agents,
        "seats": seats,
        "ends": standings.endings,
        "reasons": standings.given_up.iter().map(|((agent, why), times)| json!({
            "agent": rules.agents.get(*agent).map(|agent| &agent.name), "reason": why, "games": times,
        })).collect::<Vec<_>>(),
        "given_up": standings.forfeits, "cut": standings.cut, "proved": standings.proved,
    });
    if let ([row, _], 2) = (standings.rows(), found.game().rules.players.len()) {
        shown["elo"] = json!(row.score().map(|score| estimate(stats::in_elo(score))));
        shown["superiority"] = json!(stats::superiority(&row.shares));
        shown["pairs"] = json!(standings.pairs());
    }
    if let Some(sprt) = sprt {
        let accepted = match standings.verdict(&sprt) {
            Verdict::GoOn => None,
            Verdict::First => Some(sprt.elo0),
            Verdict::Second => Some(sprt.elo1),
        };
        shown["sprt"] = json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "llr": sprt.llr(&standings.pairs()), "accepted": accepted,
        });
    }
    shown
}
