"""The house in the browser of a device, without a server."""
