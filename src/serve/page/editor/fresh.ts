// A definition to begin with: it loads, it can be played, and it shows one of each thing that most games have.

const TEXT = `name    = "NAME"
summary = "Who reaches the far side first wins."
players = ["white", "black"]

[board]
square = [5, 5]

[pieces]
runner = { letter = "r" }

[relations]
ahead = "step forward forward-left forward-right"

[setup]
do = "put white runner at row(1); put black runner at row(5)"

[decisions.move]
choose = "from in own, to in ahead(from) - own"
do     = "move from -> to"
text   = "{from}{to}"

[turn]
main  = "move"
stuck = "mover loses"

[end.goal]
when   = "some own & goal"
result = "mover wins"

[define]
goal = { white = "row(5)", black = "row(1)" }

[[tests]]
name  = "white begins with thirteen moves"
mover = "white"
count = 13
`;

/** A new definition, called like its file. */
export function fresh(file: string): string {
  const name = file.replace(/^.*\//, "").replace(/\.toml$/, "").replaceAll(/[-_]+/g, " ").trim();
  const title = name.replace(/^./, (first) => first.toUpperCase()).replaceAll(/["\\]/g, "");
  return TEXT.replace("NAME", title || "New game");
}
