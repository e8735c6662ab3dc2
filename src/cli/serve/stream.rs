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

/// Somebody who waits for an answer: the flag is set when this is dropped.
#[derive(Default)]
pub(super) struct Listener(pub Arc<AtomicBool>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The end that listens: the body of an answer.
struct Lines {
    lines: Receiver<Bytes>,
    _listener: Listener,
}

impl futures_core::Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.lines.poll_recv(cx).map(|line| line.map(Ok))
    }
}

/// A stream, and the answer that it is.
pub(super) fn open() -> (Speaker, Response) {
    let (sender, receiver) = channel(MAX_WAITING_LINES);
    let listener = Listener::default();
    let gone = listener.0.clone();
    let body = Body::from_stream(Lines { lines: receiver, _listener: listener });
    let answer = ([(header::CONTENT_TYPE, TYPE)], body).into_response();
    (Speaker { lines: sender, gone }, answer)
}
