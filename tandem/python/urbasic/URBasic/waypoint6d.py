# SPDX-License-Identifier: Apache-2.0
"""Joint positions, tool poses and way-points where the original has them."""
from tandem import TCP6D, Joint6D, Joint6DDescriptor, TCP6DDescriptor

__all__ = ["Joint6D", "Joint6DDescriptor", "TCP6D", "TCP6DDescriptor"]
