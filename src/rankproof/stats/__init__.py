"""Statistics of paired differences: plain arrays in, plain results out."""
