"""The words and rules of `coven.automations.v1`: shapes, states, codes and digests, without any I/O."""
