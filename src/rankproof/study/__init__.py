"""The conductor: the verbs in order, from one file to a record that anybody can recompute."""
