"""Runs MSL and CUDA texts on an NVIDIA GPU: compiled by NVRTC, launched through the driver."""
