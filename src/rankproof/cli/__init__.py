"""The command line: a command for each verb. It uses only the public names."""
