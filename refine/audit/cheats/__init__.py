"""One cheating or broken candidate per file; its first lines say what it does and what the verdict must be."""
