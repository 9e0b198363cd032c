"""Tests of models, screens, widgets and commands."""
