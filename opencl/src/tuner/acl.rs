//! Tunings as Arm Compute Library's `CLTuner` writes them: `id;x;y;z` a line, zeros for the driver's own choice.
//!
//! Its ids are opaque, name no source and, at most, a family of devices. Ours are
//! `windrow.<kernel>.<body>.<schedule>.<width>x<height>x<planes>`, so that a table goes there and back; which source and
//! device it is for is known to who reads it.

use super::{
    super::{
        launch::LocalSize,
        program::{DeviceIdentity, Digest},
    },
    candidates::Candidate,
    table::{ShapeClass, TuneKey, TuneTable, Tuning},
};
use std::{fmt::Write as _, time::Duration};

/// A row: a kernel's id, and the size of its work-groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AclRow {
    /// The kernel, with all that its tuning depends on.
    pub id: String,
    /// The work-groups; none: the driver's own choice.
    pub local: Option<[u32; 3]>,
    /// What later versions add: the hint for batches of work-groups.
    pub batch: Option<i32>,
}

/// A row that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, `{row}`: {rule}; a row is `id;x;y;z`, such as `gemm_mm_f32_64;8;4;1`")]
pub struct InvalidRow {
    /// The line, from 1 on.
    pub line: usize,
    /// The row.
    pub row: String,
    /// What is wrong.
    pub rule: &'static str,
}

/// Reads rows. A first line that names its columns, and empty lines, are passed over.
///
/// # Errors
/// The first [`InvalidRow`].
pub fn read_acl(text: &str) -> Result<Vec<AclRow>, InvalidRow> {
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || number == 0 && is_header(line) {
            continue;
        }
        let invalid = |rule| InvalidRow { line: number + 1, row: line.to_owned(), rule };
        rows.push(read_row(line).map_err(invalid)?);
    }
    Ok(rows)
}

/// Writes rows.
pub fn write_acl(rows: &[AclRow]) -> String {
    let mut text = String::new();
    for row in rows {
        let [x, y, z] = row.local.unwrap_or_default();
        // Writing to a text never fails.
        let _ = write!(text, "{};{x};{y};{z}", row.id);
        if let Some(batch) = row.batch {
            let _ = write!(text, ";{batch}");
        }
        text.push('\n');
    }
    text
}

fn is_header(line: &str) -> bool {
    let mut fields = line.split(';').skip(1);
    fields.clone().count() >= 3 && fields.all(|field| field.contains(|c: char| c.is_ascii_alphabetic()))
}

fn read_row(line: &str) -> Result<AclRow, &'static str> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let (id, sides, batch) = match fields[..] {
        [id, x, y, z] => (id, [x, y, z], None),
        [id, x, y, z, batch] => (id, [x, y, z], Some(batch)),
        _ => return Err("it has not four fields"),
    };
    if id.is_empty() {
        return Err("it has no id");
    }
    let mut local = [0; 3];
    for (side, field) in local.iter_mut().zip(sides) {
        *side = field.parse().map_err(|_| "a side is no number")?;
    }
    let local = match local {
        [0, 0, 0] => None,
        [x, y, z] if x > 0 && y > 0 && z > 0 => Some(local),
        [..] => return Err("some sides are 0, and others not"),
    };
    let batch = batch.map(str::parse).transpose().map_err(|_| "its fifth field is no number")?;
    Ok(AclRow { id: id.to_owned(), local, batch })
}

impl TuneTable {
    /// The tunings of one device as rows.
    pub fn to_acl(&self, device: &DeviceIdentity) -> Vec<AclRow> {
        let of_device = self.iter().filter(|(key, _)| key.device == *device);
        of_device.map(|(key, tuning)| AclRow { id: id(key, tuning), local: sides(tuning), batch: None }).collect()
    }

    /// Takes rows in that [`TuneTable::to_acl`] made, as tunings of `device`. `source` gives the digest of a kernel's
    /// source; rows of kernels that it doesn't know, and rows of other programs, are left out. Returns how many were taken.
    pub fn add_acl(
        &mut self,
        rows: &[AclRow],
        device: &DeviceIdentity,
        source: impl Fn(&str) -> Option<Digest>,
    ) -> usize {
        let before = rows.iter().filter_map(|row| {
            let (kernel, body, schedule, shape) = read_id(&row.id)?;
            let local = match row.local {
                None => LocalSize::Driver,
                Some([x, y, 1]) => LocalSize::Fixed(x, y),
                Some(_) => return None,
            };
            let key =
                TuneKey { kernel: kernel.to_owned(), body, source: source(kernel)?, shape, device: device.clone() };
            let candidate = Candidate { schedule, local };
            Some((key, Tuning { candidate, time: Duration::ZERO, default_time: Duration::ZERO }))
        });
        let found: Vec<_> = before.collect();
        let count = found.len();
        found.into_iter().for_each(|(key, tuning)| self.insert(key, tuning));
        count
    }
}

fn id(key: &TuneKey, tuning: &Tuning) -> String {
    let [width, height, planes] = key.shape.extents();
    format!("windrow.{}.{}.{}.{width}x{height}x{planes}", key.kernel, key.body, tuning.candidate.schedule)
}

fn read_id(id: &str) -> Option<(&str, u32, usize, ShapeClass)> {
    let mut parts = id.strip_prefix("windrow.")?.rsplitn(4, '.');
    let (shape, schedule, body, kernel) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let [width, height, planes] = crate::words::parts(shape, "x")?;
    let shape = ShapeClass::of(width.parse().ok()?, height.parse().ok()?, planes.parse().ok()?);
    Some((kernel, body.parse().ok()?, schedule.parse().ok()?, shape))
}

fn sides(tuning: &Tuning) -> Option<[u32; 3]> {
    match tuning.candidate.local {
        LocalSize::Driver => None,
        LocalSize::Fixed(x, y) => Some([x, y, 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::program::test_identity as identity,
            table::tests::{key, tuning},
        },
        *,
    };
    use proptest::prelude::*;

    #[test]
    fn rows_of_the_library_are_read() {
        let text = "kernel_id;lws[0];lws[1];lws[2]\nsoftmax_f32_G77_MP12;64;1;1\n\ngemm_3;0;0;0\r\nconv;4;4;2;-3\n";
        let row = |id: &str, local, batch| AclRow { id: id.to_owned(), local, batch };
        let rows = [
            row("softmax_f32_G77_MP12", Some([64, 1, 1]), None),
            row("gemm_3", None, None),
            row("conv", Some([4, 4, 2]), Some(-3)),
        ];
        assert_eq!(read_acl(text).unwrap(), rows);
        assert_eq!(read_acl(&write_acl(&rows)).unwrap(), rows);
    }

    #[test]
    fn a_malformed_row_is_named() {
        let rule = |row: &str| {
            let error = read_acl(&format!("a;1;1;1\n{row}")).unwrap_err();
            assert_eq!((error.line, error.row.as_str()), (2, row));
            error.rule
        };
        assert_eq!(rule("a;1;1"), "it has not four fields");
        assert_eq!(rule("a"), "it has not four fields");
        assert_eq!(rule(";1;1;1"), "it has no id");
        assert_eq!(rule("a;1;x;1"), "a side is no number");
        assert_eq!(rule("a;-1;1;1"), "a side is no number");
        assert_eq!(rule("a;99999999999;1;1"), "a side is no number");
        assert_eq!(rule("a;1;0;1"), "some sides are 0, and others not");
        assert_eq!(rule("a;1;1;1;x"), "its fifth field is no number");
    }

    #[test]
    fn a_table_goes_there_and_back() {
        let mut table = TuneTable::new();
        table.insert(key("gaussian.3x3", 640, 480), tuning(16, 4));
        table.insert(key("k", 1, 1), tuning(8, 8));
        let elsewhere = DeviceIdentity { name: "other".to_owned(), ..identity() };
        table.insert(TuneKey { device: elsewhere, ..key("k", 1, 1) }, tuning(2, 2));
        let rows = read_acl(&write_acl(&table.to_acl(&identity()))).unwrap();
        let mut back = TuneTable::new();
        let source = |kernel: &str| (kernel != "k").then(|| Digest::of(b"source"));
        assert_eq!((rows.len(), back.add_acl(&rows, &identity(), source)), (2, 1));
        let found = back.get(&key("gaussian.3x3", 640, 480)).unwrap();
        assert_eq!(found.candidate, tuning(16, 4).candidate);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a0;\\-\n.x]{0,40}") {
            if let Ok(rows) = read_acl(&text) {
                prop_assert_eq!(read_acl(&write_acl(&rows)).unwrap(), rows.clone());
                TuneTable::new().add_acl(&rows, &identity(), |_| Some(Digest::of(b"")));
            }
        }
    }
}
