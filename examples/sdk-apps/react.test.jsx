// @vitest-environment jsdom

import { act, cleanup, render, screen } from '@testing-library/react'
import { FlagProvider, useFlag, useVariant } from '@unleash/proxy-client-react'
import { useMock } from 'flagdouble/vitest'
import { beforeEach, expect, test } from 'vitest'

const mock = useMock()

// The SDK stores flags for the next page, and so for the next test.
beforeEach(() => {
  cleanup()
  localStorage.clear()
})

const config = {
  url: 'http://flags.example.com/api/frontend',
  clientKey: '*:development.mock-frontend',
  appName: 'shop',
  refreshInterval: 1,
}

function Checkout() {
  const colour = useVariant('button-colour').name
  return <button type="button">{`${useFlag('new-checkout') ? 'New' : 'Old'} checkout, ${colour}`}</button>
}

const openShop = () =>
  render(
    <FlagProvider config={config}>
      <Checkout />
    </FlagProvider>,
  )

test('shows an enabled flag and a variant', async () => {
  mock.enable('new-checkout')
  mock.setVariant('button-colour', 'blue')
  openShop()
  await screen.findByText('New checkout, blue')
})

test('shows the change when a flag is disabled', async () => {
  mock.enable('new-checkout')
  openShop()
  await screen.findByText(/^New checkout/)
  mock.disable('new-checkout')
  await screen.findByText(/^Old checkout/, undefined, { timeout: 3000 })
})

test('the app receives its flags', async () => {
  openShop()
  await act(() => mock.requests.waitFor({ operation: 'getFrontendFeatures' }))
  expect(mock).toHaveReceived('getFrontendFeatures', { status: 200 })
})
