"""Memory shared with NumPy, DLPack and the buffer protocol: no copies, strides, life, read-only."""

import gc
import weakref

import numpy as np
import pytest

import lucid
from tests.support import BFLOAT16, COMPLEX, DTYPES, array, delay, np_dtype, tensor

WITH_NUMPY = [d for d in DTYPES if d != "bfloat16"]


def address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]


def values(name: str) -> np.ndarray:
    base = np.array([[0, 1, 2], [3, 1, 0]])
    return (base * (1 + 2j) if name in COMPLEX else base).astype(np_dtype(name))


# --- NumPy ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_NUMPY)
def test_from_numpy_shares(name: str) -> None:
    a = values(name)
    x = lucid.from_numpy(a)
    assert str(x.dtype) == name and x.shape == a.shape
    assert x.tolist() == a.tolist()
    assert x.data_ptr() == address(a)
    a[0, 0] = 1
    assert x[0, 0].item() == 1
    x[1, 2] = 1
    assert a[1, 2] == 1


@pytest.mark.parametrize("name", WITH_NUMPY)
def test_numpy_shares(name: str) -> None:
    x = tensor(values(name))
    a = x.numpy()
    assert a.dtype == np_dtype(name) and a.tolist() == x.tolist()
    assert x.data_ptr() == address(a)
    a[0, 0] = 1
    assert x[0, 0].item() == 1
    x.mul_(2) if name != "bool" else x.fill_(True)
    assert a.tolist() == x.tolist()
    assert address(x.numpy()) == address(a)


def test_bfloat16_through_ml_dtypes() -> None:
    a = np.array([1.0, 2.5, -3.0], dtype=BFLOAT16)
    x = lucid.from_numpy(a)
    assert x.dtype == lucid.bfloat16
    assert x.to(lucid.float32).tolist() == [1, 2.5, -3]
    x[0] = 7
    assert float(a[0]) == 7


def test_bfloat16_has_no_numpy() -> None:
    with pytest.raises(TypeError, match="bfloat16"):
        lucid.ones(2, dtype=lucid.bfloat16).numpy()


@pytest.mark.parametrize(
    "cut",
    [
        np.s_[::-1],
        np.s_[:, ::-1],
        np.s_[::-1, ::-2],
        np.s_[1:, 1:3],
        np.s_[::2, 1],
        np.s_[:0],
        np.s_[1, 2],
        np.s_[None, :, None],
    ],
)
def test_strides_both_ways(cut) -> None:
    a = np.arange(20.0).reshape(4, 5)
    view = np.asarray(a[cut])
    x = (
        lucid.from_numpy(view)
        if view.base is not None or view.ndim
        else lucid.from_numpy(view.reshape(()))
    )
    assert x.shape == view.shape and x.tolist() == view.tolist()
    if view.size and view.base is not None:
        x.mul_(-1)
        assert np.array_equal(view, -np.arange(20.0).reshape(4, 5)[cut])
    y = tensor(np.arange(20.0).reshape(4, 5))[cut]
    b = y.numpy()
    assert b.shape == y.shape and b.tolist() == y.tolist()
    if y.numel():
        b += 1
        assert y.tolist() == b.tolist()


def test_fortran_order_and_transposes() -> None:
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    x = lucid.from_numpy(a)
    assert x.stride() == (1, 2)
    assert x.data_ptr() == address(a)
    assert (x + 1).tolist() == (a + 1).tolist()
    assert tensor(a).transpose(0, 1).numpy().T.tolist() == a.tolist()


def test_zero_strides_are_shared_and_not_written_through() -> None:
    a = np.broadcast_to(np.arange(3.0), (4, 3))
    x = lucid.from_numpy(a)
    assert x.tolist() == a.tolist()
    with pytest.raises((RuntimeError, ValueError)):
        x.add_(1)


def test_read_only_arrays() -> None:
    a = np.arange(3.0)
    a.flags.writeable = False
    x = lucid.from_numpy(a)
    assert (x + 1).tolist() == [1, 2, 3]
    for write in (lambda: x.add_(1), lambda: x.__setitem__(0, 1), lambda: x[1:].mul_(2)):
        with pytest.raises((RuntimeError, ValueError), match="read-only"):
            write()
    assert a.tolist() == [0, 1, 2]
    b = x.numpy()
    assert not b.flags.writeable
    from_bytes = lucid.from_numpy(np.frombuffer(b"\x00\x00\x80\x3f", dtype=np.float32))
    with pytest.raises((RuntimeError, ValueError)):
        from_bytes.add_(1)


def test_from_numpy_keeps_the_array_alive() -> None:
    class Array(np.ndarray):
        pass

    a = np.arange(1000.0).view(Array)
    watch = weakref.ref(a)
    x = lucid.from_numpy(a)
    y = x[10:].reshape(-1)
    del a, x
    gc.collect()
    assert watch() is not None
    assert y[0].item() == 10
    del y
    gc.collect()
    assert watch() is None


def test_numpy_keeps_the_memory_alive() -> None:
    a = tensor(np.arange(5000.0)).numpy()
    for _ in range(20):
        lucid.zeros(5000, dtype=lucid.float64) + 3
    assert np.array_equal(a, np.arange(5000.0))


def test_round_trips_share() -> None:
    a = np.arange(3.0)
    b = lucid.from_numpy(a).numpy()
    assert address(a) == address(b)
    b[0] = 9
    assert a[0] == 9


def test_big_endian_and_odd_strides_raise() -> None:
    with pytest.raises(TypeError, match="endian"):
        lucid.from_numpy(np.arange(3.0).astype(">f8"))
    record = np.zeros(3, dtype=[("a", "i1"), ("b", "f8")])
    with pytest.raises((ValueError, TypeError)):
        lucid.from_numpy(record["b"])
    for bad in (np.array(["a"]), np.array([object()]), np.array([1], dtype="M8[s]"), record):
        with pytest.raises(TypeError):
            lucid.from_numpy(bad)
    with pytest.raises(TypeError):
        lucid.from_numpy([1, 2])


def test_unaligned_memory_raises() -> None:
    raw = np.zeros(33, dtype=np.uint8)
    with pytest.raises((ValueError, TypeError), match="align"):
        lucid.from_numpy(raw[1:].view(np.float64))


def test_numpy_of_what_requires_grad_raises() -> None:
    x = lucid.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="detach"):
        x.numpy()
    assert x.detach().numpy().tolist() == [1, 1]


def test_tensor_copies() -> None:
    a = np.arange(3)
    x = lucid.tensor(a)
    a[0] = 9
    assert x.tolist() == [0, 1, 2] and x.dtype == lucid.int64


def test_as_array_protocol() -> None:
    x = tensor(np.arange(6.0).reshape(2, 3))
    assert np.asarray(x).tolist() == x.tolist()
    assert address(np.asarray(x)) == x.data_ptr()
    assert np.array(x, dtype=np.float32).dtype == np.float32
    assert address(np.array(x)) != x.data_ptr()  # np.array copies
    assert np.asarray(x.transpose(0, 1)).tolist() == x.transpose(0, 1).tolist()
    with pytest.raises(ValueError):
        np.array(x, dtype=np.int32, copy=False)
    assert np.sum(np.asarray(x)) == 15


def test_numpy_does_not_take_over_operators() -> None:
    a, x = np.ones(3, dtype=np.float32), lucid.ones(3)
    for value in (np.float32(2) * x, x * np.float32(2), np.int64(2) + x):
        assert isinstance(value, lucid.Tensor)
    with pytest.raises(TypeError):
        a + x  # __array_ufunc__ = None: neither side swallows the other
    assert lucid.Tensor.__array_ufunc__ is None


@pytest.mark.parametrize("delayed", [False, True])
def test_writes_by_both_sides_come_in_order(delayed: bool) -> None:
    with delay(delayed):
        x = lucid.zeros(3) + 1
        a = x.numpy()
        y = x * 10
        a[:] = 2
        z = x * 10
        x.add_(1)
        assert a.tolist() == [3, 3, 3]
        a[0] = 7
        x[1:] *= 2
        assert (y.tolist(), z.tolist(), x.tolist()) == ([10] * 3, [20] * 3, [7, 6, 6])


def test_a_view_of_exported_memory_stays_shared() -> None:
    x = lucid.zeros(4)
    v = x[1:3]
    a = v.numpy()
    a[:] = 5
    assert x.tolist() == [0, 5, 5, 0]
    x.fill_(2)
    assert a.tolist() == [2, 2]


# --- DLPack ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_NUMPY)
def test_dlpack_to_numpy_shares(name: str) -> None:
    x = tensor(values(name))
    a = np.from_dlpack(x)
    assert a.dtype == np_dtype(name) and a.tolist() == x.tolist()
    assert address(a) == x.data_ptr()


@pytest.mark.parametrize("name", WITH_NUMPY)
def test_dlpack_from_numpy_shares(name: str) -> None:
    a = values(name)
    x = lucid.from_dlpack(a)
    assert str(x.dtype) == name and x.tolist() == a.tolist()
    assert x.data_ptr() == address(a)
    a[0, 1] = 0
    assert x[0, 1].item() == 0


def test_dlpack_to_itself() -> None:
    for name in DTYPES:
        x = tensor(values(name))
        y = lucid.from_dlpack(x)
        assert y.dtype == x.dtype and y.data_ptr() == x.data_ptr()
        y[0, 0] = 1
        assert x[0, 0].item() == 1
    with pytest.raises((RuntimeError, BufferError)):
        lucid.from_dlpack(lucid.ones(2, requires_grad=True))


def test_dlpack_strides_and_offset() -> None:
    a = np.arange(20.0).reshape(4, 5)
    for cut in (np.s_[::2, 1:], np.s_[::-1], np.s_[:, 2], np.s_[2, 3:4]):
        x = lucid.from_dlpack(a[cut])
        assert x.tolist() == a[cut].tolist()
        b = np.from_dlpack(tensor(a)[cut])
        assert b.tolist() == a[cut].tolist()


def test_dlpack_device_and_stream_arguments() -> None:
    x = lucid.ones(2)
    assert x.__dlpack_device__() == (1, 0)
    assert "dltensor" in repr(x.__dlpack__())
    assert "dltensor" in repr(x.__dlpack__(max_version=(1, 0)))
    assert "dltensor" in repr(x.__dlpack__(stream=None, dl_device=(1, 0), copy=None))
    copy = np.from_dlpack(x, copy=True)
    copy[0] = 9
    assert x.tolist() == [1, 1]


def test_a_capsule_is_used_once() -> None:
    x = lucid.ones(2)
    capsule = x.__dlpack__()
    lucid.from_dlpack(capsule)
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        lucid.from_dlpack(capsule)
    del capsule
    unused = x.__dlpack__()
    del unused  # its destructor frees what nobody took
    gc.collect()


def test_dlpack_lifetime() -> None:
    class Array(np.ndarray):
        pass

    a = np.arange(10.0).view(Array)
    watch = weakref.ref(a)
    x = lucid.from_dlpack(a)
    del a
    gc.collect()
    assert watch() is not None and x[3].item() == 3
    del x
    gc.collect()
    assert watch() is None
    b = np.from_dlpack(tensor(np.arange(9000.0)))
    for _ in range(10):
        lucid.zeros(9000, dtype=lucid.float64) + 1
    assert b[8999] == 8999


def test_read_only_dlpack() -> None:
    a = np.arange(3.0)
    a.flags.writeable = False
    x = lucid.from_dlpack(a)
    with pytest.raises((RuntimeError, ValueError)):
        x.add_(1)
    assert a.tolist() == [0, 1, 2]
    y = lucid.from_numpy(a)
    assert not np.from_dlpack(y).flags.writeable


def test_from_dlpack_of_nonsense_raises() -> None:
    for bad in (3, "text", [1, 2], object()):
        with pytest.raises((TypeError, AttributeError)):
            lucid.from_dlpack(bad)


def test_a_pending_value_is_exported_ready() -> None:
    with delay():
        x = lucid.ones(4) * 3
        assert np.from_dlpack(x).tolist() == [3] * 4
        y = lucid.ones(4) * 4
        assert y.numpy().tolist() == [4] * 4
        z = lucid.ones(4) * 5
        assert memoryview(z).tolist() == [5] * 4


# --- the buffer protocol --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [d for d in WITH_NUMPY if d not in COMPLEX])
def test_memoryview(name: str) -> None:
    x = tensor(values(name))
    m = memoryview(x)
    assert m.shape == (2, 3) and m.itemsize == np_dtype(name).itemsize and not m.readonly
    assert m.nbytes == x.nbytes
    assert np.asarray(m).tolist() == x.tolist()
    assert bytes(m) == values(name).tobytes()


def test_memoryview_writes_and_keeps_alive() -> None:
    x = lucid.zeros(3)
    m = memoryview(x)
    m[1] = 5.0
    assert x.tolist() == [0, 5, 0]
    del x
    gc.collect()
    assert m[1] == 5.0
    m.release()


def test_memoryview_of_strides() -> None:
    x = lucid.arange(6).reshape(2, 3)
    assert memoryview(x.transpose(0, 1)).tolist() == [[0, 3], [1, 4], [2, 5]]
    assert memoryview(x[:, ::-1]).tolist() == [[2, 1, 0], [5, 4, 3]]


def test_buffers_into_tensors() -> None:
    import array as stdlib

    buffer = stdlib.array("d", [1.0, 2.0])
    assert lucid.tensor(buffer).tolist() == [1, 2]
    assert lucid.tensor(b"ab").tolist() == [97, 98]
    assert lucid.tensor(memoryview(bytearray(b"ab"))).dtype == lucid.uint8


def test_buffer_of_what_requires_grad_raises() -> None:
    with pytest.raises(BufferError):
        memoryview(lucid.ones(2, requires_grad=True))
    with pytest.raises(BufferError):
        memoryview(lucid.ones(2, dtype=lucid.bfloat16))


def test_file_writes() -> None:
    import io

    stream = io.BytesIO()
    x = lucid.arange(3, dtype=lucid.int16)
    stream.write(x)
    assert stream.getvalue() == array(x).tobytes()


def test_array_api_strict_takes_our_tensors() -> None:
    import array_api_strict

    y = array_api_strict.from_dlpack(lucid.arange(4))
    assert [int(v) for v in y] == [0, 1, 2, 3]
    assert lucid.from_dlpack(y).tolist() == [0, 1, 2, 3]
