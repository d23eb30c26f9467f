use super::{super::record::tests::profile, *};

#[test]
fn a_trace_shows_devices_and_the_processor_on_one_clock() {
    let trace: Value = serde_json::from_str(&profile().chrome_trace()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let spans: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    assert_eq!(spans.len(), 2 * 3 + 2);
    // The device's first launch was queued at 500 on the host's clock, 400 after the processor's first span.
    assert_eq!((&spans[0]["ts"], &spans[0]["dur"]), (&json!(0.4), &json!(1.0)));
    assert_eq!((&spans[1]["ts"], &spans[1]["dur"], &spans[1]["tid"]), (&json!(1.4), &json!(2.5), &json!(RUNNING)));
    assert_eq!((&spans[6]["ts"], &spans[6]["pid"], &spans[7]["tid"]), (&json!(0.0), &json!(CPU), &json!(1)));
    assert!(events.iter().any(|event| event["args"]["name"] == "gpu \"0\""));
}

#[test]
fn an_empty_profile_is_a_trace() {
    assert!(serde_json::from_str::<Value>(&Profile::default().chrome_trace()).is_ok());
}
