//! The games are embedded in the library: it is built anew when one of them changes, comes or goes.

fn main() {
    println!("cargo:rerun-if-changed=../../games");
}
