//! Overlays: joins, options, child files, extension files, and what contradicts.

use crate::definition_kit::{
    BASE, VALUES, base, body, define, files, good, loaded, main_flow, only, reports, set, with, wrong,
};
use farrier::analysis::check::{self, Effort};
use farrier::board::Shape;
use farrier::definition::{Choices, Definition, OptionValue, PerPlayer, TraitValue, combinations};
use farrier::diagnostic::Severity;
use farrier::source::Sources;

#[test]
fn joins_are_made_on_trees() {
    let more = r##"
[options.a]
define.targets.or = "x | own"
define.targets.and = "all"
define.open.without = "row(1)"
decisions.move.where.or = "no enemy"
decisions.move.do.then = "remove y"
decisions.move.do.first = "remove x"
turn.main.or = "move if some own"
turn.main.then = "move"
turn.opening.then = ["pass"]
pieces.pawn.goes.or = "leap 1,2"
state.quiet.start.plus = "2"
"##;
    let found = base(more, &with(&["a"]));
    assert_eq!(body(&found, "targets"), "(goes(x) & vacant | (x | own)) & all");
    assert_eq!(body(&found, "open"), "vacant - row(1)");
    let decision = &found.decisions[0];
    let where_ = decision.where_.as_ref().expect("where");
    assert_eq!(where_.tree.to_string(), "some own or no enemy");
    let effects = decision.effects.as_ref().expect("do");
    assert_eq!(effects.tree.to_string(), "remove x; move x -> y; remove y");
    assert_eq!(effects.parts.len(), 3);
    assert_eq!(effects.parts[0].origin, 0);
    assert_eq!(found.origins[effects.parts[1].origin].name, "option a");
    assert_eq!(main_flow(&found), "either move or move if some own, move");
    assert_eq!(found.turn.opening.len(), 2);
    let TraitValue::Pattern(goes) = &found.pieces[1].traits[0].1 else {
        panic!("a pattern");
    };
    assert_eq!(goes.tree.walks.len(), 2);
    let start = found.state[0].start.as_ref().expect("start");
    assert!(matches!(start, PerPlayer::All(rule) if rule.tree.to_string() == "3 + 2"));
}

#[test]
fn widening_comes_before_narrowing_whatever_the_order() {
    let narrow = "define.open.without = \"row(1)\"\n";
    let wide = "define.open.or = \"own\"\n";
    let one = format!("[options.a]\n{narrow}[options.b]\n{wide}");
    let other = format!("[options.a]\n{wide}[options.b]\n{narrow}");
    let both = with(&["a", "b"]);
    assert_eq!(body(&base(&one, &both), "open"), "vacant | own - row(1)");
    assert_eq!(body(&base(&other, &both), "open"), "vacant | own - row(1)");
    // Options of different keys commute whatever they do.
    let forth = with(&["a", "b"]);
    let back = with(&["b", "a"]);
    assert_eq!(base(&one, &forth), base(&one, &back));
}

#[test]
fn joins_by_player() {
    let more = "[options.a]\ndefine.starts.or = { white = \"row(2)\" }\n\
        [options.b]\ndefine.open.or = { white = \"row(1)\", black = \"row(2)\" }\n\
        [options.c]\ndefine.starts.without = \"own\"\n";
    let found = base(more, &with(&["a", "b", "c"]));
    assert_eq!(body(&found, "starts"), "row(1) | row(2) - own / row(4) - own");
    assert_eq!(body(&found, "open"), "vacant | row(1) / vacant | row(2)");
    only(
        "[regions]\nhome = { white = \"row(1)\", blakc = \"row(2)\" }",
        &Choices::default(),
        "unknown-player @ blakc: there is no player `blakc`",
    );
    only(
        "[regions]\nhome = { white = \"row(1)\" }",
        &Choices::default(),
        "missing-player @ { white = \"row(1)\" }: this table has nothing for `black`",
    );
}

#[test]
fn a_join_to_an_absent_key_sets_it() {
    let more = "[options.a]\ndefine.new.or = \"own\"\ndecisions.move.keeps.and = \"some own\"\n";
    let found = base(more, &with(&["a"]));
    assert_eq!(body(&found, "new"), "own");
    assert!(found.decisions[0].keeps.is_some());
    only(
        "[options.a]\ndefine.new.without = \"own\"\n",
        &with(&["a"]),
        "unknown-key @ \"own\": there is no `define.new` that something could be taken from",
    );
}

#[test]
fn heads_and_bare_names_meet() {
    let more = "[options.a]\ndefine.targets = \"goes(x)\"\n\
        [options.b]\ndefine.\"targets(z)\" = \"goes(z)\"\n\
        [options.c]\ndefine.\"targets(z)\".or = \"goes(z)\"\n";
    let found = base(more, &with(&["a"]));
    assert_eq!(body(&found, "targets"), "goes(x)");
    assert_eq!(define(&found, "targets").params[0].name.text, "x");
    let found = base(more, &with(&["b"]));
    assert_eq!(define(&found, "targets").params[0].name.text, "z");
    let found = wrong(more, &with(&["c"]));
    assert_eq!(found, ["parameters @ targets: `define.targets` has other parameters"]);
}

#[test]
fn words_that_do_not_join() {
    only(
        "[options.a]\nturn.main.plus = \"move\"\n",
        &Choices::default(),
        "wrong-join @ plus: `turn.main` cannot be joined by `.plus`",
    );
    only(
        "[options.a]\ndecisions.move.text.or = \"{x}\"\n",
        &Choices::default(),
        "wrong-join @ or: nothing can be added to `decisions.move.text`",
    );
    only(
        "[options.a]\npieces.rook.heavy.or = \"step any\"\n",
        &with(&["a"]),
        "wrong-join @ \"step any\": `pieces.rook.heavy` is no movement pattern: nothing can be added to it",
    );
}

#[test]
fn options_that_contradict_each_other() {
    let more = "[options.a]\nrelations.around = \"step orthogonal\"\n\
        [options.b]\nrelations.around = \"step diagonal\"\n\
        [options.c]\nover = [\"a\", \"b\"]\nrelations.around = \"leap 1,2\"\n\
        [options.d]\nrelations.around = \"step   diagonal\"\n";
    let found = wrong(more, &with(&["a", "b"]));
    assert_eq!(
        found,
        ["conflict @ \"step orthogonal\": options `a` and `b` both replace `relations.around`"]
    );
    let walk = |d: &Definition| d.relations[0].body.tree.to_string();
    assert_eq!(walk(&base(more, &with(&["a", "c"]))), "leap 1,2");
    assert_eq!(walk(&base(more, &with(&["c", "a"]))), "leap 1,2");
    // The same twice is no contradiction.
    assert_eq!(walk(&base(more, &with(&["b", "d"]))), "step diagonal");
    let more = "[options.a]\ndrop = [\"end.gone\"]\n[options.b]\nend.gone.when.or = \"some own\"\n";
    let found = wrong(more, &with(&["a", "b"]));
    assert_eq!(found, ["conflict @ \"end.gone\": option `a` drops `end.gone`, option `b` adds to it"]);
    assert!(base(more, &with(&["a"])).ends.is_empty());
}

#[test]
fn over_settles_what_is_dropped() {
    let drop_wins = "[options.a]\nover = [\"b\"]\ndrop = [\"end.gone\"]\n\
        [options.b]\nend.gone.when.or = \"some own\"\n";
    assert!(base(drop_wins, &with(&["a", "b"])).ends.is_empty());
    let add_wins = "[options.a]\ndrop = [\"end.gone\"]\n\
        [options.b]\nover = [\"a\"]\nend.gone.when = \"some own\"\nend.gone.result = \"draw\"\n";
    assert_eq!(base(add_wins, &with(&["a", "b"])).ends.len(), 1);
}

#[test]
fn requires_and_conflicts() {
    let more = "[options.a]\nrequires = [\"b\"]\n[options.b]\n[options.c]\nconflicts = [\"b\"]\n";
    assert_eq!(wrong(more, &with(&["a"])), ["option @ b: option `a` requires `b`"]);
    assert_eq!(wrong(more, &with(&["b", "c"])), ["option @ b: option `c` conflicts with `b`"]);
    let found = base(more, &with(&["a", "b"]));
    let all = combinations(&found.options, usize::MAX).0;
    assert_eq!(all, [Choices::default(), with(&["b"]), with(&["c"]), with(&["a", "b"]),]);
}

#[test]
fn options_of_values() {
    let found = base(VALUES, &Choices::default());
    let values: Vec<&OptionValue> = found.options.iter().map(|o| &o.value).collect();
    assert_eq!(
        values,
        [
            &OptionValue::Number(4),
            &OptionValue::Word("fast".to_string()),
            &OptionValue::Number(3),
            &OptionValue::Flag(false),
        ]
    );
    let found = base(VALUES, &set("style", "slow"));
    assert_eq!(found.origins[1].name, "option style = slow");
    let where_ = found.decisions[0].where_.as_ref().expect("where");
    assert_eq!(where_.tree.to_string(), "some own and some enemy");
    // size 1, style 1, deep 2, flag 1; pairs 1*1 + 1*2 + 1*1 + 1*2 + 1*1 + 2*1; the default; all.
    assert_eq!(combinations(&found.options, usize::MAX).0.len(), 5 + 9 + 2);
}

#[test]
fn choices_that_are_wrong() {
    let cases = [
        (with(&["flga"]), "unknown-option @ : there is no option `flga`"),
        (with(&["style"]), "option @ : option `style` is not just on or off"),
        (set("style", "quick"), "option @ : `quick` is no value of option `style`"),
        (set("deep", "10"), "option @ : `10` is no value of option `deep`"),
        (set("size", "99999999999"), "option @ : `99999999999` is no value of option `size`"),
    ];
    for (choices, expected) in cases {
        let (_, found, _) = loaded(&[("base", &format!("{BASE}{VALUES}"))], "base", &choices);
        assert!(found.0[0].labels.is_empty() && found.0[0].help.is_some());
        only(VALUES, &choices, expected);
    }
    let (_, found, _) = loaded(&[("base", &format!("{BASE}{VALUES}"))], "base", &with(&["flga"]));
    assert_eq!(
        found.0[0].help.as_deref(),
        Some("did you mean `flag`? the options are `size`, `style`, `deep` and `flag`")
    );
}

#[test]
fn sizes_are_folded() {
    let text = BASE
        .replace("square = [4, 4]", "square = [\"size * 2\", \"if style is fast then max(deep, 2) else 9\"]");
    let text = format!("{text}{VALUES}");
    let found = good(&[("base", &text)], "base", &set("size", "5"));
    assert_eq!(found.board.shape, Shape::Square { columns: 10, rows: 3 });
    let size = |text: &str| {
        let text = BASE.replace("[4, 4]", &format!("[4, {text}]"));
        let all = reports(&[("base", &format!("{text}{VALUES}"))], "base", &Choices::default());
        all.join("\n")
    };
    assert_eq!(size("\"siez\""), "unknown-name @ siez: there is no option `siez`");
    assert_eq!(size("\"count(own)\""), "unknown-name @ own: there is no option `own`");
    assert_eq!(size("\"size - 4\""), "wrong-value @ size - 4: a size is 1 to 1024, not 0");
    assert_eq!(size("\"style\""), "wrong-type @ style: expected a number, found a word");
    assert_eq!(
        size("true"),
        "wrong-type @ true: expected an integer or a string with an int expression over options, found a boolean"
    );
    assert_eq!(
        size("\"if style is slwo then 1 else 2\""),
        "unknown-name @ slwo: `slwo` is no value of option `style`"
    );
}

#[test]
fn a_child_replaces_joins_and_drops() {
    let base = format!("{BASE}[options.a]\ndefine.open.or = \"own\"\n[[tests]]\nname = \"t\"\n");
    let child = r#"
name = "Child"
extends = "base"
drop = ["end.gone", "options.b"]
[define]
open = "all"
targets.or = "own"
[pieces.rook]
goes = "none"
[options.a]
summary = "More"
define.starts.or = "own"
[[tests]]
name = "u"
"#;
    let base = format!("{base}[options.b]\n");
    let list = [("base", base.as_str()), ("./child.toml", child)];
    let list = [list[0], ("./child.toml", &child.replace("[options.b]", ""))];
    let found = good(&list, "./child.toml", &with(&["a"]));
    assert_eq!(found.title, "Child");
    assert_eq!(found.origins[0].name, "base.toml");
    assert_eq!(found.origins[1].name, "./child.toml");
    // The parent's option still adds to what the child has set anew; the child's row adds to it.
    assert_eq!(body(&found, "open"), "all | own");
    assert_eq!(body(&found, "starts"), "row(1) | own / row(4) | own");
    assert_eq!(body(&found, "targets"), "goes(x) & vacant | own");
    assert!(found.ends.is_empty());
    assert_eq!(found.options.len(), 1);
    assert_eq!(found.options[0].summary, "More");
    assert_eq!(found.tests.len(), 1);
    assert_eq!(found.tests[0].name, "u");
    let names: Vec<&str> = found.pieces.iter().map(|p| p.name.text.as_str()).collect();
    assert_eq!(names, ["rook", "pawn"]);
}

#[test]
fn a_later_file_sees_what_the_earlier_one_joined() {
    let middle = "name = \"M\"\nextends = \"base\"\n[define]\nopen.or = \"own\"\n";
    let last = "name = \"L\"\nextends = \"middle\"\n";
    let anew = format!("{last}[define]\nopen = \"all\"\n");
    let list = |last| [("base", BASE), ("middle", middle), ("last", last)];
    let found = good(&list(last), "last", &Choices::default());
    assert_eq!(body(&found, "open"), "vacant | own");
    let found = good(&list(anew.as_str()), "last", &Choices::default());
    assert_eq!(body(&found, "open"), "all");
}

#[test]
fn paths_and_circles() {
    let child = |path: &str| format!("name = \"C\"\nextends = \"{path}\"\n");
    let at = |path: &str| {
        let text = child(path);
        let list = [("games/base.toml", BASE), ("games/c.toml", text.as_str())];
        reports(&list, "games/c.toml", &Choices::default())
    };
    assert!(at("./base.toml").is_empty());
    assert!(at("base.toml").is_empty());
    for path in ["../base.toml", "/etc/passwd", "./a/../../b.toml", "c:base.toml"] {
        let expected = format!("path @ \"{path}\": `{path}` leads out of the folder");
        assert_eq!(at(path), [expected]);
    }
    assert_eq!(at("./c.toml"), ["extends @ \"./c.toml\": `./c.toml` extends itself in a circle"]);
    assert_eq!(at("bsae"), ["file @ \"bsae\": there is no game or file `bsae`"]);
    let long: Vec<(String, String)> =
        (0..20).map(|i| (format!("g{i}"), child(&format!("g{}", i + 1)))).collect();
    let list: Vec<(&str, &str)> = long.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let found = reports(&list, "g0", &Choices::default());
    assert_eq!(found, ["extends @ \"g16\": more than 16 files extend each other"]);
}

#[test]
fn what_is_dropped_must_be_there() {
    let child = "name = \"C\"\nextends = \"base\"\ndrop = [\"end.gnoe\", \"options.x\"]\n";
    let (_, found, _) = loaded(&[("base", BASE), ("c", child)], "c", &Choices::default());
    assert_eq!(found.0.len(), 2);
    assert_eq!(found.0[0].message, "there is no `end.gnoe` to be dropped");
    assert_eq!(found.0[0].help.as_deref(), Some("did you mean `end.gone`?"));
    assert_eq!(found.0[1].message, "there is no option `x` to be dropped");
}

#[test]
fn extension_files() {
    let one = "for = \"base\"\nsummary = \"One\"\ndefine.open.or = \"own\"\n[[tests]]\nname = \"t\"\n";
    let two = "for = \"base\"\nsummary = \"Two\"\ndefine.open.or = \"enemy\"\n";
    let more = format!("{BASE}[options.z]\ndefine.open.or = \"all\"\n");
    let list = [("base", more.as_str()), ("./b-one.toml", one), ("./a-two.toml", two)];
    let both = with(&["./b-one.toml", "./a-two.toml", "z"]);
    let found = good(&list, "base", &both);
    // Built-in options first, extensions by name.
    assert_eq!(body(&found, "open"), "vacant | all | enemy | own");
    let names: Vec<&str> = found.options.iter().map(|o| o.name.text.as_str()).collect();
    assert_eq!(names, ["z", "a-two", "b-one"]);
    assert_eq!(found.options[1].extension.as_deref(), Some("./a-two.toml"));
    assert_eq!(found.options[1].summary, "Two");
    assert_eq!(found.tests[0].options[0].0.text, "b-one");
    let other = with(&["./a-two.toml", "z", "./b-one.toml"]);
    assert_eq!(good(&list, "base", &other).defines.len(), 3);
    assert_eq!(body(&good(&list, "base", &other), "open"), body(&found, "open"));
    assert!(combinations(&found.options, usize::MAX).0.contains(&with(&["./a-two.toml", "./b-one.toml"])));
    // It is for a game's children too, not for others.
    let child = "name = \"C\"\nextends = \"base\"\n";
    let stranger = one.replace("\"base\"", "\"bsae\"");
    let list = [("base", BASE), ("c", child), ("one.toml", one), ("s.toml", stranger.as_str())];
    good(&list, "c", &with(&["one.toml"]));
    assert_eq!(
        reports(&list, "c", &with(&["s.toml"])),
        ["extends @ \"bsae\": this extension is for `bsae`, not for `base` or `c`"]
    );
    assert_eq!(
        reports(&list, "one.toml", &Choices::default()),
        ["extends @ for: `one.toml` is an extension, not a game"]
    );
}

#[test]
fn two_extensions_of_one_name_are_a_mistake_of_both() {
    let one = "for = \"base\"\nsummary = \"One\"\ndefine.open.or = \"own\"\n";
    let list = files(&[("base", BASE), ("./e.toml", one), ("./sub/e.toml", one)]);
    let check = |extensions: &[&str]| {
        let extensions: Vec<String> = extensions.iter().map(|e| (*e).to_owned()).collect();
        let effort = Effort { games: 1, others: 1, plies: 2, ..Effort::default() };
        let checked = check::check("base", &extensions, &list, &mut Sources::default(), &effort);
        let errors = checked.findings.iter().filter(|d| d.severity == Severity::Error);
        errors.map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(check(&["./e.toml"]), [""; 0]);
    assert_eq!(check(&["./e.toml", "./sub/e.toml"]), ["double-name"]);
}
