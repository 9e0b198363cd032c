"""The screens, one a file: they turn keys and messages of widgets into requests, and show what comes of them."""
