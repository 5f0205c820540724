"""Runs that are in memory already: dicts and columns of whole numbers become hits without a table of all docs."""
