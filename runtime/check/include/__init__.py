"""Declarations of Metal's standard library, as headers that the checker's compiler reads."""
