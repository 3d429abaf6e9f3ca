"""Policies, one idea a file. Each benchmark's adapter names those that fit it."""
