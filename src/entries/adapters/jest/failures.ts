import { followTests } from './follow-tests.js'

// Jest runs this file once for each test file, in its environment.
followTests(Reflect.get(globalThis, Symbol.for('EVENT_HANDLERS')), Reflect.get(globalThis, 'expect'))
