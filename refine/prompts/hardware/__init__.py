"""What prompts say of each kind of hardware."""
