"""The five slots of every op: the join of lucid.ops.table() with tests/ops. Runs first.

Each checker is a function from rows and specs to complaints; each is also run on a fake row and
must complain.
"""

import doctest
import importlib.util
import re
import sys

import pytest

import lucid
from tests.support import (
    DTYPES,
    LAYOUTS,
    convert_all,
    function_of,
    grad_samples,
    load_specs,
    rows,
    spec_dtypes,
)


class FakeSpec:
    def __init__(self, name: str, dtypes: tuple[str, ...] | None = None) -> None:
        self.name = name
        self.dtypes = dtypes


def fake(**changes) -> dict:
    """A row that no checker complains about, with changes."""
    row = {
        "name": "fake",
        "signature": "fake(Tensor x) -> Tensor",
        "library": "lucid",
        "forms": ["function"],
        "kernels": {"cpu": "instruction", "cuda": None},
        "gradient": "vjp",
        "backward_name": "FakeBackward",
        "no_gradient_reason": None,
        "dtypes": [getattr(lucid, name) for name in DTYPES],
        "dtype_reason": None,
        "deterministic": True,
        "doc": "Says one thing.\n\n>>> 1 + 1\n2",
    }
    return row | changes


def table() -> list[dict]:
    """The built-in ops (an extension that another test loaded brings its own tests)."""
    return [row for row in lucid.ops.table() if row["library"] == "lucid"]


def public(rows: list[dict]) -> list[dict]:
    return [row for row in rows if "internal" not in row["forms"]]


# --- the checkers ---------------------------------------------------------------------------------


def unmatched(rows: list[dict], specs: dict) -> list[str]:
    """Every public op has a spec under its name, every spec has an op."""
    names = {row["name"] for row in rows}
    needed = {row["name"] for row in public(rows)}
    complaints = [f"{name}: no spec in tests/ops" for name in sorted(needed - set(specs))]
    complaints += [f"{name}: a spec without an op" for name in sorted(set(specs) - names)]
    return complaints


def duplicates(rows: list[dict]) -> list[str]:
    names = [row["name"] for row in rows]
    return [
        f"{name}: in the table twice" for name in sorted({n for n in names if names.count(n) > 1})
    ]


def incomplete(rows: list[dict]) -> list[str]:
    """Schema, forward, kernels, gradient."""
    complaints = []
    for row in rows:
        name = row["name"]
        if not row["signature"].startswith(name + "("):
            complaints.append(f"{name}: the signature is of another op: {row['signature']}")
        if row["kernels"].get("cpu") is None:
            complaints.append(f"{name}: no kernel for the CPU")
        if row["gradient"] not in ("vjp", "FuncOp", "composition", "none"):
            complaints.append(f"{name}: gradient is {row['gradient']!r}")
        if row["gradient"] == "none" and not row["no_gradient_reason"]:
            complaints.append(f"{name}: neither a gradient nor a reason why there is none")
        if row["gradient"] in ("vjp", "FuncOp"):
            wanted = re.compile(r"[A-Z][A-Za-z0-9]*Backward")
            if not row["backward_name"] or not wanted.fullmatch(row["backward_name"]):
                complaints.append(
                    f"{name}: backward_name is {row['backward_name']!r}, not XBackward"
                )
    return complaints


def dtype_holes(rows: list[dict]) -> list[str]:
    complaints = []
    for row in rows:
        missing = [name for name in DTYPES if name not in {str(d) for d in row["dtypes"]}]
        if missing and not row["dtype_reason"]:
            complaints.append(f"{row['name']}: refuses {', '.join(missing)} without a reason")
        if not row["dtypes"]:
            complaints.append(f"{row['name']}: takes no dtype at all")
    return complaints


def untested_dtypes(rows: list[dict], specs: dict) -> list[str]:
    """A spec may not test less than the schema promises."""
    complaints = []
    for row in public(rows):
        spec = specs.get(row["name"])
        if spec is None or spec.dtypes is None:
            continue
        missing = {str(d) for d in row["dtypes"]} - set(spec.dtypes)
        if missing:
            complaints.append(f"{row['name']}: the spec leaves out {', '.join(sorted(missing))}")
    return complaints


def documentation(rows: list[dict]) -> list[str]:
    """A docstring with a first sentence and an example whose doctest passes."""
    complaints = []
    parser = doctest.DocTestParser()
    for row in public(rows):
        name, doc = row["name"], row["doc"]
        first = doc.strip().split("\n")[0]
        if not first.rstrip().endswith((".", ":")) and not re.match(r".*\.\s", first):
            complaints.append(f"{name}: the docstring does not start with a sentence: {first!r}")
        examples = parser.get_examples(doc)
        if not examples:
            complaints.append(f"{name}: no example in the docstring")
            continue
        namespace = {"lucid": lucid, "F": lucid.nn.functional}
        test = doctest.DocTest(examples, namespace, name, None, 0, doc)
        output: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        lucid.manual_seed(0)
        if runner.run(test, out=output.append).failed:
            complaints.append(f"{name}: the example fails:\n" + "".join(output))
    return complaints


def unreachable(rows: list[dict], functions, tensor, network) -> list[str]:
    """Where the schema says that an op appears in Python, it does."""
    complaints = []
    for row in rows:
        name = row["name"]
        places = (
            ("function", functions, name),
            ("method", tensor, name),
            ("in_place", tensor, name + "_"),
            ("network", network, name),
        )
        for form, where, attribute in places:
            if form in row["forms"] and not callable(getattr(where, attribute, None)):
                complaints.append(f"{name}: no {form} {attribute}")
        if "internal" in row["forms"] and hasattr(functions, name):
            complaints.append(f"{name}: internal, but lucid.{name} exists")
    return complaints


# --- the tests ------------------------------------------------------------------------------------


def test_every_op_has_its_fifth_slot_and_every_spec_its_op() -> None:
    assert unmatched(table(), load_specs()) == []


def test_no_op_is_declared_twice() -> None:
    assert duplicates(lucid.ops.table()) == []


def test_every_op_is_complete() -> None:
    assert incomplete(table()) == []


def test_every_dtype_hole_has_a_reason() -> None:
    assert dtype_holes(table()) == []


def test_specs_cover_the_dtypes_of_the_schema() -> None:
    assert untested_dtypes(table(), load_specs()) == []


def test_every_op_has_a_docstring_and_an_example_that_runs() -> None:
    complaints = documentation(table())
    assert not complaints, "\n".join(complaints)


def test_ops_are_where_their_schema_says() -> None:
    assert unreachable(table(), lucid, lucid.Tensor, lucid.nn.functional) == []


def test_every_gradient_has_the_name_of_its_op() -> None:
    """grad_fn.name() is XBackward of the schema, wherever an op records a node of its own."""
    wrong = []
    for name, spec in load_specs().items():
        row = rows().get(name)
        if (
            row is None
            or row["gradient"] not in ("vjp", "FuncOp")
            or not spec.grad
            or not function_of(name)
        ):
            continue
        dtype = next(d for d in ("float64", "complex128") if d in spec_dtypes(spec))
        found = [
            (sample, make) for make in LAYOUTS.values() for sample in grad_samples(spec, dtype)
        ]
        for (args, kwargs), make in found:
            made, more = convert_all(args, kwargs, make)
            tensors = [t for a in made for t in (a if isinstance(a, list) else [a])]
            leaves = [
                t
                for t in tensors
                if isinstance(t, lucid.Tensor) and t.dtype == getattr(lucid, dtype)
            ]
            for leaf in leaves:
                leaf.requires_grad_()
            try:
                out = function_of(name)(*made, **more)
            except lucid.LucidError:  # asks for a layout
                continue
            out = out[0] if isinstance(out, tuple) else out
            if out.grad_fn is None:
                continue
            if out.grad_fn.name() != row["backward_name"]:
                wrong.append(f"{name}: {out.grad_fn.name()}, not {row['backward_name']}")
            break
        else:
            wrong.append(f"{name}: no sample gave a grad_fn")
    assert wrong == []


STAGE_1 = [
    "zeros",
    "ones",
    "full",
    "arange",
    "eye",
    "rand",
    "randn",
    "randint",
    "add",
    "sub",
    "mul",
    "div",
    "neg",
    "abs",
    "pow",
    "exp",
    "log",
    "sqrt",
    "tanh",
    "sigmoid",
    "relu",
    "maximum",
    "where",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "logical_not",
    "cast",
    "sum",
    "mean",
    "amax",
    "argmax",
    "reshape",
    "view",
    "transpose",
    "permute",
    "expand",
    "squeeze",
    "unsqueeze",
    "select",
    "slice",
    "cat",
    "stack",
    "contiguous",
    "clone",
    "gather",
    "index_select",
    "index_add",
    "matmul",
    "linear",
    "log_softmax",
    "softmax",
    "cross_entropy",
]


@pytest.mark.parametrize("name", STAGE_1)
def test_the_ops_of_stage_1_are_there(name: str) -> None:
    assert name in {row["name"] for row in table()}


def test_mlx_names_are_in_cpp() -> None:
    text = (lucid_root() / "cpp" / "ops" / "Aliases.h").read_text()
    assert "multiply" in text and "divide" in text


def lucid_root():
    from pathlib import Path

    return Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("tool", ["gen_ops", "gen_stubs"])
def test_generated_files_are_fresh(tool: str) -> None:
    import subprocess

    path = lucid_root() / "tools" / f"{tool}.py"
    assert path.exists()
    done = subprocess.run([sys.executable, str(path), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# --- each checker fails when it should ------------------------------------------------------------


def test_a_good_fake_row_passes_every_checker() -> None:
    rows, specs = [fake()], {"fake": FakeSpec("fake", DTYPES)}
    assert unmatched(rows, specs) == []
    assert duplicates(rows) == []
    assert incomplete(rows) == []
    assert dtype_holes(rows) == []
    assert untested_dtypes(rows, specs) == []
    assert documentation(rows) == []


def test_the_join_catches_an_op_without_spec_and_a_spec_without_op() -> None:
    specs = load_specs()
    before = set(unmatched(table(), specs))
    assert set(unmatched([*table(), fake()], specs)) - before == {"fake: no spec in tests/ops"}
    more = set(unmatched(table(), specs | {"nobody": FakeSpec("nobody")}))
    assert more - before == {"nobody: a spec without an op"}
    assert unmatched([fake(forms=["internal"])], {}) == []


def test_duplicates_are_caught() -> None:
    assert duplicates([fake(), fake()]) == ["fake: in the table twice"]


@pytest.mark.parametrize(
    "changes",
    [
        {"signature": "other(Tensor x) -> Tensor"},
        {"kernels": {"cpu": None, "cuda": None}},
        {"gradient": "none"},
        {"gradient": "maybe"},
        {"backward_name": None},
        {"backward_name": "fake_backward"},
        {"gradient": "FuncOp", "backward_name": "Fake"},
    ],
    ids=str,
)
def test_an_incomplete_op_is_caught(changes: dict) -> None:
    assert len(incomplete([fake(**changes)])) == 1


def test_a_hole_without_a_reason_is_caught() -> None:
    assert len(dtype_holes([fake(dtypes=[lucid.float32])])) == 1
    assert dtype_holes([fake(dtypes=[lucid.float32], dtype_reason="why not")]) == []
    assert dtype_holes([fake(dtypes=[], dtype_reason="none")]) == ["fake: takes no dtype at all"]


def test_a_spec_that_tests_less_is_caught() -> None:
    assert len(untested_dtypes([fake()], {"fake": FakeSpec("fake", ("float32",))})) == 1


@pytest.mark.parametrize(
    "doc",
    [
        "",
        "Says one thing.",
        "no sentence\n\n>>> 1\n1",
        "Says one.\n\n>>> 1 + 1\n3",
        "Says.\n>>> 1/0\n0",
    ],
)
def test_bad_documentation_is_caught(doc: str) -> None:
    assert documentation([fake(doc=doc)])


def test_a_missing_function_is_caught() -> None:
    class Nothing:
        pass

    row = fake(forms=["function", "method", "in_place", "network"])
    assert len(unreachable([row], Nothing, Nothing, Nothing)) == 4

    class Fake:
        fake = fake

    assert len(unreachable([fake(forms=["internal"])], Fake, Nothing, Nothing)) == 1


def test_two_specs_for_one_op_are_caught(tmp_path, monkeypatch) -> None:
    from tests import support

    for file in ("a", "b"):
        (tmp_path / f"{file}.py").write_text(
            "from tests.ops._spec import OpTest\n"
            "X = OpTest(name='x', samples=None, reference=None)\n"
        )
    monkeypatch.setattr(support, "OPS_FOLDER", tmp_path)
    with pytest.raises(ValueError, match="two OpTests for x"):
        support.load_specs.__wrapped__()


def test_specs_are_found() -> None:
    specs = load_specs()
    assert len(specs) > 20
    assert importlib.util.find_spec("tests.ops._spec") is not None
