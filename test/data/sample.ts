import { dataTables } from '../../src/data/tables.js'
import type { FeatureRecord } from '../../src/resources/flags/features/schema.js'
import type { EventRecord } from '../../src/resources/instance/events/schema.js'
import type { RoleRecord } from '../../src/resources/people/roles/schema.js'
import type { SignupTokenRecord } from '../../src/resources/people/signup-tokens/schema.js'
import type { UserRecord } from '../../src/resources/people/users/schema.js'
import type { EnvironmentRecord } from '../../src/resources/projects/environments/schema.js'
import type { ProjectRecord } from '../../src/resources/projects/projects/schema.js'
import type { SegmentRecord } from '../../src/resources/targeting/segments/schema.js'
import { FakeSource } from './fake-source.js'

const NOW = '2026-01-01T00:00:00.000Z'
const actor = { id: 1, name: 'Ada', imageUrl: '' }

export function feature(name: string, given: Partial<FeatureRecord> = {}): FeatureRecord {
  return {
    name,
    type: 'release',
    description: null,
    project: 'default',
    stale: false,
    impressionData: false,
    archived: false,
    archivedAt: null,
    createdAt: NOW,
    createdBy: actor,
    lastSeenAt: null,
    lifecycle: { stage: 'initial', enteredStageAt: NOW },
    pastStages: [],
    dependencies: [],
    collaborators: { users: [actor] },
    tags: [],
    links: [],
    environments: [
      { name: 'development', enabled: false, lastSeenAt: null, strategies: [], variants: [] },
      { name: 'production', enabled: false, lastSeenAt: null, strategies: [], variants: [] },
    ],
    ...given,
  }
}

export function project(id: string, given: Partial<ProjectRecord> = {}): ProjectRecord {
  return {
    id,
    name: `The project ${id}`,
    description: null,
    mode: 'open',
    createdAt: NOW,
    updatedAt: null,
    archivedAt: null,
    environments: ['development', 'production'],
    members: [],
    changeRequests: [],
    featureNaming: { pattern: null, example: null, description: null },
    featureLimit: null,
    linkTemplates: [],
    ...given,
  }
}

export function user(id: number, given: Partial<UserRecord> = {}): UserRecord {
  return {
    id,
    name: `User ${id}`,
    email: null,
    username: null,
    rootRole: 3,
    accountType: 'User',
    loginAttempts: 0,
    seenAt: null,
    createdAt: NOW,
    scimId: null,
    passwordHash: null,
    feedback: [],
    splash: {},
    ...given,
  }
}

export function role(id: number, name: string): RoleRecord {
  return { id, type: 'root', name, description: '', project: null, permissions: [], exceptions: [] }
}

export function token(secret: string, users: number[], roleId = 3): SignupTokenRecord {
  return {
    secret,
    name: secret,
    enabled: true,
    expiresAt: NOW,
    createdAt: NOW,
    createdBy: null,
    users: users.map((id) => ({ id })),
    role: { id: roleId },
  }
}

export function segment(id: number, projectId: string | null): SegmentRecord {
  return { id, name: `s${id}`, description: null, project: projectId, constraints: [], createdBy: '', createdAt: NOW }
}

export function event(id: number, featureName: string | null): EventRecord {
  const rest = {
    type: 'feature-created',
    createdBy: 'ada',
    createdAt: NOW,
    createdByUserId: 1,
    data: null,
    preData: null,
  }
  return { id, ...rest, tags: [], featureName, project: 'default', environment: null }
}

const environment = (name: string): EnvironmentRecord => ({ name, type: name, sortOrder: 1, enabled: true })

export const records = () => ({
  environments: [environment('development'), environment('production')],
  projects: [project('default', { members: [{ id: 2, role: 4 }] }), project('shop')],
  roles: [role(1, 'Admin'), role(3, 'Viewer')],
  users: [user(1, { rootRole: 1 }), user(2)],
  signupTokens: [token('open', []), token('used', [1, 2])],
  segments: [segment(1, null), segment(2, 'shop')],
  features: [
    feature('banner', { stale: true }),
    feature('checkout', { project: 'shop', tags: [{ type: 'simple', value: 'money' }] }),
    feature('basket', { project: 'shop', stale: true, dependencies: [{ feature: 'checkout' }] }),
  ],
  events: [event(1, 'banner')],
})

export const sampleSource = () => new FakeSource(dataTables, records())
