//! Pieces of HTML. Text becomes HTML by [`Html::text`], which escapes it; a text that is HTML already is an [`Html`].

use std::fmt::{Display, Formatter, Result};

use crate::compare::numbers::Told;
pub(super) use crate::html::{code, escape};

/// Text that is HTML: tags in it count.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Html(pub String);

impl Html {
    /// Plain text: it is escaped.
    pub(super) fn text(text: &str) -> Html {
        Html(escape(&set(text)))
    }

    /// A text of programs, as it is.
    pub(super) fn code(text: &str) -> Html {
        Html(format!("<code>{}</code>", escape(text)))
    }

    /// A sentence in which text in backticks is code.
    pub(super) fn sentence(text: &str) -> Html {
        Html(code(&set(text)))
    }
}

impl Display for Html {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}

/// Text as it is set: a true minus before figures, and per cent signs that stay with their figures.
pub(super) fn set(text: &str) -> String {
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        out.push(match (before, c, rest.peek()) {
            (' ' | '(', '-', Some('0'..='9')) => '\u{2212}',
            (_, ' ', Some('%')) => '\u{a0}',
            _ => c,
        });
        before = c;
    }
    out
}

/// The whole, unless its body is empty.
fn unless_empty(body: &str, whole: String) -> String {
    if body.is_empty() { String::new() } else { whole }
}

/// A part of the page with a heading; nothing where it is empty.
pub(super) fn section(id: &str, title: &str, body: &str) -> String {
    unless_empty(body, format!("<section id=\"{id}\">\n<h2>{}</h2>\n{body}</section>\n", escape(title)))
}

/// A part of the page that is opened on demand, and always printed; nothing where it is empty.
pub(super) fn folded(id: &str, title: &str, body: &str) -> String {
    let title = escape(title);
    let whole = format!(
        "<details class=\"part\" id=\"{id}\">\n<summary><h2>{title}</h2></summary>\n{body}</details>\n"
    );
    unless_empty(body, whole)
}

/// A paragraph.
pub(super) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", Html::text(text))
}

/// A list; nothing where it is empty.
pub(super) fn list(class: &str, items: &[Html]) -> String {
    let items: String = items.iter().map(|i| format!("<li>{i}</li>\n")).collect();
    unless_empty(&items, format!("<ul class=\"{class}\">\n{items}</ul>\n"))
}

/// A picture with its title, the key of its colours, and a note.
pub(super) fn figure(title: &str, key: &str, picture: &str, says: &str) -> String {
    let says = if says.is_empty() { String::new() } else { paragraph(says) };
    let whole = format!(
        "<figure>\n<figcaption><h3>{}</h3>\n{says}</figcaption>\n{key}<div class=\"picture\">{picture}</div>\n\
         </figure>\n",
        escape(title)
    );
    unless_empty(picture, whole)
}

/// Figures beside each other, where there is room; nothing where there are none.
pub(super) fn grid(figures: &str) -> String {
    unless_empty(figures, format!("<div class=\"grid\">\n{figures}</div>\n"))
}

/// A part that is opened on demand, and always printed.
pub(super) fn more(title: &str, body: &str) -> String {
    unless_empty(body, format!("<details>\n<summary>{}</summary>\n{body}</details>\n", escape(title)))
}

/// A part that is opened on demand and too long to be printed.
pub(super) fn much_more(title: &str, body: &str) -> String {
    let title = format!("{title} (not printed)");
    more(&title, body).replacen("<details>", "<details class=\"long\">", 1)
}

/// A cell of a table.
#[derive(Clone, Default)]
pub(super) struct Cell {
    html: Html,
    class: String,
}

impl Cell {
    /// Words.
    pub(super) fn text(text: &str) -> Cell {
        Cell { html: Html::text(text), class: String::new() }
    }

    /// A figure: at the right.
    pub(super) fn number(text: &str) -> Cell {
        Cell { html: Html::text(text), class: "n".to_owned() }
    }

    /// A figure with its interval below.
    pub(super) fn interval(told: &Told) -> Cell {
        let (value, interval) = (Html::text(&told.value), Html::text(&told.interval()));
        let html = Html(format!("{value} <small>{interval}</small>"));
        Cell { html, class: "n".to_owned() }
    }

    /// A text that is HTML already.
    pub(super) fn html(html: Html) -> Cell {
        Cell { html, class: String::new() }
    }

    /// The same, looking different.
    pub(super) fn class(mut self, class: &str) -> Cell {
        self.class = [self.class.as_str(), class].join(" ").trim().to_owned();
        self
    }
}

/// A table with more columns than this is printed across.
const BROAD: usize = 9;

/// A table; the first cell of a row is its head. Nothing where it has no rows.
pub(super) fn table(caption: &str, head: &[Cell], rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    let cell = |tag: &str, scope: &str, c: &Cell| {
        let class = if c.class.is_empty() { String::new() } else { format!(" class=\"{}\"", c.class) };
        let scope = if scope.is_empty() { String::new() } else { format!(" scope=\"{scope}\"") };
        format!("<{tag}{scope}{class}>{}</{tag}>", c.html)
    };
    let row = |row: Vec<Cell>| {
        let cells = row.iter().enumerate().map(|(i, c)| match i {
            0 => cell("th", "row", c),
            _ => cell("td", "", c),
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.into_iter().map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<div class=\"scroll{1}\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table>\n\
         <caption>{0}</caption>\n<thead><tr>{2}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        escape(caption),
        if head.len() > BROAD { " broad" } else { "" },
        head.iter().map(|c| cell("th", "col", c)).collect::<String>()
    )
}
