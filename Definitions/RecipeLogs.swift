// The documents in this folder are the code of this target: the build plugin makes Swift of them on every build.
