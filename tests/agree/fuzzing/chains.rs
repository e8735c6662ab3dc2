//! Definitions near the limits: names that name each other in long chains, nested as deep as rules may be,
//! lists as long as they may be, circles.

use super::dice::Dice;
use super::page::quoted;

/// How long a chain is, and how deep each of its links.
struct Size {
    links: usize,
    deep: usize,
}

/// Puts a term so many times into brackets of one sort.
fn nested(deep: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(deep), close.repeat(deep))
}

/// A definition with a chain or two.
pub fn definition(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let board = match dice.pick(8) {
        0 => "hexhex = 3".to_owned(),
        1 => "triangle = 5".to_owned(),
        2 => "square = [8, 8]".to_owned(),
        3 => "square = [32, 32]".to_owned(),
        4 => "square = [1, 7]".to_owned(),
        _ => format!("square = [{}, {}]", dice.between(2, 4), dice.between(2, 4)),
    };
    let players = [2, 2, 2, 1, 3, 8][dice.pick(6)];
    let names = ["white", "black", "red", "blue", "green", "pink", "grey", "brown"];
    let list: Vec<String> = names[..players].iter().map(|n| quoted(n)).collect();
    let mut rules = Rules {
        main: "go".to_owned(),
        place: "to in own".to_owned(),
        when: "true".to_owned(),
        then: "move from -> to".to_owned(),
        ..Rules::default()
    };
    for _ in 0..1 + dice.pick(2) {
        let size = Size {
            links: [1, 3, 10, 30, 90, 160, 250][dice.pick(7)],
            deep: [1, 2, 5, 20, 60, 95][dice.pick(6)],
        };
        rules.chain(&mut dice, &size);
    }
    let Rules { tables, turn, main, place, when, then, traits } = rules;
    format!(
        "name = \"Chain\"\nplayers = [{}]\n[board]\n{board}\n[pieces]\nman = {{ letter = \"m\", goes = \"step any\"{traits} }}\n\
         {tables}\n[setup]\ndo = \"put white man at first(all); put neutral man at only(all - first(all))\"\n\
         [decisions.go]\nchoose = {}\nwhere = {}\ndo = {}\ntext = \"{{from}}{{to}}\"\n[turn]\nmain = {}\n{turn}",
        list.join(", "),
        quoted(&format!("from in own, {place}").replace("to in own", "to in all")),
        quoted(&when),
        quoted(&then),
        quoted(&main),
    )
}

/// The parts that chains go into.
#[derive(Default)]
struct Rules {
    tables: String,
    turn: String,
    main: String,
    place: String,
    when: String,
    then: String,
    traits: String,
}

impl Rules {
    /// A table with a key for each link. `link` gets the link's number and the name of the one before.
    fn table(
        &mut self,
        name: &str,
        size: &Size,
        letter: &str,
        first: &str,
        link: impl Fn(usize, &str) -> String,
    ) {
        self.tables += &format!("\n[{name}]\n");
        let mut before = first.to_owned();
        for i in 1..=size.links {
            self.tables += &format!("{letter}-{i} = {}\n", quoted(&link(i, &before)));
            before = format!("{letter}-{i}");
        }
    }

    fn chain(&mut self, dice: &mut Dice, size: &Size) {
        let &Size { links, deep } = size;
        match dice.pick(17) {
            0 => {
                // Sets of sets.
                let (open, close) = [
                    ("(own | ", ")"),
                    ("near(", ")"),
                    ("not (", ")"),
                    ("(all & ", ")"),
                    ("between(own, ", ")"),
                ][dice.pick(5)];
                self.table("define", size, "f", "vacant", |_, before| nested(deep, open, before, close));
                self.place = format!("to in f-{links}");
            }
            1 => {
                let (open, close) =
                    [("(true and ", ")"), ("not (", ")"), ("(if true then ", " else false)")][dice.pick(3)];
                self.table("define", size, "f", "true", |_, before| nested(deep, open, before, close));
                self.when = format!("f-{links}");
            }
            2 => {
                let (open, close) =
                    [("(1 + ", ")"), ("abs(", ")"), ("(if some own then ", " else 1)"), ("min(1, ", ")")]
                        [dice.pick(4)];
                self.table("define", size, "f", "ply", |_, before| nested(deep, open, before, close));
                self.when = format!("f-{links} > 0");
            }
            3 => {
                // Loops and copies inside each other.
                let size = Size { links: links.min(6), deep };
                let body = [
                    "{x in all : x in F}",
                    "union x in own : F",
                    "after (remove none) : F",
                    "union p in players : F[p]",
                ][dice.pick(4)];
                self.table("define", &size, "f", "own", |i, before| {
                    body.replace('F', before)
                        .replace("x ", &format!("x{i} "))
                        .replace("p in", &format!("p{i} in"))
                        .replace("[p]", &if i > 1 { format!("[p{i}]") } else { String::new() })
                });
                self.place = format!("to in f-{}", size.links);
            }
            4 => {
                self.table("effects", size, "e", "", |i, before| {
                    let inner = if i == 1 { "remove none".to_owned() } else { format!("{before}()") };
                    match i % 2 {
                        0 => nested(deep, "if true then (", &inner, ")"),
                        _ => nested(deep, "(", &inner, ")"),
                    }
                });
                self.then = format!("move from -> to; e-{links}()");
            }
            5 => {
                let open = ["try (", "(", "try (go, ", "either go or ("][dice.pick(4)];
                self.table("flow", size, "w", "go", |_, before| nested(deep, open, before, ")"));
                self.main = format!("w-{links}");
            }
            6 => {
                let word = ["may", "longest", "repeat", "try"][dice.pick(4)];
                self.main = format!("{} go", nested(deep.min(40), &format!("{word} "), "", "").trim());
            }
            7 => {
                let clause = ["onto", "leaving"][dice.pick(2)];
                let walk = ["step any", "slide any", "walk any"][dice.pick(3)];
                self.table("relations", size, "r", "near", |_, before| {
                    format!("{walk} {clause} {before}(own)")
                });
                self.place = format!("to in r-{links}(from)");
            }
            8 => {
                let mut before = "near".to_owned();
                for i in 1..=links.min(90) {
                    self.traits += &format!(", t{i} = \"step any onto {before}(own)\"");
                    before = format!("t{i}");
                }
                self.place = format!("to in {before}(from)");
            }
            9 => {
                // Circles that go through what is asked when a turn ends.
                let skip = [
                    "no next",
                    "some next and true",
                    "f-skip",
                    "can(go, next)",
                    "next = white",
                    "no own & near(next)",
                ][dice.pick(6)];
                if skip == "f-skip" {
                    self.tables += "\n[define]\nf-skip = \"no next\"\n";
                }
                self.turn += &format!("skip = {}\n", quoted(skip));
            }
            10 => {
                let word = [
                    "longest repeat go",
                    "longest (go, repeat go)",
                    "repeat longest go",
                    "longest either go or (go, go, go)",
                ][dice.pick(4)];
                self.main = word.to_owned();
            }
            11 => {
                for i in 1..=links {
                    self.tables += &format!("\n[options.o-{i}]\nsummary = \"one of many\"\n");
                    if dice.one_in(2) {
                        self.tables += "turn.main.or = \"pass\"\n";
                    }
                }
            }
            12 => {
                let long = links * 2;
                let (word, one) = [("|", "own"), ("&", "all"), ("-", "none")][dice.pick(3)];
                self.place = format!("to in {one}{}", format!(" {word} {one}").repeat(long));
            }
            13 => {
                let deep = deep.min(links);
                let stuck = nested(deep, "if ply > 3 then draw else ", "mover wins", "");
                self.turn += &format!("stuck = {}\n", quoted(&stuck));
            }
            14 => {
                self.tables += "\n[state]\nv = { type = \"sites\", per = [\"player\", \"kind\"] }\n";
                let place = nested(deep.min(30), "first(v[mover, kind(", "to", ")])");
                self.then = format!("v[mover, kind({place})] |= from; move from -> to");
            }
            15 => {
                for i in 1..=links.min(60) {
                    let before = if i == 1 { "true".to_owned() } else { format!("can(d{})", i - 1) };
                    self.tables += &format!(
                        "\n[decisions.d{i}]\nchoose = \"x in own\"\nwhere = {}\ntext = \"{i}:{{x}}\"\n",
                        quoted(&before)
                    );
                }
                self.main = format!("either go or d{}", links.min(60));
            }
            _ => {
                self.then = format!("move from -> to{}", "; remove none".repeat(links));
                self.when = nested(deep.min(links), "not (", "false", ")");
            }
        }
    }
}
