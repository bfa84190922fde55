import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN, FIXED } from '../support/adapters.js'
import { type AnyRequest, anyRead, anyWrite, MEETING } from '../support/any-request.js'
import { RUNS } from '../support/runs.js'

// A copied test and a copied command run on the machine of the user who pastes them, and anybody can have sent the request.

/** Texts that would be code, if they weren't quoted. */
const code = fc.constantFrom(
  ...[
    "a + (await import('node:fs'))",
    "'; touch x; '",
    '$(touch x)',
    '`touch x`',
    '$' + '{process}',
    '\\',
    "\\'",
    '*/',
    '//',
  ],
  ...[
    '[1-300]',
    '{a,b}',
    '\u001b[201~',
    '\u0085',
    '\n',
    '\r\n',
    '\u2028',
    '\ud800',
    '@/etc/passwd',
    '__proto__',
    'a b',
  ],
)

/** Half of a surrogate pair can't be sent. */
const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd')

/** A JSON value in which names and values are such texts. */
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    ...[code, fc.boolean(), fc.constant(null), fc.nat(9)],
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(code, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
const hostile: fc.Arbitrary<AnyRequest> = fc
  .record({
    method: fc.constantFrom('POST', 'PUT', "A'B", 'A`id`'),
    query: fc.array(fc.tuple(code, code), { maxLength: 2 }),
    body: fc.oneof(
      anyValue.map((value) => JSON.stringify(value)),
      code.map((text) => `text ${text}`),
    ),
  })
  .map(({ query, ...request }) => {
    const pairs = query.map((pair) => pair.map((text) => encodeURIComponent(wellFormed(text))).join('='))
    return {
      ...request,
      id: '',
      key: ADMIN,
      path: `/api/admin/projects/default/features?${pairs.join('&')}&p[x]=[1-3]`,
    }
  })
const anyRequest = fc.oneof(anyWrite, anyRead, hostile, hostile)

/** The newest request of a mock in a format; undefined if the journal lacks part of it. */
async function copied(mock: Mock, format: string): Promise<string | undefined> {
  const response = await mock.fetch(new Request(`http://localhost/__mock/requests?format=${format}`))
  return response.status === 200 ? response.text() : undefined
}

async function sent({ method, path, key, body }: AnyRequest): Promise<Mock> {
  const mock = createMock({ ...FIXED, fixtures: MEETING })
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: key }) },
    ...(body !== undefined && method !== 'GET' && { body }),
  })
  await mock.fetch(request)
  return mock
}

const bodyOf = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return text
  }
}

describe('a copied command', () => {
  /** The words of a command, as bash reads them. */
  const wordsOf = (command: string): string[] => {
    const text = execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
      cwd: '/',
      encoding: 'utf8',
    })
    return text.split('\0').slice(0, -1)
  }

  it('has the words of the request, and runs nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const mock = await sent(request)
        const command = await copied(mock, 'curl')
        if (command === undefined) return
        expect(command.replaceAll(' \\\n', '')).not.toMatch(/\p{Cc}/u)
        const [globoff, x, method, address, ...rest] = wordsOf(command)
        const [entry] = mock.requests.all()
        expect([globoff, x, method]).toEqual(['--globoff', '-X', request.method])
        expect(address).toBe(`http://localhost${entry?.path}`)
        const data = rest.indexOf('--data-raw')
        if (entry?.requestBody === null) expect(data).toBe(-1)
        else expect(bodyOf(rest[data + 1])).toEqual(bodyOf(wellFormed(request.body ?? '')))
      }),
      { numRuns: 20 * RUNS },
    )
  })
})

describe('a copied test', () => {
  interface Node {
    type: string
    [field: string]: unknown
  }
  const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
  function* nodesIn(node: Node): Generator<Node> {
    yield node
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child)
    }
  }

  /** The value of a literal, a list or an object in code. */
  function literalOf(node: Node): unknown {
    if (node.type === 'Literal') return node.value
    if (node.type === 'ArrayExpression') return (node.elements as Node[]).map(literalOf)
    if (node.type === 'ObjectExpression') {
      const entries = (node.properties as Node[]).map(({ key, computed, value }) => {
        const { name, value: literal } = key as Node
        expect(computed === true ? typeof literal : 'string').toBe('string')
        return [literal ?? name, literalOf(value as Node)]
      })
      return Object.fromEntries(entries)
    }
    throw new Error(`A ${node.type} is not a value.`)
  }

  /** All names that the code of a copied test uses, apart from those of properties in an object. */
  const NAMES =
    /^(createMock|expect|it|mock|clock|set|force|request|Request|response|fetch|status|toBe|json|toMatchObject|toEqual|anything|JSON|stringify|state)$/

  it('has the values of the request, and no other code', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const mock = await sent(request)
        const text = await copied(mock, 'vitest')
        if (text === undefined) return
        const { program, errors } = parseSync('copied.ts', text)
        expect([errors, text]).toEqual([[], text])
        const nodes = [...nodesIn(program as unknown as Node)]
        const keys = new Set(nodes.flatMap(({ type, key }) => (type === 'Property' ? [key] : [])))
        const names = nodes
          .filter((node) => node.type === 'Identifier' && !keys.has(node))
          .map(({ name }) => String(name))
        expect(names.filter((name) => !NAMES.test(name))).toEqual([])
        expect(nodes.filter(({ type }) => /Template|ImportExpression|^Function/.test(type))).toEqual([])
        const made = nodes.find(({ type, callee }) => type === 'NewExpression' && (callee as Node).name === 'Request')
        const [, init] = (made?.arguments ?? []) as Node[]
        const fields = (init?.properties ?? []) as Node[]
        const options = Object.fromEntries(fields.map(({ key, value }) => [(key as Node).name, value as Node]))
        expect(literalOf(options.method as Node)).toBe(request.method)
        const [entry] = mock.requests.all()
        const { body } = options
        if (entry?.requestBody === null) expect(body).toBeUndefined()
        else if (body?.type === 'CallExpression') {
          expect(literalOf((body.arguments as Node[])[0] as Node)).toEqual(entry?.requestBody)
        } else if (body?.type === 'Literal') expect(bodyOf(body.value as string)).toEqual(bodyOf(request.body))
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('prints a body of more than one line over several lines', async () => {
    const tags = Array.from({ length: 20 }, (_, i) => ({ type: 'simple', value: `tag-${i}` }))
    const mock = await sent({
      ...{ id: '', method: 'POST', path: '/api/admin/projects/default/features', key: ADMIN },
      body: JSON.stringify({ name: 'a', tags }),
    })
    const lines = (await copied(mock, 'vitest'))?.split('\n') ?? []
    expect(lines).toContain("        { type: 'simple', value: 'tag-0' },")
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(125)
  })
})
