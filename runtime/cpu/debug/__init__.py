"""Debug information of built libraries: DWARF (versions 4 and 5) in ELF-64 files."""
