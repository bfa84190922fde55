import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMock, type Mock, type PartialState } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'
import { ADMIN_USER, type AnyRequest, anyWrite, MEETING } from '../support/any-request.js'
import { AMPLE, RUNS } from '../support/runs.js'

const BATCH = '/api/admin/features-batch'
const FEATURE = '/api/admin/projects/default/features/new'

async function send(mock: Mock, method: string, path: string, body?: unknown, key = ADMIN_USER) {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await mock.fetch(new Request(`http://localhost${path}`, { method, headers, ...sent }))
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : undefined }
}

const importInto = (mock: Mock, environment: string, data: object) =>
  send(mock, 'POST', `${BATCH}/import`, { project: 'default', environment, data })

/** Data without the IDs that an import assigns anew. */
function withoutIds(data: object): object {
  const isId = (name: string, value: unknown) => name === 'id' && typeof value === 'string'
  return JSON.parse(JSON.stringify(data, (name, value) => (isId(name, value) ? undefined : value)))
}

interface Named {
  name: string
}

interface PlacedStrategy {
  featureName: string
  disabled: boolean
}

/** What an import can change. */
function changedIn(mock: Mock): object {
  const { features, tags, tagTypes, contextFields } = mock.state()
  return withoutIds({ features: features.filter(({ name }) => name === 'new'), tags, tagTypes, contextFields })
}

/** A text that some fields accept and others reject. */
const word = fc.constantFrom('', ' ', 'ab', ' ab ', 'a b', 'a:b', 'x'.repeat(51), 'x'.repeat(300), 'https://a.example/')

/** A part of an import, and the requests that make the same without an import. */
interface Part {
  data: object
  alone: readonly (readonly [method: string, path: string, body: unknown])[]
}

const tagOf = (type: string, value: string) => ({ featureName: 'new', tagType: type, tagValue: value })
const TAGS = '/api/admin/features/new/tags'

const parts: Readonly<Record<string, fc.Arbitrary<Part>>> = {
  'a tag': fc.record({ type: fc.constantFrom('simple', 'nope'), value: word }).map((tag) => ({
    data: { featureTags: [tagOf(tag.type, tag.value)] },
    alone: [['POST', TAGS, tag]],
  })),
  'a tag type': fc
    .record({ name: fc.oneof(word, fc.constant('squad')), color: fc.constantFrom('#12Ab9f', '#12ab9F', 'red', '') })
    .map((type) => ({
      data: { tagTypes: [type], featureTags: [tagOf(type.name, 'ab')] },
      alone: [
        ['POST', '/api/admin/tag-types', type],
        ['POST', TAGS, { type: type.name, value: 'ab' }],
      ],
    })),
  'a context field': fc
    .record({ name: word, description: word, legalValues: fc.array(fc.record({ value: word }), { maxLength: 2 }) })
    .map((field) => ({ data: { contextFields: [field] }, alone: [['POST', '/api/admin/context', field]] })),
  // As in Unleash, an import takes an empty title for none.
  'a link': fc.record({ url: word, title: fc.option(word.filter((text) => text !== '')) }).map((link) => ({
    data: { links: [{ feature: 'new', links: [link] }] },
    alone: [['POST', `${FEATURE}/link`, link]],
  })),
  'a strategy': fc
    .record({
      name: fc.constantFrom('default', 'flexibleRollout', 'homemade'),
      title: fc.option(word),
      disabled: fc.boolean(),
      segments: fc.constantFrom([], [1], [99]),
      constraints: fc.array(
        fc.record({
          contextName: fc.constantFrom('appName', 'userId', ''),
          operator: fc.constantFrom('IN', 'NUM_EQ', 'SEMVER_GT', 'REGEX'),
          values: fc.constantFrom([], ['shop'], ['']),
          value: fc.constantFrom('1', '1.2.3', '[', 'x'),
        }),
        { maxLength: 2 },
      ),
      parameters: fc.constantFrom({}, { rollout: '25' }),
      variants: fc.constantFrom([], [{ name: 'a', weight: 1, weightType: 'variable', stickiness: 'default' }]),
    })
    .map((strategy) => ({
      data: { featureStrategies: [{ ...strategy, featureName: 'new' }], segments: [{ id: 1, name: 'staff' }] },
      alone: [['POST', `${FEATURE}/environments/development/strategies`, strategy]],
    })),
  variants: fc
    .array(
      fc.record({
        name: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c') }, fc.constantFrom('a b', '')),
        weight: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(0, 400, 700) }, fc.constant(1001)),
        weightType: fc.constantFrom('fix', 'variable'),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((variants) => ({
      data: { featureEnvironments: [{ name: 'new', featureName: 'new', enabled: false, variants }] },
      alone: [['PUT', `${FEATURE}/variants-batch`, { environments: ['development'], variants }]],
    })),
  settings: fc
    .record({ type: fc.constantFrom('release', 'experiment'), description: word, impressionData: fc.boolean() })
    .map((settings) => ({
      data: { features: [{ name: 'new', project: 'default', ...settings }] },
      alone: [['PUT', FEATURE, settings]],
    })),
  'a parent': fc
    .record({ feature: fc.constantFrom('new', 'legacy-export', 'dark-mode', 'archived-banner', 'nope') })
    .map((parent) => ({
      data: { dependencies: [{ feature: 'new', dependencies: [parent] }] },
      alone: [['POST', `${FEATURE}/dependencies`, parent]],
    })),
}

describe.each(['documented', 'unleash-8'] as const)('in the profile %s', (profile) => {
  const open = (more: PartialState = {}) => createMock({ ...FIXED, profile, fixtures: [MEETING, more] })

  it.each(Object.entries(parts))('an import with %s does what a request for it does', async (_, part) => {
    let accepted = 0
    const compare = async ({ data, alone }: Part) => {
      // An import replaces the tags and the strategies of its features.
      const earlier = {
        tags: [{ type: 'simple', value: 'earlier' }],
        environments: { development: { strategies: [{ name: 'default' }] } },
      }
      const one = open({ features: [{ name: 'new', ...earlier }] })
      const other = open({ features: [{ name: 'new' }] })
      const before = one.state()
      const features = [{ name: 'new', project: 'default' }]
      const whole = { features, featureStrategies: [], tagTypes: [], ...data }
      const { status, body } = await importInto(one, 'development', whole)
      const answers: number[] = []
      for (const request of alone) answers.push((await send(other, ...request)).status)
      expect(status < 300, JSON.stringify({ status, body, answers })).toBe(answers.every((each) => each < 300))
      if (status < 300) accepted++
      if (status < 300) expect(changedIn(one)).toEqual(changedIn(other))
      else expect(one.state()).toEqual(before)
    }
    await fc.assert(fc.asyncProperty(part, compare), { numRuns: 16 * RUNS })
    expect(accepted).toBeGreaterThan(0)
  })

  it('an import of an export makes the same features in an instance without them', { timeout: AMPLE }, async () => {
    let compared = 0
    const exportOf = async (mock: Mock, environment: string) => {
      const { status, body } = await send(mock, 'POST', `${BATCH}/export`, { environment, project: 'default' })
      // The requests can take the admin's token or the project away.
      fc.pre(status === 200)
      return body
    }
    const compare = async (requests: readonly AnyRequest[], environment: string) => {
      const mock = open()
      for (const { method, path, key, body } of requests) await send(mock, method, path, body, key)
      const first = await exportOf(mock, environment)
      const stored = first.features.flatMap(
        ({ name }: Named) =>
          mock.features.get(name)?.environments.find((place) => place.name === environment)?.strategies ?? [],
      )
      expect(first.featureStrategies.length).toBeGreaterThanOrEqual(stored.length)
      // An import gives an enabled feature without active strategies one.
      const isActive = new Set(first.featureStrategies.map((one: PlacedStrategy) => !one.disabled && one.featureName))
      fc.pre(
        !first.featureEnvironments.some(
          ({ name, enabled }: Named & { enabled: boolean }) => enabled && !isActive.has(name),
        ),
      )
      const copy = createMock({ ...FIXED, profile })
      copy.restore({ ...mock.state(), features: [], favorites: [] })
      expect(await importInto(copy, environment, first)).toMatchObject({ status: 200 })
      expect(withoutIds(await exportOf(copy, environment))).toEqual(withoutIds(first))
      compared++
    }
    const environments = fc.constantFrom('development', 'production')
    await fc.assert(fc.asyncProperty(fc.array(anyWrite, { maxLength: 15 }), environments, compare), {
      numRuns: 24 * RUNS,
    })
    expect(compared).toBeGreaterThan(5)
  })
})
