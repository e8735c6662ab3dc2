// Names of definitions: shipped ones are words, files are `./NAME.toml`.

/** Whether it names a file of the folder. */
export const isFile = (name: string) => name.endsWith(".toml") || /[/\\]/.test(name);

/** The same file has one name: drafts and news of changes go by it. */
export const plain = (name: string) =>
  isFile(name) ? `./${name.replaceAll("\\", "/").replace(/^(\.?\/)+/, "")}` : name;

/** The file that a definition is written to: a shipped one has none, so it is looked at as its copy. */
export const fileOf = (name: string) => (isFile(name) ? plain(name) : `./${name}.toml`);

/** A name that somebody typed, as a file; or what is wrong with it. */
export function typed(text: string): { file: string } | { wrong: string } {
  const name = text.trim().replace(/^\.\//, "").replace(/\.toml$/, "");
  if (!name) return { wrong: "Type a name." };
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_. /-]*$/u.test(name)) {
    return { wrong: "A name has letters, digits, spaces, dots, hyphens and underscores." };
  }
  return { file: `./${name}.toml` };
}

/** A name for a copy. */
export const copyOf = (name: string) => (isFile(name) ? plain(name).replace(/(\.toml)?$/, "-copy.toml") : fileOf(name));
