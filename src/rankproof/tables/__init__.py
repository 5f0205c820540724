"""The nouns between the stages: frozen columns, checked when they are made."""
