//! The program `farrier`: the command line of the library of the same name. See [`farrier::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    farrier::cli::main()
}
