import { expect, test } from '@jest/globals'
import { createMock } from 'flagdouble'

test('expect of @jest/globals has the matcher', async () => {
  const mock = createMock()
  await mock.fetch('/health')
  expect(mock).toHaveReceived('getHealth', 1)
})
