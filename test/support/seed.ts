import { configureGlobal } from 'fast-check'

// Repeats a run: the seed of random cases. `.ci/matrix` sets another seed each time, and prints it.
configureGlobal({ seed: Number(process.env.FLAGDOUBLE_SEED ?? 1) })
