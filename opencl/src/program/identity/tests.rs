use super::*;

/// An identity whose fields are all different.
pub(crate) fn identity() -> DeviceIdentity {
    DeviceIdentity {
        platform: "P".to_owned(),
        name: "N".to_owned(),
        vendor: "V".to_owned(),
        device_version: "OpenCL 1.2 X".to_owned(),
        driver_version: "3.1".to_owned(),
        c_version: "OpenCL C 1.2".to_owned(),
    }
}

/// The identity with each of its fields changed, one at a time.
pub(crate) fn flipped() -> Vec<DeviceIdentity> {
    let flips: [fn(&mut DeviceIdentity) -> &mut String; 6] = [
        |it| &mut it.platform,
        |it| &mut it.name,
        |it| &mut it.vendor,
        |it| &mut it.device_version,
        |it| &mut it.driver_version,
        |it| &mut it.c_version,
    ];
    let flip = |field: fn(&mut DeviceIdentity) -> &mut String| {
        let mut identity = identity();
        field(&mut identity).push('!');
        identity
    };
    flips.into_iter().map(flip).collect()
}
