//! The state that all requests share, and the workers that answer them.

use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::folder::Folder;
use super::kept::{Loaded, Reports};

/// The most threads that work or think at once, waiting ones counted.
pub(super) const MAX_THREADS: usize = 64;

/// The most requests that wait for a worker.
const MAX_WAITING: usize = 1000;

/// The most bytes of large bodies at once, from when they arrive until they are answered.
const MAX_LARGE_BYTES: usize = 64 << 20;

/// The most thoughts and comparisons at once; more wait. They share the memory of agents.
pub(super) const MAX_THOUGHTS: usize = 8;

/// The most pages that watch the folder.
const MAX_WATCHERS: usize = 64;

/// The server.
pub(super) struct App {
    pub folder: Folder,
    pub read_only: bool,
    /// Games that were asked for lately.
    pub loaded: Loaded,
    /// Reports of comparisons, by number.
    pub reports: Reports,
    /// Short work: as many as there are processors.
    quick: Arc<Semaphore>,
    /// Work that may take its time.
    slow: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// Bytes of large bodies.
    pub large: Arc<Semaphore>,
    /// Pages that watch the folder.
    pub watchers: Arc<Semaphore>,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) struct Refusal(pub StatusCode, pub String);

impl Refusal {
    /// The request makes no sense.
    pub(super) fn wrong(message: impl Into<String>) -> Refusal {
        Refusal(StatusCode::UNPROCESSABLE_ENTITY, message.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

pub(super) type Answer<T> = Result<T, Refusal>;

pub(super) fn busy() -> Refusal {
    Refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is busy: ask again".to_owned())
}

impl App {
    pub(super) fn new(folder: Folder, read_only: bool) -> Arc<App> {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Arc::new(App {
            folder,
            read_only,
            loaded: Loaded::default(),
            reports: Reports::default(),
            quick: Arc::new(Semaphore::new(processors.clamp(2, MAX_THREADS - MAX_THOUGHTS))),
            slow: Arc::new(Semaphore::new(MAX_THOUGHTS)),
            waiting: Arc::new(Semaphore::new(MAX_WAITING)),
            large: Arc::new(Semaphore::new(MAX_LARGE_BYTES)),
            watchers: Arc::new(Semaphore::new(MAX_WATCHERS)),
        })
    }

    /// Does short work on a worker.
    pub(super) async fn quickly<T: Send + 'static>(
        self: Arc<App>,
        job: impl FnOnce(&App) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        self.work(false, job).await
    }

    /// Does work on a worker. Work that may take seconds has workers of its own: it keeps no short work waiting.
    pub(super) async fn work<T: Send + 'static>(
        self: Arc<App>,
        takes_long: bool,
        job: impl FnOnce(&App) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let workers = if takes_long { self.slow.clone() } else { self.quick.clone() };
        let _place = self.place()?;
        let worker = workers.acquire_owned().await.map_err(|_| busy())?;
        let done = tokio::task::spawn_blocking(move || {
            let _worker = worker;
            job(&self)
        });
        done.await.unwrap_or_else(|_| {
            let message = "this is a mistake of Farrier itself: please report it";
            Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, message.to_owned()))
        })
    }

    /// A place among those that wait.
    fn place(&self) -> Answer<OwnedSemaphorePermit> {
        self.waiting.clone().try_acquire_owned().map_err(|_| busy())
    }

    /// Does work that takes its time, on a thread of its own; it may wait for others to be done.
    pub(super) fn slowly(self: Arc<App>, job: impl FnOnce(&App) + Send + 'static) -> Answer<()> {
        let place = self.place()?;
        tokio::spawn(async move {
            let _place = place;
            if let Ok(worker) = self.slow.clone().acquire_owned().await {
                let job = tokio::task::spawn_blocking(move || {
                    let _worker = worker;
                    job(&self);
                });
                // A job that panicked has said nothing; its listener sees the stream end.
                let _ = job.await;
            }
        });
        Ok(())
    }
}
