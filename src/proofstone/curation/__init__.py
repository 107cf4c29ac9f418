"""The use cases that the screen, the command line and MCP all call. One way to do each thing."""
