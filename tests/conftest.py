"""Every test starts from the same state; the test of the contract runs first."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: item.path.name != "test_contract.py"
    )  # stable: the others keep their order


@pytest.fixture(autouse=True)
def fresh_state():
    """Seed 0 at the start; modes that a failed test left on are put back."""
    import lucid

    lucid.manual_seed(0)
    threads = lucid.get_num_threads()
    yield
    lucid.engine._set_always_delay(False)
    lucid.set_num_threads(threads)
    lucid.set_default_dtype(lucid.float32)
    lucid.set_grad_enabled(True)
