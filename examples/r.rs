fn main() {
    for p in std::env::args().skip(1) {
        let t = std::fs::read_to_string(&p).unwrap();
        let c: farrier::compare::model::Comparison = serde_json::from_str(&t).unwrap();
        let page = farrier::report::page(&c, Some("farrier compare x y --games 600"));
        std::fs::write(p.replace(".json", ".html"), page).unwrap();
    }
}
