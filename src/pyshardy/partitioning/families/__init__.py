"""The localizers of all operations, by family. Importing a module registers its localizers."""
