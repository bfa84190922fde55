import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../src/doors/node.js'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = join(root, 'node_modules/.cache/flagdouble/readme')

/** The code blocks of a language, each with the heading that it stands under. */
function snippets(language: string): { heading: string; code: string }[] {
  const found: { heading: string; code: string }[] = []
  let heading = ''
  for (const [, title, lang, code = ''] of readme.matchAll(/^#+ (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title
    else if (lang === language) found.push({ heading, code })
  }
  return found
}

/** A snippet as a module that runs in a process of its own: our names lead to the sources, a failed assertion ends it. */
async function run(code: string, name: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  await build({
    stdin: { contents: code.replaceAll('console.assert(', 'assert('), resolveDir: root, loader: 'ts' },
    banner: { js: "import assert from 'node:assert/strict'" },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    alias: {
      flagdouble: join(root, 'src/index.ts'),
      'flagdouble/msw': join(root, 'src/doors/msw.ts'),
      'flagdouble/node': join(root, 'src/doors/node.ts'),
    },
    outfile,
  })
  return execFileSync(process.execPath, [outfile], { encoding: 'utf8', timeout: 10_000 })
}

beforeAll(() => mkdirSync(folder, { recursive: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the TypeScript of the README runs', () => {
  const own = snippets('ts').filter(({ code }) => !code.includes("from 'flagdouble/vitest'"))

  it('is there', () => expect(own.length).toBeGreaterThanOrEqual(3))

  it.each(own.map((snippet, i) => ({ ...snippet, i })))('$heading', async ({ code, i }) => {
    await run(code, `snippet-${i}`)
  })
})

describe('the curl commands of the README work', () => {
  const commands = snippets('sh')
    .flatMap(({ code }) => code.split('\n\n'))
    .filter((command) => command.startsWith('curl'))

  it('are there', () => expect(commands.length).toBeGreaterThanOrEqual(2))

  it('one after the other', async () => {
    await using server = await startServer({}, { port: 0 })
    for (const command of commands) {
      const answer = await shell(command.replaceAll('http://127.0.0.1:4242', server.url))
      expect(JSON.parse(answer)).toMatchObject({ name: 'checkout-redesign-2' })
    }
  })
})

function shell(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', `${command.trim()} --silent --fail-with-body`])
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve(output) : reject(new Error(`${command} → ${code}: ${output}`))))
  })
}
