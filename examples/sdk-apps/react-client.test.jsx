// @vitest-environment jsdom

import { act, cleanup, render, screen } from '@testing-library/react'
import { FlagProvider, useFlag } from '@unleash/proxy-client-react'
import { useMock } from 'flagdouble/vitest'
import { afterEach, expect, test } from 'vitest'

const mock = useMock()
afterEach(cleanup)

function Checkout() {
  return <button type="button">{useFlag('new-checkout') ? 'New checkout' : 'Old checkout'}</button>
}

test('shows the flag at once, and each change of it', () => {
  render(
    <FlagProvider unleashClient={mock.client({ userId: '7' })}>
      <Checkout />
    </FlagProvider>,
  )
  screen.getByText('Old checkout')
  act(() => mock.enable('new-checkout'))
  screen.getByText('New checkout')
  expect(mock.requests.all()).toEqual([])
})
