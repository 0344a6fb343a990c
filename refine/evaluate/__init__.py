"""Whether a candidate is correct, and how fast it is where there is a device to time it on."""
