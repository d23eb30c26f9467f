"""What the task of a chunk is given of an array: the chunk, and what lies around it."""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np
from dask.base import tokenize


class Chunks:
    """A Dask array. A task is given its own chunk and the edges of the chunks around it.

    There are three tasks a chunk: its own, one of `edges`, which cuts all of its edges into one array, and the operator's. Dask's scheduler
    takes about as long for each task, whatever that does, and workers send each other results of tasks whole.
    """

    def __init__(self, operator, array, needs, wraps):
        """`needs` says for each axis how many elements of its neighbours a chunk needs. They have as many."""
        self.array, self.needs, self.wraps = array, needs, wraps
        self.dependencies = [array]
        sides = itertools.product(*((-1, 0, 1) if need else (0,) for need in needs))
        self.directions = [direction for direction in sides if any(direction)]
        self.name = f"{operator}_edges-{tokenize(array, needs)}"
        places = np.ndindex(array.numblocks[: len(needs)]) if self.directions else ()
        self.edges = {(self.name, *place): (partial(_edges, needs), self._key(place)) for place in places}

    def __dask_tokenize__(self):
        return tokenize(self.array, self.needs, self.wraps)

    def _key(self, place):
        return (self.array.name, *place, *(0,) * (self.array.ndim - len(self.needs)))

    def at(self, place):
        """What the task at a place is given: its chunk, or the task that puts the edges around that."""
        around, edges = {}, []
        for direction in self.directions:
            there = self._neighbour(place, direction)
            if there is not None:
                extents = zip(self.array.chunks, there, strict=False)
                around[direction] = tuple(sizes[at] for sizes, at in extents) + self.array.shape[len(self.needs) :]
                edges.append((self.name, *there))
        return (partial(_surrounded, self.needs, around), self._key(place), edges) if edges else self._key(place)

    def _neighbour(self, place, direction):
        """The place of the next chunk in a direction, if there is one."""
        there = [at + by for at, by in zip(place, direction, strict=True)]
        counts = self.array.numblocks[: len(self.needs)]
        if self.wraps:
            return tuple(at % count for at, count in zip(there, counts, strict=True))
        return tuple(there) if all(0 <= at < count for at, count in zip(there, counts, strict=True)) else None


class Parts:
    """An array that tasks read their own parts of."""

    def __init__(self, source, extents, steps, bounds, depth, wraps):
        self.source, self.extents, self.steps = source, extents, steps
        self.bounds, self.depth, self.wraps = bounds, depth, wraps
        self.dependencies, self.edges = [], {}

    def __dask_tokenize__(self):
        return tokenize(self.source, self.extents, self.steps, self.bounds, self.depth, self.wraps)

    def at(self, place):
        """What the task at a place reads."""
        ranges = []
        for axis, at in enumerate(place):
            start, end = self.bounds[axis][at] - self.depth[axis], self.bounds[axis][at + 1] + self.depth[axis]
            start, end = start * self.steps[axis], end * self.steps[axis]
            if self.wraps and self.depth[axis]:
                # What lies behind a last element of an incomplete step is the first.
                end = min(self.bounds[axis][at + 1] * self.steps[axis], self.extents[axis]) + self.depth[axis] * self.steps[axis]
            else:
                start, end = max(start, 0), min(end, self.extents[axis])
            ranges.append((start, end))
        return partial(_read, self.source, ranges, self.extents)


def _edges(needs, chunk):
    """One task: the first and the last elements of a chunk along each axis, as many as its neighbours need, one after the other."""
    slabs = []
    for axis, need in enumerate(needs):
        if need:
            before = (slice(None),) * axis
            slabs += [chunk[(*before, _SIDES[side](need))] for side in (-1, 1)]
    return np.concatenate([slab.ravel() for slab in slabs])


def _edge(edges, shape, needs, sides):
    """Of the edges of a chunk of a shape, what lies on these sides of it: −1 for the first elements along an axis, 1 for the last."""
    slabs = [(*shape[:axis], need, *shape[axis + 1 :]) for axis, need in enumerate(needs)]
    axis = next(axis for axis, side in enumerate(sides) if side)
    start = 2 * sum(map(math.prod, slabs[:axis])) + math.prod(slabs[axis]) * (sides[axis] > 0)
    slab = edges[start : start + math.prod(slabs[axis])].reshape(slabs[axis])
    within = [_SIDES[side](need) for side, need in zip(sides, needs, strict=True)]
    return slab[(*within[:axis], slice(None), *within[axis + 1 :])]


# What lies on a side of a chunk along one axis.
_SIDES = {-1: lambda need: slice(need), 0: lambda _: slice(None), 1: lambda need: slice(-need, None)}


def _surrounded(needs, around, chunk, edges):
    """A chunk with what lies around it: in each direction the edge of a neighbour, whose shape `around` says, that lies on this side."""
    rank = len(needs)
    before = [need * any(direction[axis] < 0 for direction in around) for axis, need in enumerate(needs)]
    after = [need * any(direction[axis] > 0 for direction in around) for axis, need in enumerate(needs)]
    extents = [a + size + b for a, size, b in zip(before, chunk.shape[:rank], after, strict=True)]
    whole = np.empty((*extents, *chunk.shape[rank:]), chunk.dtype)
    within = {
        axis: {-1: slice(a), 0: slice(a, a + size), 1: slice(a + size, None)}
        for axis, (a, size) in enumerate(zip(before, chunk.shape[:rank], strict=True))
    }
    whole[tuple(within[axis][0] for axis in range(rank))] = chunk
    for (direction, shape), given in zip(around.items(), edges, strict=True):
        own = tuple(-side for side in direction)
        whole[tuple(within[axis][side] for axis, side in enumerate(direction))] = _edge(given, shape, needs, own)
    return whole


def _read(source, ranges, extents):
    """The part of an array within these ranges; beyond its ends, from its opposite sides."""
    for axis, ((start, end), extent) in enumerate(zip(ranges, extents, strict=True)):
        pieces = []
        if start < 0:
            pieces.append((start + extent, extent))
        pieces.append((max(start, 0), min(end, extent)))
        if end > extent:
            pieces.append((0, end - extent))
        if len(pieces) > 1:
            read = [_read(source, [*ranges[:axis], piece, *ranges[axis + 1 :]], extents) for piece in pieces]
            return np.concatenate(read, axis=axis)
    return np.asarray(source[tuple(slice(start, end) for start, end in ranges)])
