//! Answers that come line by line, as JSON, while somebody listens.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most lines that wait for a slow reader before the writer waits too.
const MAX_WAITING_LINES: usize = 256;

/// The type of these answers; they are not compressed, or lines would wait for each other.
pub(super) const TYPE: &str = "application/x-ndjson";

/// The end that speaks.
#[derive(Clone)]
pub(super) struct Speaker {
    lines: Sender<Bytes>,
    /// Set when nobody listens any more.
    pub gone: Arc<AtomicBool>,
}

impl Speaker {
    /// Says a line. While the reader is slow it may be left out: later lines of a thought replace earlier ones.
    pub(super) fn hint(&self, line: &Value) {
        let _ = self.lines.try_send(format!("{line}\n").into());
    }

    /// Says a line that must be heard.
    pub(super) fn say(&self, line: &Value) {
        // An error means that nobody listens.
        let _ = self.lines.blocking_send(format!("{line}\n").into());
    }
}

/// The end that listens: the body of an answer.
struct Lines {
    lines: Receiver<Bytes>,
    gone: Arc<AtomicBool>,
}

impl futures_core::Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.lines.poll_recv(cx).map(|line| line.map(Ok))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

/// A stream, and the answer that it is.
pub(super) fn open() -> (Speaker, Response) {
    let (sender, receiver) = channel(MAX_WAITING_LINES);
    let gone = Arc::new(AtomicBool::new(false));
    let body = Body::from_stream(Lines { lines: receiver, gone: gone.clone() });
    let answer = ([(header::CONTENT_TYPE, TYPE)], body).into_response();
    (Speaker { lines: sender, gone }, answer)
}
