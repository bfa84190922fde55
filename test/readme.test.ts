import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { CLIENT, FRONTEND } from './support/adapters.js'
import { runCli, scratchFolder } from './support/cli.js'
import { root, snippetsOf } from './support/markdown.js'
import { type App, startDev } from './support/vite.js'

const [addresses = '', console = ''] = ['text', 'console'].map(
  (language) => snippetsOf('README.md').find((snippet) => snippet.language === language)?.code,
)

/** The flags, with their variants, that an SDK gets in a page that a browser opened at the address. */
async function flagsAt({ url }: App, address: string): Promise<Record<string, string>> {
  const { pathname, search } = new URL(address)
  const page = await fetch(url + pathname + search, { headers: { accept: 'text/html' } })
  const cookie = page.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const headers = { cookie: cookie.join('; '), authorization: FRONTEND }
  const { toggles } = (await (await fetch(`${url}/api/frontend`, { headers })).json()) as {
    toggles: { name: string; variant: { name: string } }[]
  }
  return Object.fromEntries(toggles.map(({ name, variant }) => [name, variant.name]))
}

it('the addresses at the top of the README tell SDKs the states in them', async () => {
  vi.stubEnv('VITEST', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const app = await startDev()
  const [off = '', variant = '', slow = '', ...others] = addresses.match(/http:\S+/g) ?? []
  expect(others).toEqual([])
  expect(await flagsAt(app, off)).not.toHaveProperty('checkout-redesign')
  expect(await flagsAt(app, off.replace(':off', ':on'))).toHaveProperty('checkout-redesign')
  expect(await flagsAt(app, off.replace(':off', ':gone'))).not.toHaveProperty('checkout-redesign')
  expect(await flagsAt(app, variant)).toMatchObject({ 'push-opt-in': 'at-start' })
  expect(await flagsAt(app, slow)).toHaveProperty('checkout-redesign')
})

it('the command at the top of the README prints the lines below it', async () => {
  const [command = '', ...lines] = console.trim().split('\n')
  const [, options = ''] = /^\$ npx flagdouble exec (.*) -- npm run e2e$/.exec(command) ?? []
  const file = join(scratchFolder().path, 'flags.json')
  const features = ['banner', 'new-checkout', 'legacy-export'].map((name) => ({ name, enabled: true }))
  writeFileSync(file, JSON.stringify({ features }))
  const toggles = { banner: { yes: 1, no: 1 }, 'new-checkout': { yes: 2, no: 0 }, baner: { yes: 0, no: 3 } }
  const suite = `
    const headers = { authorization: '${CLIENT}', 'content-type': 'application/json' }
    const send = (path, init) => fetch(process.env.FLAGDOUBLE_URL + path, { headers, ...init })
    await send('/api/client/features')
    await send('/api/client/features?scenario=banner:off')
    const bucket = { start: new Date(), stop: new Date(), toggles: ${JSON.stringify(toggles)} }
    await send('/api/client/metrics', { method: 'POST', body: JSON.stringify({ appName: 'a', instanceId: 'i', bucket }) })`
  const npmRunE2e = [process.execPath, '--input-type=module', '-e', suite]
  const run = runCli(['exec', '--fixtures', file, ...options.split(' '), '--', ...npmRunE2e])
  expect(await run.done).toBe(1)
  const printed = run.stdout().replaceAll(/ +/g, ' ')
  expect(lines).toHaveLength(4)
  for (const part of lines.flatMap((line) => line.replaceAll(/ +/g, ' ').split(' … '))) expect(printed).toContain(part)
})

it('the README has at most 700 words', () => {
  const words = readFileSync(join(root, 'README.md'), 'utf8').match(/\S+/g) ?? []
  expect(words.length).toBeLessThanOrEqual(700)
})
