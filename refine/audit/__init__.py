"""Cheating and broken candidates, and the proof that the evaluation catches each of them."""
