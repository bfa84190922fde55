import type { PartialState } from '../../src/index.js'
import { FIXED } from './adapters.js'

export function many<Item>(n: number, item: (i: number) => Item): Item[] {
  return Array.from({ length: n }, (_, i) => item(i))
}

export function words(n: number, word = (i: number) => `w${i}`, separator = ','): string {
  return many(n, word).join(separator)
}

/** The ids of items: 10, 11 … 110 … */
const idOf = (i: number) => Number(`1${i}`)

const NOW = String(FIXED.now)
const soon = '2027-06-01T00:00:00.000Z'
const place = { environment: 'development', lastSeenAt: NOW }
const url = 'https://example.com'

function constraints(n: number) {
  const values = (i: number) => (i === 0 ? many(n, (v) => `v${v}`) : ['v'])
  return many(Math.min(n, 30), (i) => ({
    contextName: 'userId',
    operator: 'IN' as const,
    values: values(i),
  }))
}

function strategies(n: number) {
  const lists = { title: words(n), constraints: constraints(n), variants: variants(n) }
  const parameters = (i: number) => ({
    rollout: '50',
    groupId: 'f',
    stickiness: 'default',
    IPs: words(i === 0 ? n : 1),
  })
  const one = (i: number) => ({ id: `s${i}`, name: 'flexibleRollout', segments: [idOf(i)], parameters: parameters(i) })
  return many(n, (i) => (i === 0 ? { ...one(0), ...lists } : one(i)))
}

function variants(n: number) {
  return many(n, (i) => ({ name: `v${i}`, weight: i === 0 ? 1000 : 0, weightType: 'variable' as const }))
}

function features(n: number): PartialState['features'] {
  const simple = (i: number) => [{ type: 'simple', value: `t${i}` }]
  const inDevelopment = (more: object) => [{ name: 'development', enabled: true, ...more }]
  const overrides = many(1, () => ({ contextName: 'userId', values: many(n, (v) => `v${v}`) }))
  const collaborators = { users: many(n, (i) => ({ id: idOf(i), name: `u${i}`, imageUrl: '' })) }
  const first = {
    description: `${words(n)} ${'a'.repeat(40 * n)}`,
    tags: many(n, (i) => ({ type: i % 2 === 0 ? 'simple' : `tt${i}`, value: `t${i}` })),
    links: many(n, (i) => ({ id: `l${i}`, url: `${url}/${i}`, title: `l${i}` })),
    collaborators,
    environments: inDevelopment({
      strategies: strategies(n),
      variants: variants(n).map((one, i) => (i === 0 ? { ...one, overrides } : one)),
    }),
  }
  const strategyOf = (id: string) => inDevelopment({ strategies: [{ id, name: 'flexibleRollout', segments: [10] }] })
  const addresses = words(n, (i) => `10.0.0.${i}`)
  return [
    { name: 'f0', ...first },
    ...many(n, (i) => ({ name: `f${i + 1}`, description: 'd', tags: simple(0), environments: strategyOf(`fs${i}`) })),
    ...many(n, (i) => ({
      name: `child${i}`,
      dependencies: [{ feature: 'f0', variants: i === 0 ? many(n, (v) => `v${v}`) : [] }],
      environments: strategyOf(`cs${i}`),
    })),
    ...many(n, (i) => ({ name: `a${i}`, archived: true, tags: simple(i) })),
    {
      name: 'wide',
      project: 'many',
      environments: many(n, (i) => ({
        name: `e${i}`,
        enabled: true,
        variants: variants(1),
        strategies: [{ id: `w${i}`, name: 'remoteAddress', parameters: { IPs: i === 0 ? addresses : '' } }],
      })),
    },
  ]
}

function people(n: number): PartialState {
  const feedback = many(n, (i) => ({ feedbackId: `fb${i}`, neverShow: false, given: null }))
  const client = (i: number) => ({ secret: `default:development.k${i}`, type: 'client' as const, tokenName: `k${i}` })
  const projects = (i: number) => (i === 0 ? many(n, (k) => `p${k}`) : ['default'])
  return {
    users: [
      { id: 1, feedback },
      ...many(n, (i) => ({ id: idOf(i), name: `u${i}`, username: `u${i}`, email: `u${i}@example.com` })),
    ],
    apiTokens: [
      { secret: 'user:any-admin', type: 'user', userId: 1 },
      ...many(n + 1, (i) => ({ ...client(i), environment: 'development', projects: projects(i) })),
      { ...client(0), secret: 'default:development.own', environment: 'development', projects: ['default'] },
      ...many(n, (i) => ({
        secret: `user:pat${i}`,
        type: 'user' as const,
        userId: i < 3 ? 1 : 2,
        tokenName: `pat${i}`,
      })),
    ],
    signupTokens: [
      { secret: 'live-invite', expiresAt: soon, users: many(n, (i) => ({ id: idOf(i) })) },
      ...many(n, (i) => ({ secret: `inv${i}`, name: `inv${i}`, expiresAt: soon, users: [] })),
    ],
    resetTokens: many(n + 1, (i) => ({
      secret: i === 0 ? 'reset-link' : `r${i}`,
      userId: i === 0 ? 2 : idOf(i - 1),
      expiresAt: 'now+1d',
    })),
    favorites: many(n, (i) => ({ userId: 1, kind: 'feature' as const, name: `f${i}` })),
  }
}

function reports(n: number): PartialState {
  const of = (appName: string) => many(n, (i) => ({ ...place, appName, instanceId: `i${i}`, sdkVersion: `a:3.${i}.0` }))
  const usage = (project: string) => ({ project, environments: ['development'] })
  const counts = { featureName: 'f0', environment: 'development', timestamp: NOW, yes: 1, no: 1 }
  const seen = [{ environment: 'development', seenAt: NOW }]
  const samples = (k: number) => many(k, (i) => ({ labels: { a: String(i) }, value: 1 }))
  const buckets = many(n, (i) => ({ le: i, count: 1 }))
  const event = { id: 1, type: 'feature-created' }
  const sent = { createdAt: NOW, state: 'success', stateDetails: '', event, details: {} }
  return {
    applications: [
      { appName: 'shop', strategies: many(n, (i) => `st${i}`), usage: many(n, (i) => usage(`p${i}`)) },
      ...many(n, (i) => ({ appName: `app${i}`, strategies: ['default'], usage: [usage('default')] })),
    ],
    clientInstances: [...of('shop'), ...many(n, (i) => ({ ...place, appName: `app${i}`, instanceId: 'i' }))],
    clientMetrics: many(n, (i) => ({
      ...counts,
      appName: `app${i}`,
      variants: Object.fromEntries(many(i === 0 ? n : 0, (v) => [`v${v}`, 1])),
    })),
    unknownFlags: many(n, (i) => ({
      name: `unk${i}`,
      reports: many(i === 0 ? n : 1, (k) => ({ appName: `app${k}`, environments: seen })),
    })),
    impactMetrics: [
      { name: 'm', help: '', type: 'histogram', samples: [{ count: 1, sum: 1, buckets }] },
      ...many(n, (i) => ({ name: `m${i}`, help: '', type: 'counter' as const, samples: samples(i === 0 ? n : 1) })),
    ],
    addons: many(n, (i) => ({ id: idOf(i), parameters: { url }, events: ['feature-created'], enabled: i < 2 })),
    integrationEvents: many(n, (i) => ({
      id: String(i + 1),
      integrationId: 10,
      ...sent,
    })),
    events: many(n, (i) => ({
      id: 1000 + i,
      type: 'feature-updated',
      featureName: 'f0',
      createdByUserId: idOf(i),
      tags: many(i === 0 ? n : 0, (k) => ({ type: 'simple', value: `t${k}` })),
    })),
  } as PartialState
}

/** A world with n of everything, whose size grows with n and not with its square: only the first of a kind has long lists. */
export function worldOf(n: number): PartialState {
  const linkTemplates = many(10, (i) => ({ title: `l${i}`, urlTemplate: url }))
  const legalValues = many(n, (i) => ({ value: `v${i}` }))
  const parameters = (i: number) => many(i === 0 ? n : 0, (k) => ({ name: `q${k}`, type: 'string' as const }))
  return {
    environments: many(n, (i) => ({ name: `e${i}`, sortOrder: 100 + i })),
    projects: [
      { id: 'default', members: many(n, (i) => ({ id: idOf(i), role: 4 })), linkTemplates },
      { id: 'many', environments: many(n, (i) => `e${i}`) },
      ...many(n, (i) => ({ id: `p${i}`, environments: ['development'] })),
    ],
    tagTypes: many(n, (i) => ({ name: `tt${i}` })),
    contextFields: [
      ...many(n, (i) => ({ name: `c${i}`, legalValues: i === 0 ? legalValues : [] })),
      { name: 'own', project: 'default', legalValues },
    ],
    segments: many(n + 1, (i) => ({
      id: i === n ? 999 : idOf(i),
      name: `s${i}`,
      constraints: i === 0 ? constraints(n) : [],
    })),
    strategyTypes: many(n, (i) => ({ name: `st${i}`, parameters: parameters(i) })),
    features: features(n),
    ...people(n),
    ...reports(n),
  } as PartialState
}
