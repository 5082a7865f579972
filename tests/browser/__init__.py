"""Real Chromium plays whole games through the visible controls."""
