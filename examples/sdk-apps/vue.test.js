// @vitest-environment jsdom

import { render, screen } from '@testing-library/vue'
import { FlagProvider, useFlag, useVariant } from '@unleash/proxy-client-vue'
import { useMock } from 'flagdouble/vitest'
import { beforeEach, test } from 'vitest'
import { h } from 'vue'

const mock = useMock()
beforeEach(() => localStorage.clear())

const config = {
  url: 'http://flags.example.com/api/frontend',
  clientKey: '*:development.mock-frontend',
  appName: 'shop',
}

const Checkout = {
  setup() {
    const isNew = useFlag('new-checkout')
    const colour = useVariant('button-colour')
    return () => h('button', `${isNew.value ? 'New' : 'Old'} checkout, ${colour.value.name}`)
  },
}

test('shows an enabled flag and a variant', async () => {
  mock.enable('new-checkout')
  mock.setVariant('button-colour', { name: 'blue', payload: { type: 'string', value: '#00f' } })
  render({ render: () => h(FlagProvider, { config }, () => h(Checkout)) })
  await screen.findByText('New checkout, blue')
})
