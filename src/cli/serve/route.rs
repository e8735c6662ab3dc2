//! From sockets to answers.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, get, on, post};
use axum::{Json, Router, middleware};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::timeout::TimeoutLayer;

use super::work::{Answer, App, Refusal};
use super::{assets, contrast, editor, guard, library, record, stream, table, think, work};

/// The most sockets at once.
const MAX_SOCKETS: usize = 1024;

/// How long a request may take to be answered, its arrival included; streams begin in that time.
const MAX_TIME: Duration = Duration::from_secs(30);

/// How long the head of a request may take to arrive, and then its body.
const MAX_ARRIVAL: Duration = Duration::from_secs(10);

/// The most bytes of a request: a definition, and some more.
const MAX_BODY_BYTES: usize = 3 << 20;

/// Up to so many bytes a body is small: there are no more of them than sockets and places to wait.
const SMALL_BODY_BYTES: u64 = 16 << 10;

type Shared = State<Arc<App>>;

/// A body of JSON. Its mistakes are answered like all others. A large one waits for a share of the memory for such
/// bodies, and gives it back when it is dropped.
pub(super) struct Sent<T> {
    body: T,
    _share: Option<OwnedSemaphorePermit>,
}

impl<T> Deref for Sent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.body
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Sent<T>, Refusal> {
        let bytes = request.body().size_hint().upper().unwrap_or(u64::MAX).min(MAX_BODY_BYTES as u64);
        let arrives = async {
            let share = match bytes {
                0..=SMALL_BODY_BYTES => None,
                _ => {
                    Some(app.large.clone().acquire_many_owned(bytes as u32).await.map_err(|_| work::busy())?)
                }
            };
            match Json::<T>::from_request(request, app).await {
                Ok(Json(body)) => Ok(Sent { body, _share: share }),
                Err(error) => Err(Refusal(error.status(), error.body_text())),
            }
        };
        let late =
            |_| Refusal(StatusCode::REQUEST_TIMEOUT, "the request takes too long to arrive".to_owned());
        tokio::time::timeout(MAX_ARRIVAL, arrives).await.map_err(late)?
    }
}

#[derive(Deserialize)]
struct Asked {
    v: String,
}

/// A route whose job takes a body of JSON and answers at once.
fn quick<B, T>(method: MethodFilter, job: fn(&App, &B) -> Answer<T>) -> MethodRouter<Arc<App>>
where
    B: DeserializeOwned + Send + Sync + 'static,
    T: Serialize + Send + 'static,
{
    let answer = move |State(app): Shared, body: Sent<B>| app.quickly(move |app| job(app, &body).map(Json));
    on(method, answer)
}

fn routes(app: Arc<App>) -> Router {
    use MethodFilter as Method;
    Router::new()
        .route("/", get(|| async { assets::file("") }))
        .route("/{file}", get(|Path(file): Path<String>| async move { assets::file(&file) }))
        .route("/api/about", get(about))
        .route("/api/games", get(|State(app): Shared| app.quickly(|app| Ok(Json(library::games(app))))))
        .route("/api/picture", get(picture))
        .route("/api/table", quick(Method::POST, table::see))
        .route("/api/think", post(|State(app): Shared, asked| async { think::think(app, asked) }))
        .route("/api/file", get(read))
        .route("/api/file", quick(Method::PUT, editor::write))
        .route("/api/check", post(check))
        .route("/api/complete", quick(Method::POST, |_, at| Ok(editor::complete(at))))
        .route("/api/hover", quick(Method::POST, |_, at| Ok(editor::hover(at))))
        .route("/api/watch", get(|State(app): Shared| async { editor::watch(app) }))
        .route("/api/compare", post(|State(app): Shared, asked| async { contrast::compare(app, asked) }))
        .route("/api/differ", post(differ))
        .route("/api/record", post(write_record))
        .route("/api/record/read", quick(Method::POST, record::read))
        .route("/report/{number}", get(report))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is no such page") })
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(app)
}

/// Listens until the process is told to stop.
pub(super) async fn serve(listener: TcpListener, app: Arc<App>, hosts: guard::Hosts) {
    let whole = DefaultPredicate::new().and(NotForContentType::const_new(stream::TYPE));
    let routes = routes(app)
        .layer(CompressionLayer::new().compress_when(whole))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, MAX_TIME))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(hosts, guard::watch));
    let sockets = Arc::new(Semaphore::new(MAX_SOCKETS));
    loop {
        let socket = tokio::select! {
            socket = listener.accept() => socket,
            _ = tokio::signal::ctrl_c() => return,
        };
        // A socket that breaks before it begins is nobody's loss; where there are too many files open, waiting helps.
        let Ok((socket, _)) = socket else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Sockets beyond the bound are closed at once.
        let Ok(place) = sockets.clone().try_acquire_owned() else { continue };
        let _ = socket.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        tokio::spawn(async move {
            let _place = place;
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(MAX_ARRIVAL).max_buf_size(64 << 10);
            // How a connection ends is told to nobody.
            let _ = http.serve_connection(TokioIo::new(socket), service).await;
        });
    }
}

/// The version, the rights and the agents of the server.
async fn about(State(app): Shared) -> Json<Value> {
    let (version, read_only) = (env!("CARGO_PKG_VERSION"), app.read_only);
    Json(json!({ "version": version, "read_only": read_only, "agents": think::known() }))
}

async fn picture(State(app): Shared, Query(asked): Query<Asked>) -> Answer<Response> {
    let svg = app.quickly(move |app| library::picture(app, &asked.v)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

async fn read(State(app): Shared, Query(named): Query<editor::Named>) -> Answer<Json<Value>> {
    app.quickly(move |app| editor::read(app, &named).map(Json)).await
}

async fn check(State(app): Shared, draft: Sent<editor::Draft>) -> Answer<Json<Value>> {
    app.work(draft.deep, move |app| editor::check(app, &draft).map(Json)).await
}

async fn differ(State(app): Shared, pair: Sent<contrast::Pair>) -> Answer<Json<Value>> {
    let listener = stream::Listener::default();
    let gone = listener.0.clone();
    app.work(true, move |app| contrast::differ(app, &pair, &gone).map(Json)).await
}

async fn write_record(State(app): Shared, table: Sent<table::Table>) -> Answer<String> {
    app.quickly(move |app| record::write(app, &table)).await
}

/// The content security policy of a report: its styles stand in it, and it has no script.
const REPORT: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

async fn report(State(app): Shared, Path(number): Path<u64>) -> Response {
    match app.reports.get(number) {
        Some(page) => {
            let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (header::CONTENT_SECURITY_POLICY, REPORT)], page.to_string()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "the report is gone: compare again").into_response(),
    }
}
