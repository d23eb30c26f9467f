"""windrow's operators over arrays that are larger than memory, and over several machines.

`apply(windrow.gaussian3x3, array, border="replicate")` is a Dask array whose every bit is that of one call on the whole array: chunks
are given as much of their neighbours as the kernel reads, which its specification says.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import operator as python_operator
from functools import partial

import numpy as np

try:
    import dask.array as da
    from dask import delayed
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph
except ImportError as error:
    raise ImportError("`windrow.dask` needs Dask: install windrow with its extra, as in `pip install './python[dask]'`") from error

from windrow._chunks import Chunks, Parts

__all__ = ["apply", "reduce"]

# What combines the results of chunks in any order: of integers, sums modulo a power of two and extrema.
_COMBINE = {"sum": np.add, "least": np.minimum, "greatest": np.maximum}


def apply(operator, *arguments, border="undefined", threads=1, chunks=None, **options):
    """Calls an operator on arrays in chunks.

    Parameters
    ----------
    operator : a kernel or a family, of windrow or of a module of your own
    arguments : what the operator takes
        At least one array is a Dask array, or something that is read in parts: an array of Zarr or HDF5, or any object with `shape`,
        `dtype`, `chunks` and slices. A task reads its own part of the latter, so that nothing is exchanged between tasks.
    border : as the operator takes it
        What is read outside the whole array.
    threads : int, default 1
        Threads for each chunk: Dask already runs as many chunks at once as it has threads.
    chunks : tuple of int, optional
        Extents of a task's part of an array that is read in parts; the array's own chunks by default.
    options : dict
        Values, and the operator's other options. `out`, `region` and `shape` are those of a whole array, and can't be given.

    Returns
    -------
    dask.array.Array, or a tuple of them where the operator writes several arrays

    Raises
    ------
    ValueError
        The operator reads anywhere, asks where an element lies, or changes an array: there are no chunks that it could be given.
    TypeError
        It is no kernel and no family of kernels. A pipeline doesn't say how far it reads: call its kernels one after another.
    """
    _name(operator)
    call = _Call(operator, arguments, {**options, "border": border})
    return _Cut(call, chunks).arrays(threads)


def reduce(operator, array, *arguments, combine, chunks=None, threads=1, **options):
    """Calls an operator that makes few numbers of many, such as a histogram, on each chunk of an array, and combines the results.

    Parameters
    ----------
    operator : a kernel or a family that writes one array of integers
        Its result for the whole array has to be the results for parts of it, combined: the author of the operator knows that.
    array : a Dask array, or one that is read in parts
        What the operator's first parameter takes.
    arguments : what else the operator takes
    combine : "sum", "least" or "greatest"
        How two results become one, element by element: an operator's specification says what it reads and writes, not what its loops
        compute. Sums of integers are modulo a power of two, as the operators' are.
    chunks : tuple of int, optional
        Extents of a task's part of an array that is read in parts; the array's own chunks by default.
    threads : int, default 1
        Threads for each chunk.
    options : dict
        Values, and the operator's other options.

    Returns
    -------
    dask.array.Array

    Raises
    ------
    ValueError
        The results are floats, whose sums depend on their order, or their shape depends on the chunk's.
    """
    name = _name(operator)
    if combine not in _COMBINE:
        raise ValueError(f"`combine` is {combine!r}, expected one of {', '.join(map(repr, _COMBINE))}")
    parameter = operator.images[0]
    array = _array(parameter, array)
    if not isinstance(array, da.Array):
        array = da.from_array(array, array.chunks if chunks is None else chunks, inline_array=True)
    elif chunks is not None:
        raise TypeError("`chunks` is for arrays that are read in parts: use `rechunk` of a Dask array")
    outputs = {_outputs(operator, extents, array.dtype, arguments, options) for extents in itertools.product(*map(set, array.chunks))}
    shapes = {output[0][0] for output in outputs}
    if len(shapes) > 1:
        raise ValueError(f"`{name}` writes arrays of the shapes {sorted(shapes)} for the chunks of `{parameter}`: no two can be combined")
    [(shape, dtype), *others] = next(iter(outputs))
    if others or not np.issubdtype(dtype, np.integer):
        found = f"{1 + len(others)} arrays" if others else dtype.name
        raise ValueError(f"`{name}` writes {found}, expected one array of integers: their order changes no bit")
    token = tokenize(operator, array, arguments, combine, threads, options)
    work = delayed(partial(_part, operator, arguments, {**options, "threads": threads}), pure=True)
    found = [work(chunk, dask_key_name=f"{name}-{token}-{at}") for at, chunk in enumerate(array.to_delayed().ravel())]
    join = delayed(partial(_joined, combine), pure=True)
    while len(found) > 1:
        found = [join(found[at : at + 16]) for at in range(0, len(found), 16)]
    return da.from_delayed(found[0], shape, dtype)


def _name(operator):
    """The name of a kernel or a family."""
    name = getattr(operator, "__name__", type(operator).__name__)
    if not hasattr(operator, "infer"):
        raise TypeError(f"`{name}` is no kernel and no family of kernels, which say what they read and write")
    return name


def _outputs(operator, extents, dtype, arguments, options):
    """The shapes and types that an operator writes for a chunk of these extents."""
    stand_in = np.broadcast_to(np.zeros(extents[-1:], dtype), extents)
    return tuple((tuple(shape), np.dtype(kind)) for shape, kind in operator.infer(stand_in, *arguments, **options)[1])


def _part(operator, arguments, options, chunk):
    """One task of a reduction: the operator on a chunk."""
    return operator(chunk, *arguments, **options)


def _joined(combine, parts):
    """The results of some chunks as one."""
    return functools.reduce(_COMBINE[combine], parts)


class _Call:
    """The arguments by name, the kernel that they choose, and the shapes and types of what it writes."""

    def __init__(self, operator, positional, named):
        self.operator, name = operator, operator.__name__
        refused = sorted({"out", "region", "shape"} & named.keys())
        if refused:
            raise TypeError(f"`{refused[0]}` is an option of a whole array, which chunks don't have")
        if "border" not in inspect.signature(operator).parameters and named["border"] == "undefined":
            del named["border"]
        given = dict(zip(inspect.signature(operator).parameters, positional, strict=False))
        if len(given) < len(positional) or given.keys() & named.keys():
            raise TypeError(f"`{name}` takes each argument once: {inspect.signature(operator)}")
        given |= named
        self.images = {key: _array(key, given.pop(key)) for key in operator.images if key in given}
        self.rest = given
        # Arrays of the same shapes and types, which take the memory of one row.
        stand_ins = {
            key: np.broadcast_to(np.zeros(image.shape[-1:], image.dtype), image.shape)
            for key, image in self.images.items()
        }
        # A kernel whose outputs have no shape yet is refused below by what it reads.
        shape = {"shape": (1, 1)} if "shape" in inspect.signature(operator).parameters else {}
        self.kernel, self.outputs = operator.infer(**stand_ins, **self.rest, **shape)
        self.read = [argument for argument in self.kernel["arguments"] if argument["kind"] == "image"]
        self._refuse()
        borders = given.get("border", "undefined")
        borders = borders if isinstance(borders, list) else [borders]
        self.wraps = borders[0] == "wrap"
        if any((border == "wrap") != self.wraps for border in borders):
            raise ValueError("in chunks, all images wrap around or none does")

    def _refuse(self):
        name = self.kernel["name"]
        for argument in self.read:
            if argument["inout"] is not None:
                raise ValueError(f"`{name}` changes `{argument['name']}`, and the chunks of a Dask array can't be changed")
            if argument["whole"]:
                raise ValueError(
                    f"`{name}` reads `{argument['name']}` anywhere: no chunk holds what it needs; a few numbers of a whole array, such as "
                    "a histogram, are computed by `windrow.dask.reduce`"
                )
            if not argument["element_wise"] and 0 in argument["stride"]:
                raise ValueError(f"`{name}` reads `{argument['name']}` across its rows and columns: it can't be cut")
        if self.kernel["coordinates"]:
            raise ValueError(f"`{name}` asks where an element lies, which a chunk doesn't say")


class _Cut:
    """How the outputs are cut into chunks, and what of each image a chunk needs."""

    def __init__(self, call, chunks):
        self.call = call
        self.shape = _without_channels(call.outputs[0][0], call.kernel["outputs"][0])
        self.rank = len(self.shape)
        self.steps = [self._aligned((1, 1) if image["element_wise"] else image["stride"], 1) for image in call.read]
        self.extents = [
            _without_channels(image.shape, argument)
            for argument, image in zip(call.read, call.images.values(), strict=True)
        ]
        for argument, extents, steps in zip(call.read, self.extents, self.steps, strict=True):
            gives = tuple(-(-extent // step) for extent, step in zip(extents, steps, strict=False))
            if gives != self.shape:
                raise ValueError(
                    f"`{argument['name']}` has the shape {extents}, which gives {gives}, expected {self.shape}: "
                    "repeat it by `dask.array.broadcast_to`"
                )
        # In elements of the outputs, on both sides: what all images have alike.
        reach = [self._reach(argument) for argument in call.read]
        depth = [max(along) for along in zip(*reach, strict=True)]
        # The last chunk of an input may lack a part of its last step.
        last = [need + (max(steps) > 1) for need, steps in zip(depth, zip(*self.steps, strict=True), strict=True)]
        self.bounds = [
            _bounds(sizes, step, extent, need, least)
            for sizes, step, extent, need, least in zip(
                self._sizes(chunks), self.steps[0], self.shape, depth, last, strict=True
            )
        ]
        # A kernel that has all of an axis finds by itself what lies outside.
        self.depth = [need if len(bounds) > 2 else 0 for need, bounds in zip(depth, self.bounds, strict=True)]

    def _aligned(self, rows_and_columns, other):
        """Numbers of rows and columns as numbers of all axes."""
        return ((other,) * self.rank + tuple(rows_and_columns))[-self.rank :]

    def _reach(self, argument):
        around = [max(-least, greatest, 0) for least, greatest in argument["neighbourhood"]]
        steps = argument["stride"]
        return self._aligned([math.ceil(need / step) if need else 0 for need, step in zip(around, steps, strict=True)], 0)

    def _sizes(self, chunks):
        """The sizes of the first image's chunks along each axis."""
        image = next(iter(self.call.images.values()))
        if isinstance(image, da.Array):
            if chunks is not None:
                raise TypeError("`chunks` is for arrays that are read in parts: use `rechunk` of a Dask array")
            return image.chunks[: self.rank]
        wanted = tuple(image.chunks if chunks is None else chunks)[: self.rank]
        if len(wanted) < self.rank or any(size < 1 for size in wanted):
            raise ValueError(f"`chunks` is {wanted}, expected {self.rank} numbers from 1")
        return da.core.normalize_chunks(wanted, shape=self.extents[0], dtype=image.dtype)

    def arrays(self, threads):
        """The outputs, as Dask arrays."""
        call = self.call
        images = [self._cut(index, image) for index, image in enumerate(call.images.values())]
        work = partial(_compute, call.operator, tuple(call.images), {**call.rest, "threads": threads})
        name = f"{call.operator.__name__}-{tokenize(work, images, self.bounds)}"
        sizes = tuple(tuple(b - a for a, b in itertools.pairwise(bounds)) for bounds in self.bounds)
        graph = {key: task for image in images for key, task in image.edges.items()}
        # The channels of the only output's pixels are an axis of one chunk.
        pixel = (0,) if len(call.outputs) == 1 and call.kernel["outputs"][0]["channels"] > 1 else ()
        for place in itertools.product(*(range(len(along)) for along in sizes)):
            kept = tuple(slice(*self._kept(axis, at)) for axis, at in enumerate(place))
            graph[(name, *place, *pixel)] = (work, kept, [image.at(place) for image in images])
        dependencies = [array for image in images for array in image.dependencies]
        layers = HighLevelGraph.from_collections(name, graph, dependencies=dependencies)
        if len(call.outputs) == 1:
            return self._array(name, None, layers, sizes)
        return tuple(self._array(name, index, layers, sizes) for index in range(len(call.outputs)))

    def _kept(self, axis, at):
        """What of a chunk's outputs is its own: all but what lies in its neighbours."""
        depth, last = self.depth[axis], len(self.bounds[axis]) - 2
        size = self.bounds[axis][at + 1] - self.bounds[axis][at]
        start = depth if at > 0 or self.call.wraps else 0
        return start, start + size

    def _array(self, name, index, graph, sizes):
        """Output `index` of the tasks of this name; `None` is the only one."""
        output = self.call.kernel["outputs"][index or 0]
        pixel = () if output["channels"] == 1 else ((output["channels"],),)
        dtype, chunks = self.call.outputs[index or 0][1], sizes + pixel
        if index is None:
            return da.Array(graph, name, chunks, dtype)
        own, places = f"{name}-{output['name']}", itertools.product(*(range(len(along)) for along in chunks))
        picked = {(own, *place): (python_operator.getitem, (name, *place[: self.rank]), index) for place in places}
        layers = {**graph.layers, own: picked}
        needs = {**graph.dependencies, own: {name}}
        return da.Array(HighLevelGraph(layers, needs), own, chunks, dtype)

    def _cut(self, index, image):
        """An image in chunks with what they need of their neighbours, or the means to read them."""
        extents, steps = self.extents[index], self.steps[index]
        if not isinstance(image, da.Array):
            return Parts(image, extents, steps, self.bounds, self.depth, self.call.wraps)
        cuts = tuple(
            tuple(min(b * step, extent) - a * step for a, b in itertools.pairwise(bounds))
            for bounds, step, extent in zip(self.bounds, steps, extents, strict=True)
        )
        image = image.rechunk(cuts + tuple((extent,) for extent in image.shape[self.rank :]))
        needs = tuple(need * step for need, step in zip(self.depth, steps, strict=True))
        return Chunks(self.call.operator.__name__, image, needs, self.call.wraps)


def _array(name, given):
    if isinstance(given, da.Array):
        if any(math.isnan(size) for sizes in given.chunks for size in sizes):
            raise ValueError(f"the sizes of the chunks of `{name}` are not known: call its `compute_chunk_sizes`")
        return given
    if isinstance(given, np.ndarray):
        return da.from_array(given)
    if all(hasattr(given, attribute) for attribute in ("shape", "dtype", "chunks", "__getitem__")):
        return given
    raise TypeError(f"`{name}` is a {type(given).__name__}, expected a Dask array or one that is read in parts")


def _without_channels(shape, described):
    return tuple(shape if described["channels"] == 1 else shape[:-1])


def _bounds(sizes, step, extent, need, last):
    """Where outputs are cut: where the input's chunks are, in whole steps, and nowhere so close that a neighbour does not have what a
    chunk needs; of the last one, `last` elements."""
    bounds = [0]
    for end in itertools.accumulate(sizes):
        at = end // step
        if at - bounds[-1] >= max(need, 1) and extent - at >= max(last, 1):
            bounds.append(at)
    return (*bounds, extent)


def _compute(operator, names, rest, kept, given):
    """One task: the operator on a chunk and what lies around it, and of its outputs the chunk's own."""
    arrays = {name: image() if isinstance(image, partial) else image for name, image in zip(names, given, strict=True)}
    found = operator(**arrays, **rest)
    return tuple(output[kept] for output in found) if isinstance(found, tuple) else found[kept]
