#![allow(unused, reason = "scaffold")]
fn main() {}
