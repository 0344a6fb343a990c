"""The shared reader of MSL text: for the CPU machine, for NVRTC and for checks."""
