"""Find out, with proof, which system ranks better."""
