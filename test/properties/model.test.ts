import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN, FIXED, NOW } from '../support/adapters.js'
import { RUNS } from '../support/runs.js'

/** A minimal model of the mock's data. */
interface Model {
  now: number
  features: Map<string, { project: string; archived: boolean; groupIds: (string | undefined)[] }>
  token: { enabled: boolean; expiresAt: number; users: number }
  events: number
}

type Command = fc.AsyncCommand<Model, Mock>

const projects = ['default', 'mobile-app', 'nowhere'] as const
const names = ['checkout-redesign', 'legacy-export', 'push-opt-in', 'a', 'b', '__proto__', 'not valid'] as const
const START = Date.parse(NOW)
const DAY = 86_400_000

async function send(mock: Mock, method: string, path: string, body?: unknown) {
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await mock.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const isValid = (name: string) => !name.includes(' ')
const usable = ({ token, now }: Model) => token.enabled && token.expiresAt > now

/** Checks after each command that all reads match the model. */
async function agree(model: Model, mock: Mock): Promise<void> {
  for (const project of projects) {
    const { body } = await send(mock, 'GET', `/api/admin/projects/${project}/features`)
    const expected = [...model.features].filter(([, f]) => f.project === project && !f.archived)
    expect(body.features.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      expected.map(([name]) => name).toSorted(),
    )
  }
  for (const [name, { project, archived, groupIds }] of model.features) {
    const feature = mock.features.get(name)
    expect(feature).toMatchObject({ project, archived })
    expect(feature?.environments.flatMap(({ strategies }) => strategies.map((s) => s.parameters.groupId))).toEqual(
      groupIds,
    )
  }
  const { body: token } = await send(mock, 'GET', '/api/admin/invite-link/tokens/live-invite')
  expect(token).toMatchObject({
    enabled: usable(model),
    expiresAt: new Date(model.token.expiresAt).toISOString(),
    users: { length: model.token.users },
  })
  expect(mock.events.list()).toHaveLength(model.events)
}

function command(
  label: string,
  run: (model: Model, mock: Mock) => Promise<{ status: number; expected: number }>,
): Command {
  return {
    check: () => true,
    async run(model, mock) {
      const { status, expected } = await run(model, mock)
      expect(status).toBe(expected)
      await agree(model, mock)
    },
    toString: () => label,
  }
}

const clone = fc
  .record({
    project: fc.constantFrom(...projects),
    source: fc.constantFrom(...names),
    name: fc.constantFrom(...names),
    replaceGroupId: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ project, source, name, replaceGroupId }) =>
    command(`clone ${source} to ${name} in ${project} (${replaceGroupId})`, async (model, mock) => {
      const path = `/api/admin/projects/${project}/features/${encodeURIComponent(source)}/clone`
      const { status } = await send(mock, 'POST', path, { name, replaceGroupId })
      const original = model.features.get(source)
      if (!isValid(name)) return { status, expected: 400 }
      if (project === 'nowhere' || original === undefined || original.archived) return { status, expected: 404 }
      if (model.features.has(name)) return { status, expected: 409 }
      const groupIds = original.groupIds.map((id) => (id !== undefined && replaceGroupId !== false ? name : id))
      model.features.set(name, { project, archived: false, groupIds })
      model.events += 1 + groupIds.length
      return { status, expected: 200 }
    }),
  )

const create = fc.tuple(fc.constantFrom(...projects), fc.constantFrom(...names)).map(([project, name]) =>
  command(`create ${name} in ${project}`, async (model, mock) => {
    const { status } = await send(mock, 'POST', `/api/admin/projects/${project}/features`, { name })
    if (!isValid(name)) return { status, expected: 400 }
    if (model.features.has(name)) return { status, expected: 409 }
    if (project === 'nowhere') return { status, expected: 404 }
    model.features.set(name, { project, archived: false, groupIds: [] })
    model.events++
    return { status, expected: 201 }
  }),
)

const archive = fc.tuple(fc.constantFrom(...projects), fc.constantFrom(...names)).map(([project, name]) =>
  command(`archive ${name} in ${project}`, async (model, mock) => {
    const path = `/api/admin/projects/${project}/features/${encodeURIComponent(name)}`
    const { status } = await send(mock, 'DELETE', path)
    const feature = model.features.get(name)
    // An archived feature can be archived again.
    if (feature?.project !== project) return { status, expected: 404 }
    feature.archived = true
    model.events++
    return { status, expected: 202 }
  }),
)

// Few days, so that the clock is often at exactly an expiry.
const days = fc.constantFrom(-1, 0, 1, 30)

const update = fc.record({ enabled: fc.boolean(), days }, { requiredKeys: [] }).map(({ enabled, days: after }) =>
  command(`update the token: ${enabled}, ${after} days`, async (model, mock) => {
    const expiresAt = after === undefined ? undefined : START + after * DAY
    const { status } = await send(mock, 'PUT', '/api/admin/invite-link/tokens/live-invite', {
      enabled,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    })
    if (enabled === undefined && expiresAt === undefined) return { status, expected: 400 }
    model.token.enabled = enabled ?? model.token.enabled
    model.token.expiresAt = expiresAt ?? model.token.expiresAt
    model.events++
    return { status, expected: 200 }
  }),
)

const signUp = fc.constantFrom('ada', 'bob', 'carl').map((username) =>
  command(`sign up ${username}`, async (model, mock) => {
    const isTaken = mock.users.list().some((user) => user.username === username)
    const { status } = await send(mock, 'POST', '/invite/live-invite/signup', {
      name: username,
      username,
      email: `${username}@example.com`,
      password: '',
    })
    if (!usable(model) || isTaken) return { status, expected: 400 }
    model.token.users++
    model.events += 2
    return { status, expected: 201 }
  }),
)

const setClock = fc.tuple(days, fc.constantFrom(-1, 0, 1)).map(([after, ms]) =>
  command(`set the clock to ${after} days and ${ms} ms`, async (model, mock) => {
    model.now = START + after * DAY + ms
    mock.clock.set(model.now)
    return { status: 0, expected: 0 }
  }),
)

const snapshot = fc.constant(
  command('restore a snapshot', async (_, mock) => {
    mock.restore(JSON.parse(JSON.stringify(mock.state())))
    return { status: 0, expected: 0 }
  }),
)

function start(): { model: Model; real: Mock } {
  const real = createMock(FIXED)
  const model: Model = {
    now: START,
    features: new Map([
      ['checkout-redesign', feature('default', ['checkout-redesign', 'checkout-cohort', 'checkout-redesign'])],
      ['legacy-export', feature('default', [undefined, undefined])],
      ['archived-banner', { ...feature('default', []), archived: true }],
      ['push-opt-in', feature('mobile-app', [undefined])],
    ]),
    token: { enabled: true, expiresAt: START + 30 * DAY, users: 1 },
    events: 0,
  }
  return { model, real }
}

function feature(project: string, groupIds: (string | undefined)[]) {
  return { project, archived: false, groupIds }
}

it('the mock behaves like a simple model of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.commands([clone, create, archive, update, signUp, setClock, snapshot], { maxCommands: 40 }),
      (commands) => fc.asyncModelRun(start, commands),
    ),
    { numRuns: 4 * RUNS },
  )
})
