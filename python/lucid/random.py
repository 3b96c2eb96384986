"""Seeds and the state of the default generator."""

from lucid._C import engine as _c

default_generator = _c._default_generator()


def manual_seed(seed):
    """Seeds the default generator; returns it."""
    return default_generator.manual_seed(seed)


def seed():
    """Seeds the default generator from the operating system; returns the seed."""
    import os

    value = int.from_bytes(os.urandom(8), "little")
    default_generator.manual_seed(value)
    return value


def initial_seed():
    """The seed in force."""
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the default generator: (seed, offset)."""
    return default_generator.get_state()


def set_rng_state(state):
    """Puts a state of get_rng_state() back."""
    default_generator.set_state(tuple(state))
