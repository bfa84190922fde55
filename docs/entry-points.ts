// The reference in docs/entry-points.md, from the comments in the source: each function that users import, with its options
// and its result.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './table.js'

/** Files with the declarations of an entry, and the functions, classes and interfaces of its section, in order. */
interface Entry {
  files: readonly string[]
  names: readonly string[]
}

const ADAPTERS = 'src/entries/adapters'

const ENTRIES: Readonly<Record<string, Entry>> = {
  flagdouble: {
    files: [
      'src/engine/mock/mock.ts',
      'src/engine/mock/observe-flags.ts',
      'src/engine/scenarios/scenario.ts',
      'src/engine/errors/mock-errors.ts',
    ],
    names: ['createMock', 'defineScenario', 'observeFlags', 'MockError'],
  },
  'flagdouble/node': {
    files: [`${ADAPTERS}/node.ts`, `${ADAPTERS}/node/arguments.ts`],
    names: ['startServer', 'ServerOptions', 'RunningServer'],
  },
  'flagdouble/msw': {
    files: [`${ADAPTERS}/msw.ts`, `${ADAPTERS}/msw/unhandled.ts`],
    names: ['createHandlers', 'HandlerOptions', 'listenOptions', 'UnhandledOptions'],
  },
  'flagdouble/vitest': {
    files: ['vitest.ts', 'vitest/mock-tests.ts', 'vitest/run.ts', 'runners/matchers.ts'].map(
      (file) => `${ADAPTERS}/${file}`,
    ),
    names: ['test', 'MockFixtures', 'useMock', 'TestMockOptions', 'ReceivedRequest'],
  },
  'flagdouble/vitest/reporter': {
    files: [`${ADAPTERS}/vitest/reporter.ts`, 'src/entries/files/coverage-file.ts'],
    names: ['FlagCoverageReporter', 'FlagCoverageOptions'],
  },
  'flagdouble/jest': { files: [`${ADAPTERS}/jest.ts`], names: ['withFlagdouble'] },
  'flagdouble/jest/reporter': {
    files: [`${ADAPTERS}/jest/reporter.ts`],
    names: ['JestCoverageReporter'],
  },
  'flagdouble/playwright': {
    files: [`${ADAPTERS}/playwright.ts`],
    names: ['test', 'PlaywrightFixtures', 'TestMock', 'MockWorkerFixtures'],
  },
  'flagdouble/playwright/reporter': {
    files: [`${ADAPTERS}/playwright/reporter.ts`],
    names: ['PlaywrightCoverageReporter'],
  },
  'flagdouble/browser': {
    files: [`${ADAPTERS}/browser.ts`],
    names: ['startWorker', 'StartWorkerOptions', 'RunningWorker', 'mountPanel', 'MountedPanel'],
  },
  'flagdouble/vite': {
    files: [`${ADAPTERS}/vite.ts`, `${ADAPTERS}/vite/sources.ts`],
    names: ['flagdouble', 'PluginOptions'],
  },
  'flagdouble/workers': { files: [`${ADAPTERS}/workers.ts`], names: ['createWorker'] },
}

/** Further members of an interface, by the interface that it extends. */
const INHERITED: Readonly<Record<string, string>> = {
  MockOptions: '[the options of `createMock`](create-mock.md#options)',
  MockSession: '[the members of a mock](create-mock.md#members-of-a-mock)',
}

export function entryPoints(root: string): string {
  const sections = Object.entries(ENTRIES).map(([name, { files, names }]) => {
    const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    return [`## \`${name}\``, ...names.map((declared) => described(source, declared))].join('\n\n')
  })
  return sections.join('\n\n')
}

/** The description of a declaration. Throws if it, or a member of it, has no comment. */
function described(source: string, name: string): string {
  const declaration = new RegExp(`^export (?:default )?(?:async )?(function|interface|class|const) ${name}\\b.*$`, 'm')
  const found = declaration.exec(source)
  if (found === null) throw new Error(`No source exports ${name}.`)
  const [line, kind] = found
  const comment = commentBefore(source, found.index)
  if (kind === 'function' || kind === 'const') {
    if (comment === undefined) throw new Error(`${name} has no comment.`)
    return [`### \`${kind === 'const' ? name : signatureAt(source, found.index)}\``, comment].join('\n\n')
  }
  const [inherited] = Object.entries(INHERITED).flatMap(([parent, words]) => (line.includes(parent) ? [words] : []))
  const also = inherited === undefined ? [] : [`\`${name}\` also has ${inherited}.`]
  const title = kind === 'class' ? [`### \`${name}\``] : []
  const members = membersOf(source, name, found.index)
  return [...title, comment ?? [], ...also, members].flat().join('\n\n')
}

/** `startServer(given, options)` */
function signatureAt(source: string, index: number): string {
  const [, name, parameters = ''] =
    /function (\w+)(?:<.+?>)?\(([\s\S]*?)\)(?:: .*)? \{$/m.exec(source.slice(index)) ?? []
  const names = [...parameters.matchAll(/(?:^|,)\s*(\w+)\??:/g)].map(([, parameter]) => parameter)
  return `${name}(${names.join(', ')})`
}

/** The table of its members. The methods of a class aren't listed: test runners call them. */
function membersOf(source: string, name: string, index: number): string[] {
  const body = source.slice(source.indexOf('\n', index), source.indexOf('\n}', index))
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??(\(.*\))?: (.+)(?<! \{)$/gm)]
  const rows = members.map(({ 1: member = '', 2: parameters = '', 3: type = '', index: at }) => {
    const comment = commentBefore(body, at)
    if (comment === undefined) throw new Error(`${name}.${member} has no comment.`)
    return [`\`${member}${parameters && '()'}\``, `\`${type.replace(' | undefined', '')}\``, comment]
  })
  return rows.length === 0 ? [] : [table([`\`${name}\``, 'type', 'meaning'], rows)]
}

/** The comment that ends directly before a place, in one line and without its example. */
function commentBefore(source: string, index: number): string | undefined {
  const [, comment] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, index)) ?? []
  const lines = comment?.split(/@example/)[0]?.split('\n')
  return lines
    ?.map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .filter(Boolean)
    .join(' ')
}
