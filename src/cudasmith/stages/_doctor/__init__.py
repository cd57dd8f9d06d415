"""The checks of doctor: small functions from a Machine to a Condition. None imports torch."""
