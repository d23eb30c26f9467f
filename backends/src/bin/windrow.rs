//! The `windrow` command: a shim around [`windrow_backends::doors::command`].

use clap::Parser;
use std::{io::Write, process::ExitCode};
use windrow_backends::doors::command::Command;

fn main() -> ExitCode {
    match Command::parse().run() {
        // A reader that closes its end early has seen enough.
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Ok(()) | Err(_) => ExitCode::SUCCESS,
        },
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.status())
        }
    }
}
