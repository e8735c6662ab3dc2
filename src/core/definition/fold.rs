//! Int expressions over options, worked out.

use super::model::{OptionDef, OptionValue};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Compare, Expr, ExprKind, Name, Op};

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Worth {
    Int(i32),
    Bool(bool),
    Word(String),
}

/// The value of an expression, a number. It may name options, compare, choose by `if`, and call `min`,
/// `max` and `abs`.
pub(super) fn int(expr: &Expr, options: &[OptionDef]) -> Result<i32, Box<Diagnostic>> {
    match worth(expr, options)? {
        Worth::Int(number) => Ok(number),
        other => Err(wrong(expr, "a number", &other)),
    }
}

fn wrong(expr: &Expr, expected: &str, found: &Worth) -> Box<Diagnostic> {
    let found = match found {
        Worth::Int(_) => "a number",
        Worth::Bool(_) => "a condition",
        Worth::Word(_) => "a word",
    };
    let message = format!("expected {expected}, found {found}");
    Box::new(Diagnostic::error("wrong-type", expr.span, message))
}

fn condition(expr: &Expr, options: &[OptionDef]) -> Result<bool, Box<Diagnostic>> {
    match worth(expr, options)? {
        Worth::Bool(value) => Ok(value),
        other => Err(wrong(expr, "a condition", &other)),
    }
}

fn option(name: &str, expr: &Expr, options: &[OptionDef]) -> Result<Worth, Box<Diagnostic>> {
    let Some(option) = options.iter().find(|option| option.name.text == name) else {
        let message = format!("there is no option `{name}`");
        let found = Diagnostic::error("unknown-name", expr.span, message)
            .help("a size is known when the game is loaded: it depends on options and numbers only")
            .suggest(name, options.iter().map(|o| o.name.text.as_str()));
        return Err(Box::new(found));
    };
    Ok(match &option.value {
        OptionValue::Flag(value) => Worth::Bool(*value),
        OptionValue::Number(number) => Worth::Int(*number),
        OptionValue::Word(word) => Worth::Word(word.clone()),
    })
}

fn worth(expr: &Expr, options: &[OptionDef]) -> Result<Worth, Box<Diagnostic>> {
    Ok(match &expr.kind {
        ExprKind::Int(number) => Worth::Int(*number),
        ExprKind::Name(name) if name == "true" => Worth::Bool(true),
        ExprKind::Name(name) if name == "false" => Worth::Bool(false),
        ExprKind::Name(name) => option(name, expr, options)?,
        ExprKind::Call { converse: false, name, by, args } if by.is_empty() => {
            Worth::Int(call(expr, name, args, options)?)
        }
        ExprKind::Binary(Op::Or, a, b) => {
            let (a, b) = (condition(a, options)?, condition(b, options)?);
            Worth::Bool(a || b)
        }
        ExprKind::Binary(Op::And, a, b) => {
            let (a, b) = (condition(a, options)?, condition(b, options)?);
            Worth::Bool(a && b)
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (int(a, options)?, int(b, options)?);
            Worth::Int(match op {
                Op::Plus => a.saturating_add(b),
                Op::Minus => a.saturating_sub(b),
                Op::Times => a.saturating_mul(b),
                Op::Divide if b == 0 => 0,
                Op::Divide => a.saturating_div(b),
                Op::Modulo if b == 0 => 0,
                Op::Modulo => a.wrapping_rem(b),
                _ => return Err(not_static(expr)),
            })
        }
        ExprKind::Compare(compare, a, b) => {
            let (left, right) = (worth(a, options)?, worth(b, options)?);
            let value = match (compare, &left, &right) {
                (Compare::Equal, _, _) if same_kind(&left, &right) => left == right,
                (Compare::NotEqual, _, _) if same_kind(&left, &right) => left != right,
                (Compare::Less, Worth::Int(a), Worth::Int(b)) => a < b,
                (Compare::LessOrEqual, Worth::Int(a), Worth::Int(b)) => a <= b,
                (Compare::Greater, Worth::Int(a), Worth::Int(b)) => a > b,
                (Compare::GreaterOrEqual, Worth::Int(a), Worth::Int(b)) => a >= b,
                _ => return Err(not_static(expr)),
            };
            Worth::Bool(value)
        }
        ExprKind::Is(value, word) => match worth(value, options)? {
            Worth::Word(found) => {
                is_value(value, word, options)?;
                Worth::Bool(found == word.text)
            }
            other => return Err(wrong(value, "an option of words", &other)),
        },
        ExprKind::Not(inner) => Worth::Bool(!condition(inner, options)?),
        ExprKind::If(test, yes, no) => {
            // Both sides are checked, so that a mistake shows under every choice of options.
            let test = condition(test, options)?;
            let (yes, no) = (worth(yes, options)?, worth(no, options)?);
            if test { yes } else { no }
        }
        _ => return Err(not_static(expr)),
    })
}

fn same_kind(a: &Worth, b: &Worth) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// Whether the word is a value of the option that is asked.
fn is_value(value: &Expr, word: &Name, options: &[OptionDef]) -> Result<(), Box<Diagnostic>> {
    let ExprKind::Name(name) = &value.kind else { return Ok(()) };
    let option = options.iter().find(|option| option.name.text == *name);
    let Some(super::model::OptionKind::Words(words)) = option.map(|option| &option.kind) else {
        return Ok(());
    };
    if words.contains(&word.text) {
        return Ok(());
    }
    let message = format!("`{}` is no value of option `{name}`", word.text);
    let known: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = Diagnostic::error("unknown-name", word.span, message)
        .help(format!("its values are {}", super::overlay::list(&known)))
        .suggest(&word.text, known);
    Err(Box::new(found))
}

fn call(expr: &Expr, name: &Name, args: &[Expr], options: &[OptionDef]) -> Result<i32, Box<Diagnostic>> {
    let mut numbers = Vec::new();
    for arg in args {
        numbers.push(int(arg, options)?);
    }
    match (name.text.as_str(), &numbers[..]) {
        ("min", [a, b]) => Ok(*a.min(b)),
        ("max", [a, b]) => Ok(*a.max(b)),
        ("abs", [a]) => Ok(a.saturating_abs()),
        _ => Err(not_static(expr)),
    }
}

fn not_static(expr: &Expr) -> Box<Diagnostic> {
    let message = "this is not known when the game is loaded";
    let found = Diagnostic::error("not-static", expr.span, message)
        .help("a size is made of numbers, options, `+ - * / %`, `min`, `max`, `abs`, comparisons and `if`");
    Box::new(found)
}
