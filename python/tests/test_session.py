"""Networks, by onnxruntime's calls: the bits of the answers that are kept beside the models, and what is said of what does not fit."""

import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest
import windrow

MODELS = Path(__file__).parents[2] / "graph/tests/models"


def values(name, extents, least=-1.0, greatest=1.0):
    """As `values` of the models' `build.py`."""
    return noise(name, extents, lambda x: least + (greatest - least) * (x / 2**32)).astype(np.float32)


def noise(name, extents, of):
    seed = 2166136261
    for byte in name.encode():
        seed = (seed ^ byte) * 16777619 & 0xFFFFFFFF
    low = np.uint64(0xFFFFFFFF)
    x = (np.arange(int(np.prod(extents)), dtype=np.uint64) * np.uint64(2654435761) + np.uint64(seed)) & low
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> np.uint64(shift))) * np.uint64(factor)) & low
    x ^= x >> np.uint64(16)
    return of(x.astype(np.float64)).reshape(extents)


def session(name, **options):
    return windrow.Session(MODELS / name, **options)


def the_input(found, name):
    (argument,) = found.get_inputs()
    return {argument.name: values(f"{name}/x", argument.shape)}


@pytest.mark.parametrize("name", ["convolutions_uint8", "convolutions_int8", "qlinear", "integers_out"])
def test_integers_of_onnx_have_the_bits_of_onnxruntime(name):
    found = session(f"qdq/{name}.onnx")
    (answer,) = found.run(None, the_input(found, name))
    expected = np.load(MODELS / f"qdq/{name}.npy")
    assert answer.dtype == expected.dtype and np.array_equal(answer, expected)


@pytest.mark.parametrize("name", ["squeeze", "mobile", "functions"])
def test_floats_are_as_near_as_sums_in_another_order(name):
    found = session(f"{name}.onnx", threads=2)
    (answer,) = found.run(None, the_input(found, name))
    np.testing.assert_allclose(answer, np.load(MODELS / f"{name}.npy"), rtol=1e-4, atol=1e-6)
    again = session(f"{name}.onnx", threads=1).run(None, the_input(found, name))[0]
    assert answer.tobytes() == again.tobytes()


def test_integers_of_tflite_have_the_bits_of_its_reference():
    found = session("quantized/layers_int8.tflite")
    (argument,), (result,) = found.get_inputs(), found.get_outputs()
    assert (argument.type, result.type) == ("tensor(int8)", "tensor(int8)")
    x = noise("layers_int8/x", argument.shape, lambda x: np.floor(x / 2**24) - 128).astype(np.int8)
    expected = np.load(MODELS / "quantized/layers_int8.npy")
    assert np.array_equal(found.run([result.name], {argument.name: x})[0], expected)
    assert windrow.Session(MODELS / "quantized/layers_int8.tflite", requantization="float").get_inputs()


def test_plans_and_bytes_are_networks_too():
    expected = the_answer(session("mobile.onnx"))
    assert the_answer(session("plans/mobile")) == expected
    assert the_answer(windrow.Session((MODELS / "mobile.onnx").read_bytes())) == expected
    assert the_answer(windrow.Session(str(MODELS / "mobile.onnx"))) == expected


def the_answer(found):
    return found.run(None, the_input(found, "mobile"))[0].tobytes()


def test_arguments_are_described():
    found = session("squeeze.onnx")
    (argument,), (result,) = found.get_inputs(), found.get_outputs()
    assert (argument.name, argument.shape, argument.type) == ("x", [1, 3, 33, 35], "tensor(float)")
    assert (result.shape, result.type) == ([1, 10, 1, 1], "tensor(float)")
    assert repr(argument) == "NodeArg(name='x', type='tensor(float)', shape=[1, 3, 33, 35])"
    assert "steps" in repr(found)


def test_arrays_of_any_order_and_library_are_read():
    found = session("squeeze.onnx")
    x = values("squeeze/x", [1, 3, 33, 35])
    expected = found.run(None, {"x": x})[0]
    turned = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    assert not turned.flags.c_contiguous
    x.flags.writeable = False
    for array in (turned, np.flip(np.flip(x, 1).copy(), 1), memoryview(x)):
        assert np.array_equal(found.run(None, {"x": array})[0], expected)


def test_outputs_are_those_that_are_asked_for():
    found = session("squeeze.onnx")
    name = found.get_outputs()[0].name
    inputs = the_input(found, "squeeze")
    twice = found.run([name, name], inputs)
    assert len(twice) == 2 and np.array_equal(*twice)
    assert found.run([], inputs) == []
    first, second = found.run(None, inputs)[0], found.run(None, inputs)[0]
    assert not np.shares_memory(first, second)


def test_threads_share_a_session():
    found = session("squeeze.onnx", threads=1)
    inputs = the_input(found, "squeeze")
    expected, answers = found.run(None, inputs)[0], []
    threads = [threading.Thread(target=lambda: answers.append(found.run(None, inputs)[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4 and all(np.array_equal(answer, expected) for answer in answers)


# As in `test_devices.py`.
needs_device = pytest.mark.skipif(
    not windrow.devices() and "CI" not in os.environ, reason="this machine has no OpenCL device"
)


@pytest.fixture(scope="module")
def device():
    return windrow.Device()


@needs_device
@pytest.mark.parametrize(
    "name", ["squeeze.onnx", "functions.onnx", "plans/mobile", "qdq/convolutions_uint8.onnx", "qdq/integers_out.onnx"]
)
def test_a_device_has_the_bits_of_the_processor(device, name):
    there, here = session(name, device=device), session(name)
    for kind in ("x", "y"):
        (argument,) = here.get_inputs()
        inputs = {argument.name: values(f"{name}/{kind}", argument.shape)}
        (found,), (expected,) = there.run(None, inputs), here.run(None, inputs)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert found.tobytes() == expected.tobytes()


@needs_device
@pytest.mark.parametrize("requantization", ["integer", "float"])
def test_a_device_has_the_bits_of_tflite(device, requantization):
    there, here = (
        session("quantized/layers_int8.tflite", requantization=requantization, device=where) for where in (device, None)
    )
    (argument,) = here.get_inputs()
    x = noise("layers_int8/x", argument.shape, lambda x: np.floor(x / 2**24) - 128).astype(np.int8)
    (found,), (expected,) = there.run(None, {argument.name: x}), here.run(None, {argument.name: x})
    assert np.array_equal(found, expected)
    if requantization == "integer":
        assert np.array_equal(found, np.load(MODELS / "quantized/layers_int8.npy"))


@needs_device
def test_a_session_on_a_device_is_a_session(device):
    found = session("squeeze.onnx", device=device)
    assert repr(found).endswith(f"steps on device {device.index} ({device.name})>")
    inputs = the_input(found, "squeeze")
    expected = session("squeeze.onnx").run(None, inputs)[0]
    x = inputs["x"]
    turned = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    assert np.array_equal(found.run(None, {"x": turned})[0], expected)
    name = found.get_outputs()[0].name
    assert len(found.run([name, name], inputs)) == 2 and found.run([], inputs) == []
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(found.run(None, inputs)[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4 and all(np.array_equal(answer, expected) for answer in answers)


@needs_device
def test_what_does_not_fit_a_device_is_said(device):
    with pytest.raises(TypeError, match=r"`threads` is 2, but a session on device \d+ \(.*\) has no threads"):
        session("squeeze.onnx", device=device, threads=2)
    found = session("squeeze.onnx", device=device)
    x = values("squeeze/x", [1, 3, 33, 35])
    with pytest.raises(ValueError, match=r"`x` has the shape \[1, 2, 33, 35\], expected \[1, 3, 33, 35\]"):
        found.run(None, {"x": x[:, :2]})
    with pytest.raises(TypeError, match="`x` is of type DeviceArray, expected an array"):
        found.run(None, {"x": device.upload(x)})


WRONG = [
    (lambda s, x: s.run(None, {}), ValueError, "the network reads `x`, which is not given"),
    (lambda s, x: s.run(None, {"x": x, "z": x}), ValueError, "the network has no input `z`, its inputs are `x`"),
    (lambda s, x: s.run(["z"], {"x": x}), ValueError, "the network has no output `z`, its outputs are `"),
    (lambda s, x: s.run(None, {"x": x[:, :2]}), ValueError, "`x` has the shape [1, 2, 33, 35], expected [1, 3, 33, 35]"),
    (lambda s, x: s.run(None, {"x": x.astype(np.float64)}), TypeError, "`x` holds f64, expected f32"),
    (lambda s, x: s.run(None, {"x": [1.0]}), TypeError, "`x` is of type list, expected an array"),
    (lambda s, x: s.run(None, {1: x}), TypeError, "`input_feed` is 1, expected names of inputs"),
    (lambda s, x: windrow.Session(5), TypeError, "`path_or_bytes` is 5, expected the path of a network"),
    (lambda s, x: windrow.Session("nowhere.onnx"), FileNotFoundError, "cannot read `nowhere.onnx`"),
    (lambda s, x: windrow.Session(MODELS), FileNotFoundError, "plan.json"),
    (lambda s, x: windrow.Session(b"no network"), ValueError, "this is no model that can be read"),
    (lambda s, x: session("squeeze.onnx", threads=0), TypeError, "`threads` is 0, expected a number of threads"),
    (lambda s, x: session("squeeze.onnx", device=0), TypeError, "`device` is 0, expected a `windrow.Device`, or `None`"),
    (lambda s, x: session("squeeze.onnx", requantization="double"), ValueError, "`requantization` can't be `double`"),
    (lambda s, x: session("squeeze.onnx", shapes={"x": [2, 3, 4]}), ValueError, "the file fixes other extents"),
    (lambda s, x: session("squeeze.onnx", shapes={"z": [1]}), ValueError, "the model has no input `z`"),
    (lambda s, x: session("squeeze.onnx", shapes={"x": 5}), TypeError, "`shapes` is 5, expected extents"),
    (lambda s, x: session("plans/mobile", shapes={"x": [1]}), ValueError, "`shapes` and `requantization` are none of a plan's"),
    (lambda s, x: session("quantized/custom.tflite"), ValueError, "no operator of the library computes 2 of the nodes"),
]


@pytest.mark.parametrize("call, kind, message", WRONG, ids=[message for *_, message in WRONG])
def test_what_does_not_fit_is_said(call, kind, message):
    with pytest.raises(kind) as error:
        call(session("squeeze.onnx"), values("squeeze/x", [1, 3, 33, 35]))
    assert message in str(error.value)


def test_a_plan_that_is_altered_is_refused(tmp_path):
    for file in (MODELS / "plans/mobile").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    plan = tmp_path / "plan.json"
    json_of_it = json.loads(plan.read_text())
    plan.write_text(json.dumps({**json_of_it, "windrow_plan": 0}))
    with pytest.raises(ValueError, match="the plan has version 0"):
        windrow.Session(tmp_path)
