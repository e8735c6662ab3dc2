//! Which requests are answered, and the rights of pages.
//!
//! A page of some other site can make a browser send requests to this machine. So each request must name this host
//! (a name that leads here by a trick of the name service is not ours), and where the browser says which page sent it,
//! that must be one of ours; only a link to a page may stand anywhere. What is answered, other sites may not show.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names of this host, with the port.
#[derive(Clone, Debug)]
pub(super) struct Hosts(std::sync::Arc<Vec<String>>);

impl Hosts {
    /// The names of a server that listens at an address.
    pub(super) fn new(at: SocketAddr, others: &[String]) -> Hosts {
        let port = at.port();
        let mut names = vec![at.to_string()];
        if at.ip().is_loopback() || at.ip().is_unspecified() {
            names.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        for name in others {
            names.extend([name.clone(), format!("{name}:{port}")]);
        }
        Hosts(std::sync::Arc::new(names))
    }

    fn knows(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host))
    }

    /// Why a request is refused.
    fn refuses(&self, headers: &HeaderMap) -> Option<&'static str> {
        let one = |name: &str| {
            let mut all = headers.get_all(name).iter();
            match (all.next(), all.next()) {
                (None, _) => Ok(None),
                (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
                _ => Err(()),
            }
        };
        let Ok(Some(host)) = one("host") else { return Some("the request names no host") };
        if !self.knows(host) {
            return Some(
                "this is not the host that the request names; `farrier serve --host NAME` adds a name",
            );
        }
        let [Ok(origin), Ok(site), Ok(mode)] = ["origin", "sec-fetch-site", "sec-fetch-mode"].map(one) else {
            return Some("the request does not say plainly where it comes from");
        };
        let from = origin.map(|origin| origin.strip_prefix("http://").or(origin.strip_prefix("https://")));
        let stranger = from.is_some_and(|from| !from.is_some_and(|from| self.knows(from)));
        // A link that somebody follows may stand anywhere.
        let taken = matches!(site, Some("cross-site" | "same-site")) && mode != Some("navigate");
        (stranger || taken).then_some("the request comes from a page of another site")
    }
}

/// The content security policy of pages: they load files of this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Refuses requests that are not for this server, and sets the security headers of answers.
pub(super) async fn watch(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    if let Some(why) = hosts.refuses(request.headers()) {
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}
