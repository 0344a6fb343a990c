"""Who proposes candidates: a model behind an API, any program, or the built-in rules."""
