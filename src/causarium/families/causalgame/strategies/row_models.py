"""Regressions on single flights, with a prior on every coefficient."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS = 12


def fit_logistic(
    x: Floats, came_back: Floats, variance: Floats, weights: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return the most likely coefficients of a logistic regression, and their covariance.

    Args:
        x: A row a flight.
        came_back: 1 or 0 a flight.
        variance: The prior variance of each coefficient.
        weights: How much each row counts; None: all alike.
    """
    counts = np.ones(len(x)) if weights is None else weights
    precision = np.diag(1 / variance)
    beta: Floats = np.zeros(x.shape[1])
    curve = precision
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        curve = _weigh(x, counts * p * (1 - p)) + precision
        step = np.linalg.solve(curve, x.T @ (counts * (came_back - p)) - precision @ beta)
        beta = beta + step
        if np.abs(step).max() < 1e-6:
            break
    covariance: Floats = np.asarray(np.linalg.inv(curve), dtype=np.float64)
    return beta, covariance


def fit_poisson(
    x: Floats,
    counts: Floats,
    offset: Floats,
    variance: Floats,
    weights: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Return the most likely coefficients of a Poisson regression, and their covariance.

    Args:
        x: A row a cell.
        counts: How many came back in each cell.
        offset: The logarithm of how many were sent there, as far as anybody knows.
        variance: The prior variance of each coefficient.
        weights: How much each row counts; None: all alike.
    """
    shares = np.ones(len(x)) if weights is None else weights
    precision = np.diag(1 / variance)
    beta: Floats = np.zeros(x.shape[1])
    beta[0] = np.log(max(0.05, (shares * counts).sum() / (shares * np.exp(offset)).sum()))
    curve = precision
    for _ in range(_STEPS):
        mean = np.exp(np.clip(x @ beta + offset, -30, 10))
        curve = _weigh(x, shares * mean) + precision
        step = np.linalg.solve(curve, x.T @ (shares * (counts - mean)) - precision @ beta)
        beta = beta + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-6:
            break
    covariance: Floats = np.asarray(np.linalg.inv(curve), dtype=np.float64)
    return beta, covariance


def _weigh(x: Floats, weights: Floats) -> Floats:
    # Not by `@`: for matrices of this size its threads cost ten times the work.
    found: Floats = np.einsum("ij,ik->jk", x * weights[:, None], x)
    return found
