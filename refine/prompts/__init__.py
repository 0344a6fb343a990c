"""Prompts as jinja templates; refine/propose/prompts.py fills them in."""
