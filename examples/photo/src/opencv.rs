//! OpenCV beside the operators: its functions of the same purpose, run by a Python process where that has it.

use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use image::RgbImage;

/// A Python process that has the photograph, and waits for a function to run.
pub struct OpenCv {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    version: String,
    /// The operators that it has a function for.
    operators: Vec<String>,
}

impl OpenCv {
    /// Starts the process.
    ///
    /// # Errors
    /// Where there is no Python, or none with OpenCV.
    pub fn start(photograph: &RgbImage) -> io::Result<Self> {
        let mut process = Command::new("python3")
            .args(["-c", include_str!("opencv.py")])
            .args([photograph.height(), photograph.width()].map(|extent| extent.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("`python3` has no pipes"));
        };
        let (version, operators) = (String::new(), Vec::new());
        let mut started = Self { process, requests, answers: BufReader::new(answers), version, operators };
        // A process that has ended reads nothing: its missing answer says more.
        let sent = started.requests.write_all(photograph).and_then(|()| started.requests.flush());
        let answer = started.answer().and_then(|answer| sent.map(|()| answer))?;
        let mut words = answer.split('\t').map(str::to_owned);
        started.version = words.next().unwrap_or_default();
        started.operators = words.collect();
        Ok(started)
    }

    /// OpenCV's version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether OpenCV has a function for this operator.
    pub fn has(&self, operator: &str) -> bool {
        self.operators.iter().any(|own| own == operator)
    }

    /// Runs the function for this operator once; how long that took.
    pub fn time(&mut self, operator: &str, threads: usize) -> io::Result<Duration> {
        writeln!(self.requests, "{operator}\t{threads}")?;
        self.requests.flush()?;
        let nanoseconds = self.answer()?.parse().map_err(io::Error::other)?;
        Ok(Duration::from_nanos(nanoseconds))
    }

    fn answer(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err(io::Error::other("`python3` with `cv2` ended, or can't import it")),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}

impl Drop for OpenCv {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
