# SPDX-License-Identifier: Apache-2.0
"""ISCoin where the original has it."""
from tandem import ISCoin

__all__ = ["ISCoin"]
