import { useMock } from 'flagdouble/vitest'
import { version } from 'msw/package.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { cloneFlag, listFlags, signIn, whoAmI } from './flags.js'

const mock = useMock()

it('clones a flag', async () => {
  await cloneFlag('checkout-redesign', 'copy')
  expect(await listFlags('default')).toContain('copy')
})

it('starts from a fresh world', async () => {
  expect(await listFlags('default')).not.toContain('copy')
})

it('tells which permission is missing', async () => {
  mock.useScenario('missing-permission')
  await expect(cloneFlag('checkout-redesign', 'copy')).rejects.toThrow('CREATE_FEATURE')
  expect(mock.requests.count({ operation: 'cloneFeature', status: 403 })).toBe(1)
})

it('fails twice, then works', async () => {
  mock.useScenario('flaky')
  await expect(cloneFlag('checkout-redesign', 'copy')).rejects.toThrow()
  await expect(cloneFlag('checkout-redesign', 'copy')).rejects.toThrow()
  await expect(cloneFlag('checkout-redesign', 'copy')).resolves.toMatchObject({ name: 'copy' })
})

// Where msw keeps cookies: in jsdom, and only msw 2 does; happy-dom takes them out of every response, Node keeps none.
const keepsCookies = 'document' in globalThis && !('happyDOM' in globalThis) && version.startsWith('2.')

it.runIf(keepsCookies)('signs in by a form, as its cookie tells from then on', async () => {
  await signIn('viewer', 'flagdouble')
  expect(await whoAmI()).toBe('Viewer')
})
