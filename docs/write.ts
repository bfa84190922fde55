// `npm run docs` bundles and runs this file.
import { writePages } from './generate.js'

writePages('.')
