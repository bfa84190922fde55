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

it('names the missing permission', async () => {
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

// The environments in which msw stores cookies: jsdom, only with msw 2; happy-dom removes them from every response, Node
// stores none.
const keepsCookies = 'document' in globalThis && !('happyDOM' in globalThis) && version.startsWith('2.')

it.runIf(keepsCookies)('signs in by a form, and stays signed in by the cookie', async () => {
  await signIn('viewer', 'flagdouble')
  expect(await whoAmI()).toBe('Viewer')
})
