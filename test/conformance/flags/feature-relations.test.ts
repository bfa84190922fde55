import { expect, it } from 'vitest'
import { CLIENT, EDITOR, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const project = '/api/admin/projects/default'
const checkout = `${project}/features/checkout-redesign`
const legacy = `${project}/features/legacy-export`

onEveryAdapter('dependencies', (client) => {
  const depend = (child: string, body: unknown) => client.send('POST', `${child}/dependencies`, body)
  const exist = async () => (await client.send('GET', `${project}/dependencies`)).body

  it('a dependency is created, shown on both features, changed and removed', async () => {
    expect(await exist()).toBe(false)
    expect((await depend(checkout, { feature: 'legacy-export', variants: ['x'] })).status).toBe(200)
    expect(await exist()).toBe(true)
    expect((await client.send('GET', checkout)).body.dependencies).toEqual([
      { feature: 'legacy-export', enabled: true, variants: ['x'] },
    ])
    expect((await client.send('GET', legacy)).body.children).toEqual(['checkout-redesign'])

    await depend(checkout, { feature: 'legacy-export', enabled: false })
    expect((await client.send('GET', checkout)).body.dependencies).toEqual([
      { feature: 'legacy-export', enabled: false, variants: [] },
    ])
    expect((await client.send('DELETE', `${checkout}/dependencies/legacy-export`)).status).toBe(200)
    expect((await client.send('GET', legacy)).body.children).toEqual([])
    await depend(checkout, { feature: 'legacy-export' })
    expect((await client.send('DELETE', `${checkout}/dependencies`)).status).toBe(200)
    expect(await exist()).toBe(false)
    expect(client.mock.events.list().map(({ type }) => type)).toEqual([
      'feature-dependency-added',
      'feature-dependency-added',
      'feature-dependency-removed',
      'feature-dependency-added',
      'feature-dependencies-removed',
    ])
  })

  it.each([
    ['itself', 'checkout-redesign'],
    ['a feature that does not exist', 'nope'],
    ['an archived feature', 'archived-banner'],
  ])('a dependency on %s is rejected', async (_, feature) => {
    const { status, body } = await depend(checkout, { feature })
    expect([status, body.name]).toEqual([403, 'InvalidOperationError'])
    expect(body.message).toContain(`"${feature}"`)
  })

  it('a missing parent is told before a missing child', async () => {
    const nope = `${project}/features/nope`
    expect((await depend(nope, { feature: 'also-nope' })).body.name).toBe('InvalidOperationError')
    expect((await depend(nope, { feature: 'legacy-export' })).status).toBe(404)
  })

  it('an unknown feature has no possible parents', async () => {
    expect(await client.send('GET', `${project}/features/nope/parents`)).toMatchObject({ status: 200, body: [] })
    const { body } = await client.send('GET', '/api/admin/projects/nope/features/checkout-redesign/parents')
    expect(body).toContain('legacy-export')
  })

  it('a dependency on a feature of another project is rejected with 404', async () => {
    const { status, body } = await depend(checkout, { feature: 'push-opt-in' })
    expect([status, body.name]).toEqual([404, 'NotFoundError'])
    expect(body.message).toMatch(/"push-opt-in".*"default"/)
  })

  it('a feature without a parent has no parent to remove', async () => {
    expect((await client.send('DELETE', `${checkout}/dependencies`)).status).toBe(404)
    expect((await client.send('DELETE', `${checkout}/dependencies/legacy-export`)).status).toBe(404)
    expect(client.mock.events.list()).toEqual([])
  })

  it('the dependencies of one project are visible in all', async () => {
    await depend(checkout, { feature: 'legacy-export' })
    expect((await client.send('GET', '/api/admin/projects/mobile-app/dependencies')).body).toBe(true)
  })

  it('a feature has at most one parent', async () => {
    await client.send('POST', `${project}/features`, { name: 'third' })
    await depend(checkout, { feature: 'legacy-export' })
    await depend(checkout, { feature: 'third', enabled: false })
    const one = [{ feature: 'third', enabled: false, variants: [] }]
    expect((await client.send('GET', checkout)).body.dependencies).toEqual(one)
    const told = client.mock.events.list().filter(({ type }) => type === 'feature-dependency-added')
    expect(told.map(({ data }) => data)).toEqual([
      { feature: 'legacy-export', enabled: true },
      { feature: 'third', enabled: false },
    ])
  })

  it('an archived child stays a child, and prevents its parent from being archived', async () => {
    await client.send('DELETE', checkout)
    await depend(checkout, { feature: 'legacy-export', enabled: false, variants: ['x'] })
    expect(client.mock.events.list().at(-1)?.data).toEqual({
      feature: 'legacy-export',
      enabled: false,
      variants: ['x'],
    })
    expect((await client.send('GET', legacy)).body.children).toEqual(['checkout-redesign'])
    expect((await client.send('DELETE', legacy)).status).toBe(403)
    expect((await client.send('POST', `${project}/archive`, { features: ['legacy-export'] })).status).toBe(403)
  })

  it('possible parents are sorted without regard to case and punctuation', async () => {
    client.mock.add({ features: [{ name: 'pre_fix2' }, { name: 'PreFix1' }, { name: 'prefix0' }] })
    const { body } = await client.send('GET', `${checkout}/parents`)
    expect(body.slice(-3)).toEqual(['prefix0', 'PreFix1', 'pre_fix2'])
  })

  it('a dependency that does not exist can’t be removed', async () => {
    const { status, body } = await client.send('DELETE', `${checkout}/dependencies/nope`)
    expect([status, body.name]).toEqual([404, 'NotFoundError'])
    expect(body.message).toContain('"nope"')
  })

  it('a parent can’t have a parent', async () => {
    await client.send('POST', `${project}/features`, { name: 'third' })
    await depend(checkout, { feature: 'legacy-export' })
    expect((await depend(`${project}/features/third`, { feature: 'checkout-redesign' })).status).toBe(403)
    expect((await depend(legacy, { feature: 'third' })).status).toBe(403)
  })

  it('possible parents are features without parents, and their variants are listed', async () => {
    expect((await client.send('GET', `${checkout}/parents`)).body).toEqual(['legacy-export'])
    expect((await client.send('GET', `${checkout}/parent-variants`)).body).toEqual(['one-page', 'two-pages'])
    const ofEnvironments = await client.send(
      'GET',
      '/api/admin/projects/mobile-app/features/push-opt-in/parent-variants',
    )
    expect(ofEnvironments.body).toEqual(['after-order', 'at-start'])
  })
})

onEveryAdapter('links', (client) => {
  const links = () => client.mock.state().features.find(({ name }) => name === 'checkout-redesign')?.links ?? []

  it('a link is added, changed and removed', async () => {
    const added = await client.send('POST', `${checkout}/link`, { url: 'https://example.com/a', title: 'A' })
    expect(added.status).toBe(204)
    const [link] = links()
    expect(link).toEqual({ id: expect.any(String), url: 'https://example.com/a', title: 'A' })
    expect((await client.send('PUT', `${checkout}/link/${link?.id}`, { url: 'https://example.com/b' })).status).toBe(
      204,
    )
    // The title stays unless the request names it.
    expect(links()).toEqual([{ id: link?.id, url: 'https://example.com/b', title: 'A' }])
    await client.send('PUT', `${checkout}/link/${link?.id}`, { url: 'https://example.com/b', title: null })
    expect(links()).toEqual([{ id: link?.id, url: 'https://example.com/b', title: null }])
    expect((await client.send('DELETE', `${checkout}/link/${link?.id}`)).status).toBe(204)
    expect(links()).toEqual([])
    expect((await client.send('DELETE', `${checkout}/link/${link?.id}`)).status).toBe(404)
    expect(client.mock.events.list()).toMatchObject([
      { type: 'feature-link-added', data: { url: 'https://example.com/a', title: 'A' } },
      { type: 'feature-link-updated', preData: { title: 'A' }, data: { title: 'A' } },
      { type: 'feature-link-updated', preData: { title: 'A' }, data: { title: null } },
      { type: 'feature-link-removed', preData: { url: 'https://example.com/b' } },
    ])
  })

  it('a link must lead to a URL', async () => {
    expect((await client.send('POST', `${checkout}/link`, { url: 'not a url' })).status).toBe(400)
  })

  it('links are not part of the documented feature, and are not cloned', async () => {
    await client.send('POST', `${checkout}/link`, { url: 'https://example.com/a' })
    expect((await client.send('GET', checkout)).body).not.toHaveProperty('links')
    await client.send('POST', `${checkout}/clone`, { name: 'copy' })
    expect(client.mock.state().features.find(({ name }) => name === 'copy')?.links).toEqual([])
  })
})

onEveryAdapter('the lifecycle', (client) => {
  const stages = async () =>
    (await client.send('GET', `${checkout}/lifecycle`)).body.map(({ stage }: { stage: string }) => stage)

  it('a lifecycle is completed, and the completion undone', async () => {
    expect(await stages()).toEqual(['live'])
    const { status } = await client.send('POST', `${checkout}/lifecycle/complete`, { status: 'kept', statusValue: 'a' })
    expect(status).toBe(200)
    expect(await stages()).toEqual(['live', 'completed'])
    expect((await client.send('GET', checkout)).body.lifecycle).toEqual({
      stage: 'completed',
      status: 'kept',
      enteredStageAt: NOW,
    })
    await client.send('POST', `${checkout}/lifecycle/complete`, { status: 'discarded' })
    expect(await stages()).toEqual(['live', 'completed'])
    expect((await client.send('POST', `${checkout}/lifecycle/uncomplete`)).status).toBe(200)
    expect(await stages()).toEqual(['live'])
    expect(client.mock.events.list().map(({ type }) => type)).toEqual([
      'feature-completed',
      'feature-completed',
      'feature-uncompleted',
    ])
  })

  it('features are counted by lifecycle stage, across all projects', async () => {
    const { body } = await client.send('GET', '/api/admin/lifecycle/count')
    expect(body).toEqual({ initial: 1, preLive: 0, live: 1, completed: 1, archived: 1 })
  })

  it('a completed feature that is used enters the stage after it, and can be completed again', async () => {
    const name = 'unused'
    client.mock.add({ features: [{ name }] })
    const path = `/api/admin/projects/default/features/${name}`
    await client.send('POST', `${path}/lifecycle/complete`, { status: 'kept' })
    client.mock.clock.advance(1000)
    const bucket = { start: NOW, stop: NOW, toggles: { [name]: { yes: 1, no: 0 } } }
    await client.send('POST', '/api/client/metrics', { appName: 'app', bucket }, { key: CLIENT })
    const { body } = await client.send('GET', `${path}/lifecycle`)
    expect(body.map(({ stage }: { stage: string }) => stage)).toEqual(['initial', 'completed', 'pre-live'])
    expect((await client.send('GET', path)).body.lifecycle).toEqual({
      stage: 'pre-live',
      enteredStageAt: body[2].enteredStageAt,
    })

    // The first completion stays.
    await client.send('POST', `${path}/lifecycle/complete`, { status: 'discarded' })
    expect((await client.send('GET', `${path}/lifecycle`)).body).toEqual(body)
    await client.send('POST', `${path}/lifecycle/uncomplete`)
    expect((await client.send('GET', `${path}/lifecycle`)).body).toEqual([body[0], body[2]])
  })

  it.each(['complete', 'uncomplete'])(
    'an unknown feature, or one of another project, is not found: %s',
    async (change) => {
      for (const path of [`${project}/features/nope`, checkout.replace('default', 'mobile-app')]) {
        expect((await client.send('POST', `${path}/lifecycle/${change}`, { status: 'kept' })).status).toBe(404)
      }
      expect(client.mock.events.list()).toEqual([])
    },
  )

  it('completing accepts two statuses only', async () => {
    expect((await client.send('POST', `${checkout}/lifecycle/complete`, { status: 'maybe' })).status).toBe(400)
  })

  it('archiving adds the last stage to a lifecycle', async () => {
    await client.send('DELETE', checkout)
    const [feature] = client.mock.state().features.filter(({ name }) => name === 'checkout-redesign')
    expect(feature?.pastStages.map(({ stage }) => stage)).toEqual(['live'])
    expect(feature?.lifecycle).toEqual({ stage: 'archived', enteredStageAt: NOW })
  })
})

onEveryAdapter('favourites', (client) => {
  const favorite = async (key: string) => (await client.send('GET', checkout, undefined, { key })).body.favorite

  it('each user has separate favourites', async () => {
    expect((await client.send('POST', `${checkout}/favorites`, undefined, { key: EDITOR })).status).toBe(200)
    expect(await favorite(EDITOR)).toBe(true)
    expect(await favorite(VIEWER)).toBe(false)
    const listed = await client.send('GET', `${project}/features`, undefined, { key: EDITOR })
    expect(listed.body.features.find(({ name }: { name: string }) => name === 'checkout-redesign').favorite).toBe(true)
    expect((await client.send('DELETE', `${checkout}/favorites`, undefined, { key: EDITOR })).status).toBe(200)
    expect(await favorite(EDITOR)).toBe(false)
    expect(client.mock.events.list()).toMatchObject([
      { type: 'feature-favorited', data: { feature: 'checkout-redesign' }, project: null },
      { type: 'feature-unfavorited', createdBy: 'editor@example.com' },
    ])
  })

  it('projects can be favourites', async () => {
    expect((await client.send('POST', `${project}/favorites`, undefined, { key: EDITOR })).status).toBe(200)
    expect(client.mock.state().favorites).toEqual([{ userId: 2, kind: 'project', name: 'default' }])
    expect((await client.send('DELETE', `${project}/favorites`, undefined, { key: EDITOR })).status).toBe(200)
    expect(client.mock.state().favorites).toEqual([])
  })

  it('an unknown feature or project can’t be a favourite', async () => {
    expect((await client.send('POST', `${project}/features/nope/favorites`)).status).toBe(404)
    expect((await client.send('POST', '/api/admin/projects/nope/favorites')).status).toBe(404)
    expect((await client.send('DELETE', `${project}/features/nope/favorites`, undefined, { key: EDITOR })).status).toBe(
      200,
    )
  })

  it('favourites are not cloned', async () => {
    await client.send('POST', `${checkout}/favorites`, undefined, { key: EDITOR })
    const { body } = await client.send('POST', `${checkout}/clone`, { name: 'copy' }, { key: EDITOR })
    expect(body.favorite).toBe(false)
  })
})

onEveryAdapter('relations of archived features', (client) => {
  it('an archived feature takes dependencies, completions and favorites, and lists possible parents', async () => {
    await client.send('DELETE', checkout)
    const send = async (method: string, path: string, body?: unknown) =>
      (await client.send(method, `${checkout}/${path}`, body, { key: EDITOR })).status
    expect(await send('POST', 'dependencies', { feature: 'legacy-export' })).toBe(200)
    expect(await send('POST', 'lifecycle/complete', { status: 'kept' })).toBe(200)
    expect(await send('POST', 'favorites')).toBe(200)
    expect(await send('GET', 'parents')).toBe(200)
  })

  it('possible parents are sorted without regard to case', async () => {
    client.mock.add({ features: [{ name: 'Zebra' }, { name: 'apple' }] })
    expect((await client.send('GET', `${checkout}/parents`)).body).toEqual(['apple', 'legacy-export', 'Zebra'])
  })

  it('a second completion keeps the first status', async () => {
    for (const status of ['kept', 'discarded']) await client.send('POST', `${checkout}/lifecycle/complete`, { status })
    const stages = (await client.send('GET', `${checkout}/lifecycle`)).body
    expect(stages.at(-1)).toMatchObject({ stage: 'completed', status: 'kept' })
  })
})

onEveryAdapter('favorites and their users', (client) => {
  it('who marks a feature is its collaborator, whatever project the path names', async () => {
    const path = `/api/admin/projects/nope/features/checkout-redesign/favorites`
    expect((await client.send('POST', path, undefined, { key: VIEWER })).status).toBe(200)
    const { body } = await client.send('GET', checkout)
    expect(body.collaborators.users.map(({ id }: { id: number }) => id)).toEqual([3, 2])
  })

  it('a favorite of an unknown feature is removed, and an event logged', async () => {
    const path = `${project}/features/nope/favorites`
    expect((await client.send('DELETE', path, undefined, { key: VIEWER })).status).toBe(200)
    const event = { type: 'feature-unfavorited', featureName: 'nope', project: null, data: { feature: 'nope' } }
    expect(client.mock.events.list().at(-1)).toMatchObject(event)
  })

  it('an API token has no favorites', async () => {
    expect((await client.send('POST', `${checkout}/favorites`)).status).toBe(404)
    expect((await client.send('DELETE', `${project}/favorites`)).status).toBe(404)
    expect(client.mock.events.list()).toEqual([])
  })
})
