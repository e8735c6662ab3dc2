//! What people read when a rule is mistaken: `> RULE`, then the message, the places and the help.

use std::fmt::Write;

use farrier::source::{FileId, Sources};
use farrier::syntax::parse;
use farrier::syntax::text::RuleText;

use super::{Reader, plain};

/// The diagnostic, with what stands at each of its places.
fn mistake<T: std::fmt::Debug>(read: Reader<T>, text: &str) -> String {
    let found = match read(&plain(text)) {
        Ok(tree) => return format!("no mistake: {tree:?}"),
        Err(found) => found,
    };
    assert!(["syntax", "reserved-name"].contains(&found.code), "{}", found.code);
    let mut sources = Sources::default();
    sources.add("rule", text);
    let mut out = found.message;
    for label in &found.labels {
        let (start, end) = (label.span.start, label.span.end);
        let _ = write!(out, "\n  {start}..{end} `{}`", sources.slice(label.span));
        if !label.text.is_empty() {
            let _ = write!(out, ": {}", label.text);
        }
    }
    if let Some(help) = found.help {
        let _ = write!(out, "\n  help: {help}");
    }
    out
}

/// Compares each mistake with what is expected of it.
fn check<T: std::fmt::Debug>(read: Reader<T>, expected: &str) {
    let mut found = String::new();
    for line in expected.lines() {
        if let Some(text) = line.strip_prefix("> ") {
            let _ = writeln!(found, "> {text}\n{}", mistake(read, text));
        }
    }
    assert!(found == expected, "{found}");
}

#[test]
fn expressions() {
    check(
        parse::expr,
        "\
> x == y
expected an operator or the end of the rule, found `==`
  2..4 `==`
  help: one `=` compares: write `=`
> a && b
expected an operator or the end of the rule, found `&&`
  2..4 `&&`
  help: write `and` for conditions, `&` for sets
> a || b
expected an operator or the end of the rule, found `||`
  2..4 `||`
  help: write `or` for conditions, `|` for sets
> !a
expected an expression, found `!`
  0..1 `!`
  help: write `not`
> not x in S
`not` binds tighter than `in`: this asks about everything but `x`
  0..10 `not x in S`
  help: write `x not in S`
> not x not in S
`not` binds tighter than `not in`: this asks about everything but `x`
  0..14 `not x not in S`
  help: write `x in S`
> own else all
expected an operator or the end of the rule, found `else`
  4..8 `else`
  help: without `if` there is no `else`: the first set that is not empty is `a otherwise b`
> leap (x)
expected an operator or the end of the rule, found `(`
  5..6 `(`
  help: a call has its bracket at once after the name: `leap(`; for what is in both, write `leap & (`
> own (a | b)
expected an operator or the end of the rule, found `(`
  4..5 `(`
  help: a call has its bracket at once after the name: `own(`; for what is in both, write `own & (`
> v [x]
expected an operator or the end of the rule, found `[`
  2..3 `[`
  help: an index has its bracket at once after the name: `v[`
> (a | b
expected `)` or an operator, but the rule ends here
  5..6 `b`
  0..1 `(`: this `(` is not closed
> a | b)
nothing opened this `)`
  5..6 `)`
> f(a, b]
expected `)`, `,` or an operator, found `]`
  6..7 `]`
  1..2 `(`: this `(` is not closed
> a |
expected an expression, but the rule ends here
  2..3 `|`
> a | # end
expected an expression, but the rule ends here
  2..3 `|`
> a b 3
expected an operator or the end of the rule, found `3`
  4..5 `3`
> x in
expected an expression, but the rule ends here
  3..4 `n`
> some x in S
expected `:`, `..` or an operator, but the rule ends here
  10..11 `S`
  help: a name that ranges over a set needs `:` and what is said of it: `some x in S : condition`
> sum(S)
expected a name, found `(`
  3..4 `(`
  help: `sum` speaks of the members of a set: `sum x in S : ...`
> sum (S)
expected a name, found `(`
  4..5 `(`
  help: `sum` speaks of the members of a set: `sum x in S : ...`
> n --1x
`1x` is neither a name nor a number
  4..6 `1x`
  help: names begin with a letter and have letters and digits, with hyphens between: `last-row`
> 2n-1
`2n` is neither a name nor a number
  0..2 `2n`
  help: names begin with a letter and have letters and digits, with hyphens between: `last-row`
> -x
expected a number, found `x`
  1..2 `x`
  help: only numbers have a sign; to negate a value, write `0 - n`
> x = at
expected an expression, found `at`
  4..6 `at`
> if a then b
expected `else` or an operator, but the rule ends here
  10..11 `b`
> 'a'
expected an expression, found `'`
  0..1 `'`
  help: names stand without quotes
> a – b
expected an operator or the end of the rule, found `–`
  2..5 `–`
  help: write `-` with blanks around it
> 5000000000
the number 5000000000 does not fit into 32 bits
  0..10 `5000000000`
  help: numbers go from -2147483648 to 2147483647
> a_b
`a_b` is neither a name nor a number
  0..3 `a_b`
  help: names have hyphens: write `a-b`
> ~ leap
expected an expression, found `~`
  0..1 `~`
  help: `~` turns a relation round and needs a call: `~reach(S)`
> a .. b
expected an operator or the end of the rule, found `..`
  2..4 `..`
> a -> b
expected an operator or the end of the rule, found `->`
  2..4 `->`
  help: only `move` and `turn` have `->`
> x is 3
expected a name, found `3`
  5..6 `3`
> f(a b, )
expected an expression, found `)`
  7..8 `)`
> (a; b)
expected `)` or an operator, found `;`
  2..3 `;`
> every x : c
expected `in`, found `:`
  8..9 `:`
> count x
expected `in`, but the rule ends here
  6..7 `x`
  help: the size of a set is written with brackets: `count(x)`
> a <> b
expected an expression, found `<>`
  2..4 `<>`
  help: write `!=`
> n-1 2
expected an operator or the end of the rule, found `2`
  4..5 `2`
  help: a hyphen inside a name belongs to it; to subtract, write `n - 1`
> a = b = c
expected an operator or the end of the rule, found `=`
  6..7 `=`
  help: comparisons do not chain: put one in brackets, or join two with `and`
> {x in S c}
expected `:`, `..` or an operator, found `}`
  9..10 `}`
  help: a name that ranges over a set needs `:` and what is said of it: `some x in S : condition`
> v[]
expected an expression, found `]`
  2..3 `]`
> (a, b)
expected `)` or an operator, found `,`
  2..3 `,`
> (a ! b) & (c)
expected `)` or an operator, found `!`
  3..4 `!`
  help: write `not`
> if a then b else
expected an expression, but the rule ends here
  15..16 `e`
> x not S
expected `in`, found `S`
  6..7 `S`
> own & é
`é` is neither a name nor a number
  6..8 `é`
  help: names begin with a letter and have letters and digits, with hyphens between: `last-row`
> some a = b
expected an operator or the end of the rule, found `=`
  7..8 `=`
  help: comparisons do not chain: put one in brackets, or join two with `and`
> 1 1
expected an operator or the end of the rule, found `1`
  2..3 `1`
> count own & man > 3
expected `in`, found `&`
  10..11 `&`
  help: the size of a set is written with brackets: `count(own & man)`
> sum own > 3
expected `in`, found `>`
  8..9 `>`
> some x in own or man : true
expected `:`, `..` or an operator, found `or`
  14..16 `or`
  help: `or` joins conditions; for what is in one set or the other write `own | man`
> own “man”
expected an operator or the end of the rule, found `“`
  4..7 `“`
  help: names stand without quotes
",
    );
}

#[test]
fn choices() {
    check(
        parse::choose,
        "\
> x own
expected `in` or `?`, found `own`
  2..5 `own`
> x in own; y in own
expected `,`, `..`, an operator or the end of the rule, found `;`
  8..9 `;`
  help: choices are separated by `,`
> at in own
expected a name, but `at` is a reserved word
  0..2 `at`
  help: rules have this word for themselves; a name that is free is `at2`
> x in own,
expected a name, but the rule ends here
  8..9 `,`
> x? own
expected `in`, found `own`
  3..6 `own`
> x in own y in S
expected `,`, `..`, an operator or the end of the rule, found `in`
  11..13 `in`
  help: choices are separated by `,`
> or in own
expected a name, but `or` is a reserved word
  0..2 `or`
  help: rules have this word for themselves; a name that is free is `or2`
> x in own, y = f(x, y), z in own
expected `in` or `?`, found `=`
  12..13 `=`
  help: what a name is chosen from stands after `in`: write `y in f(x, y)`
> x in own and man
expected `,`, `..`, an operator or the end of the rule, found `and`
  9..12 `and`
  help: `and` joins conditions; for what is in both sets write `own & man`
> x in f(x) where x in own, y in own
`where` is no part of `choose`
  10..15 `where`: `where` is a key of its own
  help: end `choose` before it and write `where = \"x in own, y in own\"` below
> x in own if some own
`if` is no part of `choose`
  9..11 `if`: `where` is a key of its own
  help: end `choose` before it and write `where = \"some own\"` below
> {x} in own
expected a name, found `{`
  0..1 `{`
",
    );
}

#[test]
fn effects() {
    check(
        parse::effects,
        "\
> move x to y
expected `->` or an operator, but the rule ends here
  10..11 `y`
  help: write `move x -> y`, or `turn S -> PIECE`
> move x, y
expected `->` or an operator, found `,`
  6..7 `,`
  help: effects are separated by `;`
> a = 1, b = 2
expected `;`, an operator or the end of the rule, found `,`
  5..6 `,`
  help: effects are separated by `;`
> x == 3
expected an assignment, found `==`
  2..4 `==`
  help: one `=` compares: write `=`
> put own at
expected an expression, but the rule ends here
  9..10 `t`
> put own stone
expected `at` or a name, but the rule ends here
  12..13 `e`
  help: write `put PIECE at S`
> x
expected an assignment, but the rule ends here
  0..1 `x`
  help: an effect is `v = e`, a call `name(...)`, or begins with `put`, `move`, `turn`, `remove`, `lift`, `carry`, `swap`, `if`, `for` or `let`
> let at = 3
expected a name, but `at` is a reserved word
  4..6 `at`
  help: rules have this word for themselves; a name that is free is `at2`
> swap
expected `sides`, but the rule ends here
  3..4 `p`
  help: write `swap sides`
> swap players
expected `sides`, found `players`
  5..12 `players`
  help: write `swap sides`
> go (x)
expected an assignment, found `(`
  3..4 `(`
  help: a call has its bracket at once after the name: `go(`
> if a then b
expected an assignment, but the rule ends here
  10..11 `b`
  help: an effect is `v = e`, a call `name(...)`, or begins with `put`, `move`, `turn`, `remove`, `lift`, `carry`, `swap`, `if`, `for` or `let`
> remove x put own at y
a `;` is missing between two effects
  8..8 ``: the first ends here
  9..12 `put`: the second begins here
  help: effects are separated by `;`: write `remove x;`
> for x : a = 1
expected `in`, found `:`
  6..7 `:`
> x := 3
expected an assignment, found `:=`
  2..4 `:=`
  help: write `=`
> turn x k
expected `->` or an operator, but the rule ends here
  7..8 `k`
  help: write `move x -> y`, or `turn S -> PIECE`
> a = b and c = d; x
expected an assignment, but the rule ends here
  17..18 `x`
  help: an effect is `v = e`, a call `name(...)`, or begins with `put`, `move`, `turn`, `remove`, `lift`, `carry`, `swap`, `if`, `for` or `let`
> move x -> y and z
expected `;`, an operator or the end of the rule, found `and`
  12..15 `and`
  help: put the expression in brackets
> 3
expected an effect, found `3`
  0..1 `3`
> carry own r
expected `by` or an operator, but the rule ends here
  10..11 `r`
  help: write `carry S by RELATION`
> if a (b = 1)
expected `then` or an operator, found `(`
  5..6 `(`
  help: a call has its bracket at once after the name: `a(`; for what is in both, write `a & (`
> v++
expected an assignment, found `++`
  1..3 `++`
  help: write `+= 1`
> v = 1 w = 2
a `;` is missing between two effects
  5..5 ``: the first ends here
  6..7 `w`: the second begins here
  help: effects are separated by `;`: write `v = 1;`
> v[x] += f(x) w[y] += 1
a `;` is missing between two effects
  12..12 ``: the first ends here
  13..14 `w`: the second begins here
  help: effects are separated by `;`: write `v[x] += f(x);`
> x = a if c
expected `;`, an operator or the end of the rule, found `if`
  6..8 `if`
  help: the condition comes first: `if c then ...`
> if c then a = 1; else a = 2
expected an effect or the end of the rule, found `else`
  17..21 `else`
  help: `;` ends the whole `if`: write `then a = 1 else`
> if c then a = 1; b = 2; else a = 2
expected an effect or the end of the rule, found `else`
  24..28 `else`
  help: `;` ends the whole `if`: write `then (a = 1; b = 2) else`
> if c: a = 1
expected `then` or an operator, found `:`
  4..5 `:`
  help: write `then` for `:`
> if c { a = 1 }
expected `then` or an operator, found `{`
  5..6 `{`
  help: write `then`, and round brackets: `then (...)`
> for x in own do a = 1
expected `:`, `..` or an operator, found `=`
  18..19 `=`
  help: write `:` for `do`: `for x in S : ...`
> quiet_turns = 1
`quiet_turns` is neither a name nor a number
  0..11 `quiet_turns`
  help: names have hyphens: write `quiet-turns`
",
    );
}

#[test]
fn flows() {
    check(
        parse::flow,
        "\
> a; b
expected `by`, `if`, `,` or the end of the rule, found `;`
  1..2 `;`
  help: the parts of a flow are separated by `,`
> either a
expected `by`, `if` or `or`, but the rule ends here
  7..8 `a`
> either a, b
expected `by`, `if` or `or`, found `,`
  8..9 `,`
> a if b and c
expected `by`, `,`, an operator or the end of the rule, found `and`
  7..10 `and`
  help: put the condition in brackets: `if (a and b)`
> try
expected a decision or a flow, but the rule ends here
  2..3 `y`
> a or b
expected `by`, `if`, `,` or the end of the rule, found `or`
  2..4 `or`
  help: a choice begins with `either`: `either a or b`
> (a, b
expected `by`, `if`, `)` or `,`, but the rule ends here
  4..5 `b`
  0..1 `(`: this `(` is not closed
> a by 3
expected a name, found `3`
  5..6 `3`
> if a then b
expected a decision or a flow, found `if`
  0..2 `if`
  help: in a flow the condition comes last: `a if condition`
> a if
expected an expression, but the rule ends here
  3..4 `f`
",
    );
}

#[test]
fn outcomes() {
    check(
        parse::outcome,
        "\
> white
expected `loses` or `wins`, but the rule ends here
  4..5 `e`
  help: an outcome is `P wins`, `P loses`, `draw`, `score`, `places by N`, `pass` or `if c then .. else ..`
> white win
expected `loses` or `wins`, found `win`
  6..9 `win`
  help: an outcome is `P wins`, `P loses`, `draw`, `score`, `places by N`, `pass` or `if c then .. else ..`
> if a then draw
expected `else`, but the rule ends here
  13..14 `w`
> loss
expected `loses` or `wins`, but the rule ends here
  3..4 `s`
  help: an outcome is `P wins`, `P loses`, `draw`, `score`, `places by N`, `pass` or `if c then .. else ..`
> pass pass
expected the end of the rule, found `pass`
  5..9 `pass`
",
    );
}

#[test]
fn patterns() {
    check(
        parse::pattern,
        "\
> leap 1
expected `,`, but the rule ends here
  5..6 `1`
  help: a leap is two numbers with a comma between: `leap 1,2`
> leap 1 2
expected `,`, found `2`
  7..8 `2`
  help: a leap is two numbers with a comma between: `leap 1,2`
> slide
expected a direction, but the rule ends here
  4..5 `e`
> fly any
expected a walk (`step`, `slide`, `leap`, `ride`, `walk`, `pairs`, `betza` or `none`), found `fly`
  0..3 `fly`
> pairs a1 - b1
expected sites joined by hyphens such as `a1-b1`, found `a1`
  6..8 `a1`
  help: a chain has at least two sites and no blanks: `a1-b1-c1`
> pairs
expected sites joined by hyphens such as `a1-b1`, but the rule ends here
  4..5 `s`
  help: a chain has at least two sites and no blanks: `a1-b1-c1`
> step any upto
expected an expression, but the rule ends here
  12..13 `o`
> slide any onto
expected an expression, but the rule ends here
  13..14 `o`
> none onto x
expected `or` or the end of the rule, found `onto`
  5..9 `onto`
> slide any, leap 1,2
expected `or`, a direction, a condition such as `onto` or the end of the rule, found `,`
  9..10 `,`
> leap (1,2)
expected a number, found `(`
  5..6 `(`
  help: a leap is two numbers with a comma between: `leap 1,2`
> leap 1 3
expected `,`, found `3`
  7..8 `3`
  help: a leap is two numbers with a comma between: `leap 1,3`
",
    );
}

#[test]
fn heads() {
    check(
        parse::params,
        "\
> f(x
expected `:`, `)` or `,`, but the rule ends here
  2..3 `x`
  1..2 `(`: this `(` is not closed
> f(x: )
expected a type, found `)`
  5..6 `)`
> f (x)
expected the end of the rule, found `(`
  2..3 `(`
  help: a call has its bracket at once after the name: `f(`
> at(x)
expected a name, with or without parameters, but `at` is a reserved word
  0..2 `at`
  help: rules have this word for themselves; a name that is free is `at2`
> 3
expected a name, with or without parameters, found `3`
  0..1 `3`
> f(x y)
expected `:`, `)` or `,`, found `y`
  4..5 `y`
> f(x: a b)
expected `)` or `,`, found `b`
  7..8 `b`
",
    );
}

#[test]
fn chains() {
    check(
        parse::chains,
        "\
> a1-b1 c1
expected sites joined by hyphens such as `a1-b1` or the end of the rule, found `c1`
  6..8 `c1`
  help: a chain has at least two sites and no blanks: `a1-b1-c1`
> a1-
expected sites joined by hyphens such as `a1-b1`, found `a1`
  0..2 `a1`
  help: a chain has at least two sites and no blanks: `a1-b1-c1`
> a1 - b1
expected sites joined by hyphens such as `a1-b1`, found `a1`
  0..2 `a1`
  help: a chain has at least two sites and no blanks: `a1-b1-c1`
",
    );
}

#[test]
fn nothing_at_all() {
    let found = parse::expr(&plain(" ")).unwrap_err();
    assert_eq!(found.message, "expected an expression, but there is nothing");
}

#[test]
fn odd_blanks_are_named() {
    let found = parse::expr(&plain("a |\u{a0}b")).unwrap_err();
    assert_eq!(found.message, "expected an expression, found `\\u{a0}`");
    assert_eq!((found.span().start, found.span().end), (3, 5));
}

#[test]
fn places_go_through_escapes_and_lines() {
    let file = "k = \"\"\"\n  own &\\t\\\n   else\"\"\"\n";
    let text = RuleText::from_toml(file, FileId(0), 4..file.len() - 1);
    let found = parse::expr(&text).unwrap_err();
    let span = found.span();
    assert_eq!(&file[span.start as usize..span.end as usize], "else");
}
