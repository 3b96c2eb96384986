"""Train a two-layer network on scikit-learn's handwritten digits (1,797 images of 8 x 8 pixels).

Every fifth image is held out. Prints the test accuracy for three seeds and their mean, and draws
the loss curves to out/digits_loss.png. Run it with `make demo`.
"""

from pathlib import Path

import matplotlib
from sklearn.datasets import load_digits
from tqdm import trange

import lucid
from lucid import nn
from lucid.nn import functional as F

matplotlib.use("Agg")  # a file, not a window
from matplotlib import pyplot as plt

SEEDS = (0, 1, 2)
STEPS = 600
BATCH = 64
HIDDEN = 64
GOAL = 0.95


def load() -> tuple[lucid.Tensor, lucid.Tensor, lucid.Tensor, lucid.Tensor]:
    """Returns train images (1437, 64), train labels, test images (360, 64), test labels."""
    digits = load_digits()
    images = lucid.from_numpy(digits.data).to(lucid.float32) / 16.0
    labels = lucid.from_numpy(digits.target).to(lucid.int64)
    held_out = [i for i in range(len(images)) if i % 5 == 0]
    kept = [i for i in range(len(images)) if i % 5 != 0]
    return images[kept], labels[kept], images[held_out], labels[held_out]


def accuracy(model: nn.Module, images: lucid.Tensor, labels: lucid.Tensor) -> float:
    with lucid.no_grad():
        return (model(images).argmax(1) == labels).to(lucid.float32).mean().item()


def train(seed: int, data: tuple[lucid.Tensor, ...]) -> tuple[float, list[float]]:
    """Returns the test accuracy and the loss of each step."""
    train_images, train_labels, test_images, test_labels = data
    lucid.manual_seed(seed)
    model = nn.Sequential(nn.Linear(64, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 10))
    optimizer = lucid.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    with trange(STEPS, desc=f"seed {seed}", unit="step") as bar:
        for step in bar:
            batch = lucid.randint(0, len(train_images), (BATCH,))
            loss = F.cross_entropy(model(train_images[batch]), train_labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            if step % 50 == 49:
                bar.set_postfix(loss=f"{sum(losses[-50:]) / 50:.4f}")
    return accuracy(model, test_images, test_labels), losses


def draw(curves: dict[int, list[float]], path: Path) -> None:
    figure, axes = plt.subplots(figsize=(7, 4))
    for seed, losses in curves.items():
        axes.plot(losses, linewidth=0.8, label=f"seed {seed}")
    axes.set(xlabel="step", ylabel="cross entropy", yscale="log", title="Digits: training loss")
    axes.legend()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")


def main() -> None:
    data = load()
    scores, curves = [], {}
    for seed in SEEDS:
        score, curves[seed] = train(seed, data)
        scores.append(score)
        print(f"seed {seed}: test accuracy {score:.4f}")
    mean = sum(scores) / len(scores)
    print(f"mean of {len(SEEDS)} seeds: test accuracy {mean:.4f} (goal {GOAL})")
    path = Path("out") / "digits_loss.png"
    draw(curves, path)
    print(f"loss curves: {path}")
    if mean < GOAL:
        raise SystemExit(f"the accuracy is below {GOAL}")


if __name__ == "__main__":
    main()
