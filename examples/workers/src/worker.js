import { createWorker } from 'flagdouble/workers'
import fixtures from './fixtures.json'
import { cloningFails } from './scenarios.js'

const worker = createWorker({ fixtures, scenarios: [cloningFails] })

export const FlagdoubleSession = worker.FlagdoubleSession
export default worker.default
