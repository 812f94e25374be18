"""Before a view is reached: what a request passes, signing in, and answers without a session."""
