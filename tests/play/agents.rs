//! The words that agents are told by.

use farrier::search::{AgentSpec, Making};

#[test]
fn agents_are_read_and_written() {
    for text in [
        "random",
        "flat:1",
        "flat:200",
        "flat:20k",
        "flat:500ms",
        "level:7",
        "auto:2s",
        "alphabeta:20k@2",
        "engine:2s:./a b --c:d",
    ] {
        assert_eq!(AgentSpec::parse(text).map(|a| a.to_string()), Ok(text.to_owned()));
    }
    let said = |text: &str| AgentSpec::parse(text).map(|a| a.to_string());
    assert_eq!(said("flat"), Ok("flat:1s".to_owned()));
    assert_eq!(said("engine:gnubg"), Ok("engine:1s:gnubg".to_owned()));
    assert_eq!(said("engine:c:/x"), Ok("engine:1s:c:/x".to_owned()));
    for text in [
        "",
        "flat:",
        "flat:0",
        "flat:-1",
        "flat:x",
        "random:3",
        "best",
        "level",
        "level:0",
        "level:11",
        "engine",
        "engine:",
        "engine:1s:",
        "alphabeta:1s@",
        "alphabeta:1s@0",
        "alphabeta:1s@1000",
        "alphabeta:@2",
        "flat:1s@2",
        "level:3@2",
    ] {
        assert!(AgentSpec::parse(text).is_err(), "{text}");
    }
    assert!(AgentSpec::parse("flatt:3").is_err_and(|e| e.help.starts_with("did you mean `flat`?")));
}

#[test]
fn what_is_not_here_is_refused() {
    let made = |text: &str| AgentSpec::parse(text).map(|spec| spec.seat(&Making::default()).err());
    assert!(made("flat:1s").is_ok_and(|e| e.is_some_and(|e| e.message.contains("no clock"))));
    assert!(made("engine:9:x").is_ok_and(|e| e.is_some_and(|e| e.message.contains("no program"))));
    assert!(made("flat:9").is_ok_and(|e| e.is_none()));
}
