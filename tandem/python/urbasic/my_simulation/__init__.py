# SPDX-License-Identifier: Apache-2.0
"""The simulator under the name of the original: `from my_simulation import ISCoinSim as ISCoin`."""
from tandem import ISCoinSim

__all__ = ["ISCoinSim"]
