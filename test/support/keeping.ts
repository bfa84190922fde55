import { beforeAll } from 'vitest'
import { keeping } from '../../src/store/texts.js'

/**
 * Tests have few records, of which nothing would be kept from one request to the next. So all is kept here and, with
 * FLAGDOUBLE_KEEP=nothing, nothing: the answers are the same.
 */
beforeAll(() => {
  keeping.from = process.env.FLAGDOUBLE_KEEP === 'nothing' ? Number.POSITIVE_INFINITY : 0
})
