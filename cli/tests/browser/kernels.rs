//! Kernels for the page's tests. </script><script>document.title = "taken"</script> <!-- & "quotes" 'and' {{data}}
use windrow::prelude::*;

/// A blur with the weights `[1 2 1; 2 4 2; 1 2 1] / 16`. <img src=x onerror="document.title='taken'">
#[kernel(step(16, 4), neighbourhood(x = -1..=1, y = -1..=1))]
pub fn blur(src: Neighbourhood<u8>) -> u8 {
    let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;
    let sum = column(-1) + 2 * column(0) + column(1);
    (sum >> 4) as u8
}

/// Where a is above b: größer als, 大きい, 🙂 and `<` itself.
#[kernel(output(greater, less?))]
pub fn above(a: u8, b: u8, #[uniform(1..=9)] scale: u8, #[variant] policy: Overflow) -> (u8, u8) {
    let greater = if a < b && b > 3 { b } else { a };
    let scaled = match policy {
        Overflow::Wrap => a.wrapping_mul(scale),
        Overflow::Saturate => a.saturating_mul(scale),
    };
    (greater, scaled / scale)
}

/// A sum whose length is known when it runs.
#[kernel]
pub fn total([y, _]: At<2>, rows: View<u8>) -> u32 {
    let [height, width] = rows.extents();
    let mut sum = 0u32;
    for x in 0..width {
        sum = sum.wrapping_add(rows[[y.min(height - 1), x]] as u32);
    }
    sum
}

/// What a blur takes away: `</title></svg><script>document.title = "taken"</script>`.
#[pipeline]
pub fn clearer(a: &Tensor<u8>, b: &Tensor<u8>, scale: u8) -> Result<Tensor<u8>, Error> {
    let _said = "</text></svg></details><img src=x onerror=\"document.title = 'taken'\"> & <b>";
    let (größer, _) = above::apply(a, b, scale, Overflow::Wrap)?; // <i>"größer" & 'less'</i>
    let soft = blur::apply(&größer, Border::Replicate)?;
    let (out, _) = above::apply(a, &soft, scale, Overflow::Saturate)?;
    Ok(out)
}
