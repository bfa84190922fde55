import { expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const clonePath = (feature: string, project = 'default') => `/api/admin/projects/${project}/features/${feature}/clone`
const path = clonePath('checkout-redesign')

onEveryAdapter('cloneFeature and rejected requests', (client) => {
  const refusal = async (at: string, body: unknown, key?: string) => {
    const before = client.mock.state()
    const answer = await client.send('POST', at, body, key === undefined ? {} : { key })
    expect(client.mock.state()).toEqual(before)
    return { status: answer.status, ...answer.body }
  }

  it.each([
    ['an unknown project', clonePath('checkout-redesign', 'nowhere'), '"nowhere"'],
    ['a project of another case', clonePath('checkout-redesign', 'Default'), '"Default"'],
    ['an unknown source', clonePath('no-such-flag'), '"no-such-flag"'],
    ['a source of another case', clonePath('Checkout-Redesign'), '"Checkout-Redesign"'],
    ['an archived source', clonePath('archived-banner'), '"archived-banner"'],
  ])('cloneFeature rejects %s with 404 and names it', async (_, at, missing) => {
    const { status, name, message } = await refusal(at, { name: 'copy' })
    expect([status, name]).toEqual([404, 'NotFoundError'])
    expect(message).toContain(missing)
  })

  it('cloneFeature rejects an archived project with 404', async () => {
    client.mock.add({ projects: [{ id: 'closed', archivedAt: 'now-1d' }] })
    expect(await refusal(clonePath('checkout-redesign', 'closed'), { name: 'copy' })).toMatchObject({ status: 404 })
  })

  it.each([
    ['of the same project', 'legacy-export'],
    ['of another project', 'push-opt-in'],
    ['of an archived feature', 'archived-banner'],
    ['of the source itself', 'checkout-redesign'],
  ])('cloneFeature rejects the name %s with 409', async (_, taken) => {
    const { status, name, message } = await refusal(path, { name: taken })
    expect([status, name]).toEqual([409, 'NameExistsError'])
    expect(message).toContain(`"${taken}"`)
  })

  it.each([
    ['no name', {}, '/body/name'],
    ['an empty name', { name: '' }, '/body/name'],
    ['a number for a name', { name: 7 }, '/body/name'],
    ['null for a name', { name: null }, '/body/name'],
    ['a list for a name', { name: ['copy'] }, '/body/name'],
    ['a space', { name: 'a b' }, '/body/name'],
    ['a slash', { name: 'a/b' }, '/body/name'],
    ['an umlaut', { name: 'für' }, '/body/name'],
    ['an emoji', { name: '🚀' }, '/body/name'],
    ['half a surrogate pair', '{"name":"\\ud800"}', '/body/name'],
    ['a percent sign', { name: '%41' }, '/body/name'],
    ['one dot', { name: '.' }, '/body/name'],
    ['two dots', { name: '..' }, '/body/name'],
    ['101 characters', { name: 'x'.repeat(101) }, '/body/name'],
    ['a text for replaceGroupId', { name: 'copy', replaceGroupId: 'true' }, '/body/replaceGroupId'],
    ['a number for replaceGroupId', { name: 'copy', replaceGroupId: 1 }, '/body/replaceGroupId'],
    ['null for replaceGroupId', { name: 'copy', replaceGroupId: null }, '/body/replaceGroupId'],
    ['a list for a body', [], '/body'],
    ['null for a body', null, '/body'],
    ['a text for a body', '"copy"', '/body'],
    ['a number for a body', 7, '/body'],
  ])('cloneFeature rejects %s with 400, and names the place', async (_, body, where) => {
    const { status, name, details } = await refusal(path, body)
    expect([status, name]).toEqual([400, 'BadDataError'])
    expect(details.map((detail: { path: string }) => detail.path)).toEqual([where])
  })

  it.each([
    ['', 'must not be empty'],
    ['a b', 'URL-friendly'],
    ['x'.repeat(101), 'longer than 100'],
  ])('cloneFeature explains the error in the name %j', async (name, fault) => {
    expect((await refusal(path, { name })).message).toContain(fault)
  })

  it('cloneFeature reports every error of a body at once', async () => {
    const { details } = await refusal(path, { name: 5, replaceGroupId: 'no' })
    expect(details.map((detail: { path: string }) => detail.path)).toEqual(['/body/name', '/body/replaceGroupId'])
  })

  it('cloneFeature rejects a viewer with 403, and names the permission', async () => {
    const { status, name, message } = await refusal(path, { name: 'copy' }, VIEWER)
    expect([status, name]).toEqual([403, 'NoAccessError'])
    expect(message).toContain('"CREATE_FEATURE"')
  })

  it.each([
    ['CREATE_FEATURE_STRATEGY', 'production', 'checkout-redesign'],
    ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', 'development', 'push-opt-in'],
  ])('cloneFeature rejects a caller without %s in %s, and names both', async (permission, environment, source) => {
    const all = ['CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'].flatMap((name) =>
      ['development', 'production'].map((where) => ({ name, environment: where })),
    )
    const granted = all.filter((grant) => grant.name !== permission || grant.environment !== environment)
    client.mock.add({
      roles: [{ id: 10, permissions: [{ name: 'CREATE_FEATURE' }, ...granted] }],
      users: [{ id: 10, rootRole: 10 }],
      apiTokens: [{ secret: 'user:limited', userId: 10 }],
    })
    const { status, name, message } = await refusal(clonePath(source), { name: 'copy' }, 'user:limited')
    expect([status, name]).toEqual([403, 'NoAccessError'])
    expect(message).toContain(`"${permission}"`)
    expect(message).toContain(`"${environment}"`)
    client.mock.add({ roles: [{ id: 10, permissions: [{ name: 'CREATE_FEATURE' }, ...all] }] })
    const allowed = await client.send('POST', clonePath(source), { name: 'copy' }, { key: 'user:limited' })
    expect(allowed.status).toBe(200)
  })

  it.each([
    ['without strategies and variants', {}],
    ['with strategies, in their environment', { strategies: [{ name: 'default' }] }],
    ['with variants, in their environment', { variants: [{ name: 'a' }] }],
  ])('cloneFeature needs only the permissions for copying a feature %s', async (_, contents) => {
    const names = Object.keys(contents).map((part) =>
      part === 'strategies' ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    )
    client.mock.add({
      roles: [
        {
          id: 10,
          permissions: [{ name: 'CREATE_FEATURE' }, ...names.map((name) => ({ name, environment: 'development' }))],
        },
      ],
      users: [{ id: 10, rootRole: 10 }],
      apiTokens: [{ secret: 'user:limited', userId: 10 }],
      features: [{ name: 'source', environments: { development: contents } }],
    })
    const { status } = await client.send('POST', clonePath('source'), { name: 'copy' }, { key: 'user:limited' })
    expect(status).toBe(200)
  })

  it('cloneFeature rejects a source whose parent is archived', async () => {
    client.mock.add({
      features: [
        { name: 'parent', archived: true },
        { name: 'child', dependencies: [{ feature: 'parent' }] },
      ],
    })
    const { status, name, message } = await refusal(clonePath('child'), { name: 'copy' })
    expect([status, name]).toEqual([403, 'InvalidOperationError'])
    expect(message).toContain('"parent"')
  })

  it.each([
    ['change requests', { changeRequests: ['production'] }, 403, 'ForbiddenError'],
    ['a naming pattern', { featureNaming: { pattern: 'x-.+', example: null, description: null } }, 400, 'PatternError'],
    ['a full limit of features', { featureLimit: 1 }, 403, 'InvalidOperationError'],
  ])('cloneFeature is rejected by a project with %s', async (_, settings, status, name) => {
    client.mock.add({ projects: [{ id: 'default', ...settings }] })
    expect(await refusal(path, { name: 'copy' })).toMatchObject({ status, name })
  })
})

onEveryAdapter('cloneFeature and accepted requests', (client) => {
  it.each([
    'a',
    '7',
    '-',
    '...',
    '.hidden',
    "~it's(*)!_.-",
    'x'.repeat(100),
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'clone',
    'null',
  ])('cloneFeature accepts the name %s', async (name) => {
    const { status, body } = await client.send('POST', path, { name }, { key: EDITOR })
    expect([status, body.name]).toEqual([200, name])
    const read = await client.send('GET', `/api/admin/projects/default/features/${name}`)
    expect([read.status, read.body]).toEqual([200, body])
    expect((await client.send('POST', path, { name })).status).toBe(409)
    const list = await client.send('GET', '/api/admin/projects/default/features')
    expect(list.body.features.map((feature: { name: string }) => feature.name)).toContain(name)
  })

  it('cloneFeature accepts a name that differs from another only in case', async () => {
    for (const name of ['copy', 'Copy', 'COPY']) {
      expect((await client.send('POST', path, { name })).status).toBe(200)
    }
  })
})
