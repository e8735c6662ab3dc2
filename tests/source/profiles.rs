//! What is published, and what measures it, is optimised whole: a profile takes over what `release` says of single
//! packages, and says of Farrier's own that they are quick to build.

const MANIFEST: &str = include_str!("../../Cargo.toml");

#[test]
fn what_is_published_is_optimised_whole() {
    let manifest: toml::Table = MANIFEST.parse().expect("a manifest");
    let profile = |name: &str| manifest["profile"][name].as_table().expect("a profile").clone();
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
