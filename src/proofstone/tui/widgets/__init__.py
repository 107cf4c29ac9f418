"""Widgets that know nothing of memories: lists, meters, inputs."""
