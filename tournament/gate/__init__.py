"""Before a view is reached: what a request passes, who signs in, what is answered without a session."""
