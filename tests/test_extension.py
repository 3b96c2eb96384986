"""One Primitive and one FuncOp, built outside the tree against the installed package."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lucid
import lucid.extension

SOURCE = Path(__file__).parent / "extension"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extension")
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
    return folder / "site"


@pytest.fixture(scope="module")
def sample(built: Path):
    sys.path.insert(0, str(built))
    import lucid_sample_extensions

    yield lucid_sample_extensions
    sys.path.remove(str(built))


def test_the_guides_own_lines(sample) -> None:
    a, b = lucid.ones((3, 4)), lucid.ones((3, 4))
    c = sample.axpby(a, b, 4.0, 2.0, stream=lucid.cpu)
    assert f"c shape: {c.shape}" == "c shape: (3, 4)"
    assert f"c dtype: {c.dtype}" == "c dtype: float32"
    assert lucid.all(c == 6.0).item()


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "bfloat16", "complex64", "int32"]
)
def test_axpby_dtypes_and_broadcasting(sample, dtype: str) -> None:
    x = lucid.arange(12).reshape(3, 4).to(getattr(lucid, dtype))
    y = x.transpose(0, 1)[:, 0]
    z = sample.axpby(x[:, ::-1], y, 0.5, 2.0)
    expected = 0.5 * np.arange(12).reshape(3, 4)[:, ::-1] + 2.0 * np.arange(4)
    assert z.dtype == (lucid.float32 if dtype == "int32" else getattr(lucid, dtype))
    assert (
        z.to(lucid.complex128 if dtype == "complex64" else lucid.float64).tolist()
        == expected.tolist()
    )


def test_axpby_gradients_and_delay(sample) -> None:
    def gradients() -> list:
        x = lucid.ones(3, requires_grad=True)
        y = lucid.ones(2, 3, requires_grad=True)
        sample.axpby(x, y * 2, 4.0, 3.0).sum().backward()
        return [x.grad.tolist(), y.grad.tolist()]

    expected = [[8.0] * 3, [[6.0] * 3] * 2]
    assert gradients() == expected
    lucid.engine._set_always_delay(True)
    try:
        assert gradients() == expected
    finally:
        lucid.engine._set_always_delay(False)
    assert lucid.autograd.gradcheck(
        lambda x, y: sample.axpby(x, y, 4.0, 3.0),
        [lucid.rand(3, dtype=lucid.float64, requires_grad=True) for _ in range(2)],
    )


def test_axpby_refuses_what_it_cannot_do(sample) -> None:
    with pytest.raises(RuntimeError, match="floating point"):
        sample.axpby(lucid.ones(2, dtype=lucid.complex128), lucid.ones(2), 1.0, 1.0)
    with pytest.raises(lucid.ShapeMismatch):
        sample.axpby(lucid.ones(2), lucid.ones(3), 1.0, 1.0)


def test_func_op_value_gradient_and_table(sample) -> None:
    x = lucid.tensor([1.0, -2.0, 3.0], requires_grad=True)
    scale = lucid.tensor(0.5, requires_grad=True)
    y = sample.scaled_square(x, scale)
    assert y.tolist() == [0.5, 2.0, 4.5]
    assert y.grad_fn.name() == "ScaledSquareBackward"
    y.sum().backward()
    assert x.grad.tolist() == [1.0, -2.0, 3.0]
    assert scale.grad.item() == 14.0
    assert "sample_scaled_square" in {row["name"] for row in lucid.ops.table()}


def test_a_second_op_of_one_name_names_both_libraries(sample, built: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import shutil, importlib.util as u;"
        "import lucid_sample_extensions._ext as e; import tempfile, os;"
        "p = os.path.join(tempfile.mkdtemp(), os.path.basename(e.__file__));"
        "shutil.copy(e.__file__, p);"
        "s = u.spec_from_file_location('_ext', p); m = u.module_from_spec(s);"
        "s.loader.exec_module(m)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(built)], capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr.count("lucid_sample_extensions") >= 2
    assert "registered already" in done.stderr
