//! Metrics, variants and pairs of a comparison by their names.

use super::model::{Comparison, Difference, Estimate, Metric};

impl Comparison {
    /// Whether two variants are the same game.
    pub fn is_same(&self, a: &str, b: &str) -> bool {
        self.same.iter().any(|[x, y]| x == a && y == b)
    }

    /// The metric with a key.
    pub fn metric(&self, key: &str) -> Option<&Metric> {
        self.metrics.iter().find(|m| m.key == key)
    }

    /// The place of a variant.
    pub fn place(&self, variant: &str) -> Option<usize> {
        self.variants.iter().position(|v| v.variant == variant)
    }

    /// The estimate of a metric in a variant.
    pub fn estimate(&self, variant: &str, m: &Metric) -> Option<&Estimate> {
        self.variants.get(self.place(variant)?)?.estimates.get(&m.key)
    }

    /// The pairs of variants that are compared, the baseline first.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for d in &self.differences {
            if !pairs.contains(&(&d.a, &d.b)) {
                pairs.push((&d.a, &d.b));
            }
        }
        pairs
    }

    /// The differences of a pair.
    pub fn of_pair<'c>(&'c self, a: &'c str, b: &'c str) -> impl Iterator<Item = &'c Difference> {
        self.differences.iter().filter(move |d| d.a == a && d.b == b)
    }

    /// The decisions of all variants, each with the option that adds it.
    pub fn decisions(&self) -> Vec<(&str, Option<&str>)> {
        let mut names: Vec<(&str, Option<&str>)> = Vec::new();
        for d in self.variants.iter().flat_map(|v| &v.decisions) {
            match names.iter_mut().find(|(name, _)| *name == d.decision) {
                Some((_, option)) => *option = option.or(d.option.as_deref()),
                None => names.push((&d.decision, d.option.as_deref())),
            }
        }
        names
    }
}
