import { test } from 'flagdouble/vitest'
import { cloneFlag, listFlags } from './flags.js'

// All of these run at the same time, and each sees only its own changes.
for (const copy of ['one', 'two', 'three', 'four']) {
  test.concurrent(`clones to ${copy}`, async ({ mock, expect }) => {
    await cloneFlag('checkout-redesign', copy)
    await expect(cloneFlag('checkout-redesign', copy)).rejects.toThrow('NameExistsError')
    expect((await listFlags('default')).filter((name) => /^(one|two|three|four)$/.test(name))).toEqual([copy])
    expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(2)
  })
}
