import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { ADMIN } from '../support/adapters.js'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { pages, root, type Snippet, snippetsOf } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
  consumer.put('e2e.js', "process.exit((await fetch(process.env.FLAGDOUBLE_URL + '/health')).ok ? 0 : 1)")
  consumer.put('path/to/unleash-server/frontend/build/index.html', '<!doctype html>')
}, 30_000)
afterAll(() => consumer.remove())

const withCommands = pages.filter((page) => snippetsOf(page).some(({ language }) => language === 'sh'))

it.each(withCommands)('the commands of %s work in their order', { timeout: 60_000 }, async (page) => {
  const snippets = snippetsOf(page)
  for (const { language, file, code } of snippets) {
    if (language === 'json' && file !== undefined) consumer.put(file, code)
  }
  const fixtures = { features: [{ name: 'acme-new-nav' }] }
  await using server = await startServer({ fixtures }, { port: 0 })
  await using service = await startServer({ profile: 'unleash-8', fixtures }, { port: 0 })
  await cloneAsAnApp(server.url)
  const shell = { url: server.url, serviceUrl: service.url, folder: '.' }
  for (const command of snippets.flatMap(commandsOf)) await check(command, shell)
})

/** The request of an app, for the pages' commands. */
async function cloneAsAnApp(url: string): Promise<void> {
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: '{"name":"of-an-app"}' })
  expect(response.status).toBe(200)
}

/** The commands of a snippet: without comments, and split at `&&`. CI runs those of pipelines (.ci/consumers/jobs.mjs). */
function commandsOf({ language, code }: Snippet): string[] {
  if (language !== 'sh') return []
  const lines = code.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(' && '))
    .map((command) => command.trim())
    .filter((command) => command !== '')
}

/** The pages' example URLs for a reader's own instance, and for the mock. */
const OWN_SERVICE = 'https://flags.example.com'
const OWN_MOCK = 'http://127.0.0.1:4242'

/** The environment of commands: a mock, another in place of an instance, and the current folder in the repository. */
interface Shell {
  url: string
  serviceUrl: string
  folder: string
}

/** Runs a command, or checks as much of it as possible here. Throws for an unknown command. */
async function check(command: string, shell: Shell): Promise<void> {
  const [program = '', ...args] = command.split(/\s+/)
  const has = (file: string) => expect(existsSync(join(root, shell.folder, file)), command).toBe(true)
  if (program === 'curl') await ask(command, shell)
  else if (program === 'npx' && args[0] === 'flagdouble') {
    const given = args.slice(1)
    const here = given.map((arg) => (arg === OWN_SERVICE ? shell.serviceUrl : arg === OWN_MOCK ? shell.url : arg))
    await flagdouble(here)
  } else if (program === 'npx' && args[0] === 'wrangler')
    expect(existsSync(join(root, 'examples/workers/wrangler.jsonc'))).toBe(true)
  else if (program === 'npx') expect(existsSync(join(root, 'node_modules/.bin', args[0] ?? '')), command).toBe(true)
  else if (program === 'npm') checkNpm(args, shell)
  else if (program === 'cd') {
    shell.folder = args[0] ?? ''
    has('package.json')
  } else if (program === 'bunx' || program === 'deno') {
    // CI runs them.
    expect(readFileSync(join(root, '.ci/matrix'), 'utf8')).toContain(`/.bin/${program}" ${args.join(' ')}`)
  } else if (program === 'docker') has('Dockerfile')
  else if (program === '.ci/run' || program === '.ci/pairs' || program === '.ci/matrix') has(program)
  else throw new Error(`There is no check for the command "${command}".`)
}

/** Sends a request to the running server. Only a command that names a scenario can fail: it demonstrates the error. */
async function ask(command: string, { url }: Shell): Promise<void> {
  const mayFail = command.includes('scenario=') ? '' : '--fail-with-body'
  const sent = `${command.replaceAll('http://127.0.0.1:4242', url)} --silent --show-error ${mayFail}`
  const { stdout } = await promisify(execFile)('bash', ['-c', sent], { cwd: consumer.path })
  expect(stdout, command).not.toContain('MockError')
}

/** Runs flagdouble: to its end, or, as a server, until it is ready. */
async function flagdouble(args: string[]): Promise<void> {
  const cli = join(consumer.path, 'node_modules/flagdouble/dist/cli.js')
  const serves = !args.includes('--help') && (args.length === 0 || args[0]?.startsWith('-'))
  if (!serves) return void (await consumer.node(cli, ...args))
  const { child } = await consumer.start(/is ready|"url":/, cli, ...args)
  child.kill()
  expect(await once(child, 'exit')).toEqual([0, null])
}

function checkNpm([verb = '', ...args]: string[], { folder }: Shell): void {
  const jest = JSON.parse(readFileSync(join(root, 'examples/jest-commonjs/package.json'), 'utf8')).devDependencies
  const { scripts, peerDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  )
  const name = verb === 'run' ? args[0] : verb
  const given = args.filter((arg) => !arg.startsWith('-'))
  const packages = given.map((arg) => (arg.endsWith('/flagdouble.tgz') ? 'flagdouble' : arg.replace(/@\d+$/, '')))
  if (name === 'install')
    expect([...Object.keys({ ...peerDependencies, ...devDependencies, ...jest }), 'flagdouble']).toEqual(
      expect.arrayContaining(packages),
    )
  else expect(Object.keys(scripts)).toContain(name)
}
