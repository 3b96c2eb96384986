"""The seed's LinearBackward, built out of the tree, gives the bytes of the built-in linear."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import lucid
import lucid.extension

SOURCE = Path(__file__).parent / "seed"


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("seed")
    steps = (
        [
            "cmake",
            "-S",
            str(SOURCE),
            "-B",
            str(folder / "build"),
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DLucid_DIR={lucid.extension.cmake_dir()}",
        ],
        ["cmake", "--build", str(folder / "build")],
        ["cmake", "--install", str(folder / "build"), "--prefix", str(folder / "site")],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder / "site"))
    yield importlib.import_module("seed_linear")
    sys.path.remove(str(folder / "site"))


def content(x: lucid.Tensor) -> bytes:
    exact = x.detach().to(lucid.float32) if x.dtype == lucid.bfloat16 else x.detach()
    return exact.numpy().tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", [(5,), (7, 5), (2, 3, 5), (0, 5)])
@pytest.mark.parametrize("bias", [True, False])
def test_same_bytes(seed, dtype: str, shape: tuple[int, ...], bias: bool) -> None:
    def run(linear) -> list[bytes]:
        lucid.manual_seed(0)
        leaves = [lucid.randn(*size).to(getattr(lucid, dtype)) for size in (shape, (4, 5), (4,))]
        leaves = [leaf.requires_grad_() for leaf in leaves[: 3 if bias else 2]]
        y = linear(*leaves)
        assert y.grad_fn.name() == "LinearBackward"
        weights = lucid.arange(y.numel()).reshape(y.shape).to(y.dtype)
        (y * weights).sum().backward()
        return [content(y), *(content(leaf.grad) for leaf in leaves)]

    assert run(seed.linear) == run(lucid.nn.functional.linear)


def test_gradients_twice(seed) -> None:
    x, w, b = (
        lucid.rand(*size, dtype=lucid.float64).requires_grad_() for size in ((3, 2), (4, 2), (4,))
    )
    assert lucid.autograd.gradcheck(seed.linear, [x, w, b])
    (dx,) = lucid.autograd.grad(seed.linear(x, w, b).sum(), [x], create_graph=True)
    (dw,) = lucid.autograd.grad((dx * dx).sum(), [w])
    total = w.detach().sum(0)
    assert lucid.allclose(dw, (6 * total).expand(4, 2))
