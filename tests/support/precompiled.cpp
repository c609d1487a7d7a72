// The precompiled header of the tests needs a target with a source.
