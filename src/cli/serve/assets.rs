//! The page itself: the embedded files that are built from `src/serve`.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

static BUNDLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/serve/bundle");

/// A file of the page.
pub(super) fn file(path: &str) -> Response {
    let path = if path.is_empty() { "index.html" } else { path };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    match BUNDLE.get_file(path) {
        // The page is asked for anew each time, so that it is never older than the server.
        Some(file) => ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], file.contents())
            .into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}
