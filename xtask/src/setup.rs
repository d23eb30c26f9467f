//! Installs what stages need: packages of apt (as root, or by sudo), targets, components, nightly Rust.

use anyhow::{Context as _, bail};
use xshell::{Cmd, Shell, cmd};

use crate::{
    needs::{NIGHTLY_NAME, Need, Source, is_in_path},
    stage::Stage,
};

/// Installs what is missing for these stages, after saying what that is.
pub fn setup(stages: &[&Stage], dry_run: bool) -> anyhow::Result<()> {
    let missing = missing(stages);
    if missing.is_empty() {
        anstream::println!("everything that the stages need is installed");
        return Ok(());
    }
    for need in &missing {
        anstream::println!("missing: {}", need.name);
    }
    let shell = Shell::new()?;
    for command in commands(&shell, &missing)? {
        if dry_run {
            anstream::println!("would run: {command}");
        } else {
            command.run()?;
        }
    }
    if dry_run {
        return Ok(());
    }
    let missing: Vec<_> = missing.iter().filter(|need| !need.is_present()).map(|need| need.name).collect();
    if !missing.is_empty() {
        bail!("installed, but still not found: {}", missing.join(", "));
    }
    Ok(())
}

/// What is missing for these stages, each once.
fn missing(stages: &[&Stage]) -> Vec<&'static Need> {
    let mut missing: Vec<&'static Need> = Vec::new();
    for need in stages.iter().flat_map(|stage| stage.needs) {
        if missing.iter().all(|other| other.name != need.name) && !need.is_present() {
            missing.push(need);
        }
    }
    missing
}

/// The commands that install these.
fn commands<'s>(shell: &'s Shell, missing: &[&Need]) -> anyhow::Result<Vec<Cmd<'s>>> {
    let (mut packages, mut targets, mut components, mut nightly) = (vec![], vec![], vec![], vec![]);
    for need in missing {
        match need.source {
            Source::Apt(names) => packages.extend(names),
            Source::Target(name) => targets.push(name),
            Source::Component(name) => components.push(name),
            Source::Nightly(name) => nightly.push(name),
        }
    }
    let mut commands = Vec::new();
    if !packages.is_empty() {
        commands.extend(apt(shell, &packages)?);
    }
    if !targets.is_empty() {
        commands.push(cmd!(shell, "rustup target add {targets...}"));
    }
    if !components.is_empty() {
        commands.push(cmd!(shell, "rustup component add {components...}"));
    }
    if !nightly.is_empty() {
        let there = cmd!(shell, "rustup run {NIGHTLY_NAME} rustc --version").quiet().ignore_stdout().ignore_stderr();
        commands.push(if there.run().is_ok() {
            cmd!(shell, "rustup component add --toolchain {NIGHTLY_NAME} {nightly...}")
        } else {
            // With components asked for, rustup takes the newest nightly that has them.
            let nightly = nightly.join(",");
            cmd!(shell, "rustup toolchain install {NIGHTLY_NAME} --profile minimal --component {nightly}")
        });
    }
    Ok(commands)
}

/// `apt-get`, by root or by sudo.
fn apt<'s>(shell: &'s Shell, packages: &[&str]) -> anyhow::Result<[Cmd<'s>; 2]> {
    let names = packages.join(" ");
    if !is_in_path("apt-get") {
        bail!("apt-get is not on this machine: install what Debian calls {names}, and what is missing is found");
    }
    let user = cmd!(shell, "id -u").quiet().read().context("who runs this")?;
    let (program, first): (_, &[&str]) = match user.trim() {
        "0" => ("env", &[]),
        _ if is_in_path("sudo") => ("sudo", &["env"]),
        _ => bail!("as root: apt-get install {names}"),
    };
    let quiet = "DEBIAN_FRONTEND=noninteractive";
    Ok([
        cmd!(shell, "{program} {first...} {quiet} apt-get update -q"),
        cmd!(shell, "{program} {first...} {quiet} apt-get install -q -y --no-install-recommends {packages...}"),
    ])
}
