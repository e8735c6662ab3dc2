//! What the profiles of `Cargo.toml` say of single packages holds together.

use std::collections::BTreeSet;

use toml::{Table, Value};

const MANIFEST: &str = include_str!("../../Cargo.toml");
const LOCK: &str = include_str!("../../Cargo.lock");

fn profile(name: &str) -> Table {
    let manifest: Table = MANIFEST.parse().expect("a manifest");
    manifest["profile"][name].as_table().expect("a profile").clone()
}

/// A profile takes over what `release` says of single packages, and that says of Farrier's own that they are quick to
/// build.
#[test]
fn what_is_published_is_optimised_whole() {
    for package in ["farrier", "farrier-core"] {
        let of = |name: &str| profile(name)["package"][package].as_table().expect("a package").clone();
        for key in of("release").keys() {
            for name in ["dist", "bench"] {
                let said = of(name).get(key).cloned();
                assert!(said.is_some(), "`profile.{name}` takes `{key}` of {package} from `release`");
                assert_eq!(said.as_ref(), profile(name).get(key), "`{key}` of {package} in `profile.{name}`");
            }
        }
    }
}

/// A package and all that it is made of, as the lock file has it. That lists `farrier` too, which only examples in
/// documentation use.
fn made_of(package: &str) -> BTreeSet<String> {
    let lock: Table = LOCK.parse().expect("a lock file");
    let packages = lock["package"].as_array().expect("packages");
    let word = |value: &Value| value.as_str().and_then(|s| s.split(' ').next()).map(str::to_owned);
    let mut found = BTreeSet::new();
    let mut open = vec![package.to_owned()];
    while let Some(name) = open.pop() {
        if name != "farrier" && found.insert(name.clone()) {
            let here = packages.iter().filter(|p| p["name"].as_str() == Some(&name));
            let needs = here.filter_map(|p| p.get("dependencies")?.as_array()).flatten();
            open.extend(needs.filter_map(word));
        }
    }
    found
}

/// The packages that a profile leaves as they are.
fn plain(of: &str) -> BTreeSet<String> {
    let profile = profile(of);
    let packages = profile["package"].as_table().expect("packages").iter();
    packages
        .filter(|(_, said)| said.get("opt-level") == Some(&Value::Integer(0)))
        .map(|p| p.0.clone())
        .collect()
}

/// A crate of the first level uses the generic code that one below it has made, optimised or not.
#[test]
fn what_works_is_made_of_what_is_optimised() {
    for (of, package) in [("dev", "farrier-core"), ("release", "cranelift-codegen")] {
        let (made, plain) = (made_of(package), plain(of));
        assert!(made.len() > 20 && plain.len() > 20, "{made:?} {plain:?}");
        let both: Vec<&String> = made.intersection(&plain).collect();
        assert!(both.is_empty(), "{package} is made of {both:?}, which `profile.{of}` does not optimise");
    }
}
