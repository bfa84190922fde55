import { suite } from './suite.js'

suite()
