import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../../src/doors/node.js'
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
  await using server = await startServer({}, { port: 0 })
  const shell = { url: server.url, folder: '.' }
  for (const command of snippets.flatMap(commandsOf)) await check(command, shell)
})

/** The lines of a snippet without its comments, and what `&&` joins by itself. */
function commandsOf({ language, code }: Snippet): string[] {
  if (language !== 'sh') return []
  const lines = code.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(' && '))
    .map((command) => command.trim())
    .filter((command) => command !== '')
}

/** Where commands are typed: a running server, and the folder of the repository. */
interface Shell {
  url: string
  folder: string
}

/** Does what a command does, or tests as much of it as can be done here. A command that nobody knows is an error. */
async function check(command: string, shell: Shell): Promise<void> {
  const [program = '', ...args] = command.split(/\s+/)
  const has = (file: string) => expect(existsSync(join(root, shell.folder, file)), command).toBe(true)
  if (program === 'curl') await ask(command, shell)
  else if (program === 'npx' && args[0] === 'flagdouble') await flagdouble(args.slice(1))
  else if (program === 'npx') expect(existsSync(join(root, 'node_modules/.bin', args[0] ?? '')), command).toBe(true)
  else if (program === 'npm') checkNpm(args, shell)
  else if (program === 'cd') {
    shell.folder = args[0] ?? ''
    has('package.json')
  } else if (program === 'docker') has('Dockerfile')
  else if (program === '.ci/run') has(program)
  else throw new Error(`Nobody tests the command "${command}".`)
}

/** Asks the running server. Refused may only be what names a scenario: it shows how that is. */
async function ask(command: string, { url }: Shell): Promise<void> {
  const mayFail = command.includes('scenario=') ? '' : '--fail-with-body'
  const sent = `${command.replaceAll('http://127.0.0.1:4242', url)} --silent --show-error ${mayFail}`
  const { stdout } = await promisify(execFile)('bash', ['-c', sent], { cwd: consumer.path })
  expect(stdout, command).not.toContain('MockError')
}

/** Runs the command line: to its end, or, where it serves, until it is ready. */
async function flagdouble(args: string[]): Promise<void> {
  const cli = join(consumer.path, 'node_modules/flagdouble/dist/cli.js')
  const serves = !args.includes('--help') && (args.length === 0 || args[0]?.startsWith('-'))
  if (!serves) return void (await consumer.node(cli, ...args))
  const { child } = await consumer.start(/is ready|"url":/, cli, ...args)
  child.kill()
  expect(await once(child, 'exit')).toEqual([0, null])
}

function checkNpm([verb = '', ...args]: string[], { folder }: Shell): void {
  const { scripts, peerDependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const name = verb === 'run' ? args[0] : verb
  const packages = args.filter((arg) => !arg.startsWith('-'))
  if (name === 'install')
    expect([...Object.keys(peerDependencies ?? {}), 'flagdouble']).toEqual(expect.arrayContaining(packages))
  else expect(Object.keys(scripts)).toContain(name)
}
