mod empty {}
