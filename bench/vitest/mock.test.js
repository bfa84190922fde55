import { useMock } from '../../dist/vitest.js'
import { thousandTests } from './calls.js'

useMock()
thousandTests()
