import numpy as np

from tests.ops._spec import ErrorInput, OpTest
from tests.support import FLOATING, np_dtype


def samples(rng, dtype):
    def real(low, high, *shape):
        return rng.uniform(low, high, shape).astype(np_dtype(dtype))

    for shape in ((4,), (3, 4), (2, 3, 2), (2, 3, 2, 1)):
        classes = shape[0] if len(shape) == 1 else shape[1]
        rest = shape[1:] if len(shape) == 1 else shape[:1] + shape[2:]
        index = rng.integers(0, classes, rest)
        x, weight, probabilities = real(-1, 1, *shape), real(0.5, 2, classes), real(0.25, 1, *shape)
        for reduction in ("mean", "sum", "none"):
            options = {"reduction": reduction}
            yield (x, index), options
            yield (x, index, weight), options
            yield (x, index, weight), {**options, "label_smoothing": 0.25}
            yield (x, index), {**options, "label_smoothing": 0.5}
            yield (x, index), {**options, "ignore_index": 1}
            yield (x, index, weight), {**options, "ignore_index": 1, "label_smoothing": 0.125}
            yield (x, probabilities), options
            yield (x, probabilities, weight), {**options, "label_smoothing": 0.25}
        yield (x, index), {}
    yield (real(-1, 1, 2, 3), np.array([-100, -100])), {}  # nothing counts: nan
    yield (real(-1, 1, 0, 3), np.zeros(0, np.int64)), {}
    yield (real(-1, 1, 0, 3), np.zeros(0, np.int64)), {"reduction": "sum"}


def grad_samples(rng, dtype):
    for args, options in samples(rng, dtype):
        if args[0].size and not np.array_equal(args[1], [-100, -100]):
            yield args, options


def reference(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    axis = 0 if input.ndim == 1 else 1
    classes = input.shape[axis]
    along = [1] * input.ndim
    along[axis] = classes
    weight_of = np.ones(classes) if weight is None else weight
    with np.errstate(all="ignore"):
        shifted = input - np.max(input, axis=axis, keepdims=True)
        log_p = shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
        if np.issubdtype(np.asarray(target).dtype, np.integer):
            kept = target != ignore_index
            safe = np.where(kept, target, 0)
            one_hot = np.moveaxis(np.eye(classes)[safe], -1, axis)
            norm = np.sum(np.where(kept, weight_of[safe], 0))
        else:
            kept, one_hot = True, target
            norm = input.size / classes
        mixed = one_hot * (1 - label_smoothing) + label_smoothing / classes
        losses = -np.sum(log_p * mixed * weight_of.reshape(along), axis=axis)
        losses = np.where(kept, losses, 0.0)
        if reduction == "none":
            return losses
        total = np.sum(losses)
        return total if reduction == "sum" else np.float64(total) / norm


CROSS_ENTROPY = OpTest(
    name="cross_entropy",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput(
            (np.zeros((2, 3)), np.array([0, 3])), exception=IndexError, match="0 <= target < 3"
        ),
        ErrorInput((np.zeros((2, 3)), np.array([0, -1])), exception=IndexError),
        ErrorInput((np.zeros((2, 3)), np.array([0])), exception="ShapeMismatch", match="input"),
        ErrorInput((np.zeros((2, 3)), np.zeros((2, 2))), exception="ShapeMismatch"),
        ErrorInput((np.zeros((2, 3)), np.zeros(2, np.int32)), exception=TypeError, match="int64"),
        ErrorInput((np.zeros((2, 3)), np.zeros(2, int), np.zeros(2)), exception="ShapeMismatch"),
        ErrorInput((np.zeros(()), np.zeros(())), exception="ShapeMismatch"),
        ErrorInput((np.zeros(3), np.array(0)), {"reduction": "avg"}, ValueError, "reduction"),
        ErrorInput(
            (np.zeros(3), np.array(0)), {"label_smoothing": 1.5}, ValueError, "between 0 and 1"
        ),
        ErrorInput((np.zeros(3), np.zeros(3)), {"ignore_index": 1}, ValueError, "probabilities"),
        ErrorInput((np.zeros(3, int), np.array(0)), exception=TypeError),
    ),
    dtypes=FLOATING,
    ulp={"float32": 32, "float64": 32},
    grad_samples=grad_samples,
)
