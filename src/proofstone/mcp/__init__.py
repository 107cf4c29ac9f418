"""The MCP server (spec page 8)."""
