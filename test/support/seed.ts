import { configureGlobal } from 'fast-check'

// A run can be repeated: random cases are drawn from this seed. `.ci/matrix` sets another one each time, and says which.
configureGlobal({ seed: Number(process.env.FLAGDOUBLE_SEED ?? 1) })
