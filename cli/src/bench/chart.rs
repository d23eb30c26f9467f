//! The results as a picture: how many times as fast as the author's function each target is, and as its kernels one by one a pipeline.

use std::fmt::Write;

use super::report::{Report, Timed};

/// Pixels: a bar's height with its gap, and where bars begin and end.
const ROW: usize = 20;
const LEFT: usize = 330;
const RIGHT: usize = 760;

/// Colours that are told apart in light and dark, and by those who don't see red and green apart.
const STYLE: &str =
    "text { font: 13px system-ui, sans-serif; fill: #1c1c1e } .bar { fill: #3572b0 } .line { stroke: #8e8e93 }
@media (prefers-color-scheme: dark) { text { fill: #f2f2f7 } .bar { fill: #7db3e8 } }";

/// A document in SVG. Bars are logarithmic: a tenth of the longest is not a tenth as fast.
pub fn draw(reports: &[Report]) -> String {
    let timed = || reports.iter().filter_map(|report| Some((report, report.result.as_ref().ok()?)));
    let speeds = timed().flat_map(|(_, timed)| bars_of(timed).map(|(_, speed)| speed));
    let decades = speeds.fold(1.0, f64::max).log10().ceil().max(1.0);
    let x = |speed: f64| LEFT as f64 + (RIGHT - LEFT) as f64 * speed.max(1.0).log10() / decades;

    let (mut bars, mut y) = (String::new(), 40);
    for (report, timed) in timed() {
        let _ = writeln!(bars, r#"<text x="10" y="{}" font-weight="bold">{}</text>"#, y + 14, escaped(&report.name));
        y += ROW;
        for (name, speed) in bars_of(timed) {
            let width = x(speed) - LEFT as f64;
            let _ = writeln!(bars, r#"<text x="24" y="{}">{}</text>"#, y + 14, escaped(name));
            let _ = writeln!(bars, r#"<rect class="bar" x="{LEFT}" y="{}" width="{width:.1}" height="14"/>"#, y + 3);
            let _ = writeln!(bars, r#"<text x="{:.1}" y="{}">{speed:.1}</text>"#, x(speed) + 6.0, y + 14);
            y += ROW;
        }
        y += ROW / 2;
    }
    let mut axis = String::new();
    for decade in 0..=decades as i32 {
        let (speed, at) = (10f64.powi(decade), x(10f64.powi(decade)));
        let _ = writeln!(axis, r#"<line class="line" x1="{at:.1}" x2="{at:.1}" y1="36" y2="{y}"/>"#);
        let _ = writeln!(axis, r#"<text x="{at:.1}" y="30" text-anchor="middle">{speed}×</text>"#);
    }
    let title = "Speed as a multiple of the author's function, or of a pipeline's kernels one by one (logarithmic)";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<text x=\"10\" y=\"14\">{title}</text>\n{axis}{bars}</svg>\n",
        RIGHT + 60,
        y + 10
    )
}

/// The ways of a kernel or a pipeline that were timed, and their speeds.
fn bars_of(timed: &Timed) -> impl Iterator<Item = (&str, f64)> {
    let targets = timed.ways.iter().skip(1).filter(|way| way.computes());
    targets.filter_map(|way| Some((way.name.as_str(), timed.speed(way)?)))
}

/// A text as SVG's elements hold it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{super::report::parse, draw};

    #[test]
    fn each_target_has_a_bar_on_a_logarithmic_axis() {
        let said = "kernel\trelu::<f32>\t8\tundefined\t1\t1\nway\tauthor's function\t1000\nway\tavx2, 1 thread\t10\n\
                    way\tsse4.1, 1 thread\t100\nway\tcopy, 1 thread\t5\nfailed\tOpenCL on X\tnone\n";
        let drawn = draw(&parse(said).unwrap());
        assert!(drawn.contains("relu::&lt;f32&gt;"), "{drawn}");
        assert_eq!(drawn.matches("class=\"bar\"").count(), 2, "{drawn}");
        assert!(drawn.contains("width=\"430.0\"") && drawn.contains("width=\"215.0\""), "{drawn}");
    }
}
