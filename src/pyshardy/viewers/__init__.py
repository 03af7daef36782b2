"""Plans in the formats of other tools' viewers, one package for each."""
