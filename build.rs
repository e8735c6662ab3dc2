//! The page is embedded in the library: it is built anew when a file of it changes, comes or goes.

fn main() {
    println!("cargo:rerun-if-changed=src/serve/bundle");
}
