import { beforeEach, expect, it } from 'vitest'
import { FRONTEND } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const frontend = '/api/frontend'

onBothProfiles('the context of a frontend', (client) => {
  const namesIn = async (method: string, path: string, body?: object): Promise<string[]> => {
    const answer = await client.send(method, path, body, { key: FRONTEND })
    expect(answer.status).toBe(200)
    return answer.body.toggles.map(({ name }: { name: string }) => name)
  }
  const byUrl = (query: string) => namesIn('GET', `${frontend}?${query}`)
  const byBody = (context: object) => namesIn('POST', frontend, { context })
  const constrained = (name: string, contextName: string, operator: string, ...values: string[]) => {
    const isOne = operator === 'REGEX' || operator.startsWith('DATE_') || operator.startsWith('NUM_')
    const constraint = { contextName, operator, ...(isOne ? { value: values[0] ?? '' } : { values }) }
    const strategies = [{ name: 'default', constraints: [constraint] }]
    return { name, environments: [{ name: 'development', enabled: true, strategies }] }
  }

  beforeEach(() => {
    client.mock.add({
      features: [
        constrained('gold', 'plan', 'IN', 'gold'),
        constrained('gold-and-silver', 'plan', 'IN', 'gold,silver'),
        constrained('empty-plan', 'plan', 'REGEX', '^$'),
        constrained('plan-is-zero', 'plan', 'NUM_EQ', '0'),
        constrained('user-7', 'userId', 'IN', '7'),
        constrained('users-7-and-8', 'userId', 'IN', '7,8'),
        constrained('empty-user', 'userId', 'REGEX', '^$'),
        constrained('default-environment', 'environment', 'IN', 'default'),
        constrained('testing', 'environment', 'IN', 'testing'),
        constrained('frontend-api', 'appName', 'IN', 'frontend-api'),
        constrained('in-the-twenties', 'currentTime', 'DATE_BEFORE', '2025-01-01T00:00:00.000Z'),
        constrained('later', 'currentTime', 'DATE_AFTER', '2025-01-01T00:00:00.000Z'),
        constrained('sent-time', 'currentTime', 'STR_STARTS_WITH', '2020'),
      ],
    })
  })

  it('dates are compared with the clock of the world, whatever time is sent', async () => {
    const sent = '2020-01-01T00:00:00.000Z'
    for (const names of [await byUrl(`currentTime=${sent}`), await byBody({ currentTime: sent })]) {
      expect(names).toContain('later')
      expect(names).not.toContain('in-the-twenties')
    }
    client.mock.clock.set('2024-01-01T00:00:00.000Z')
    expect(await byUrl('')).toContain('in-the-twenties')
  })

  it('the sent time is a property like any other', async () => {
    expect(await byUrl('currentTime=2020-01-01T00:00:00.000Z')).toContain('sent-time')
  })

  it('the environment and the application have defaults, which an empty value does not replace', async () => {
    for (const query of ['', 'environment=&appName=', 'properties[environment]=testing']) {
      const names = await byUrl(query)
      expect(names).toEqual(expect.arrayContaining(['default-environment', 'frontend-api']))
      expect(names).not.toContain('testing')
    }
    const names = await byUrl('environment=testing&appName=shop')
    expect(names).toContain('testing')
    expect(names).not.toContain('default-environment')
    expect(names).not.toContain('frontend-api')
  })

  it('an empty property is a value, and an empty field counts as missing', async () => {
    const empty = expect.arrayContaining(['empty-plan', 'plan-is-zero'])
    expect(await byUrl('properties[plan]=')).toEqual(empty)
    expect(await byUrl('plan=')).toEqual(empty)
    expect(await byBody({ properties: { plan: null } })).toEqual(empty)
    expect(await byBody({ plan: [] })).toEqual(empty)
    expect(await byBody({ plan: null })).not.toContain('empty-plan')
    expect(await byUrl('userId=')).not.toContain('empty-user')
  })

  it('properties win over a field with the same name, in any order', async () => {
    expect(await byUrl('properties[plan]=gold&plan=silver')).toContain('gold')
    expect(await byUrl('plan=gold&properties[plan]=silver')).not.toContain('gold')
    expect(await byBody({ properties: { plan: 'gold' }, plan: 'silver' })).toContain('gold')
    expect(await byBody({ plan: 'gold', properties: {} })).toContain('gold')
  })

  it('a repeated parameter is a list, and a list is its values with commas', async () => {
    expect(await byUrl('plan=gold&plan=silver')).toContain('gold-and-silver')
    expect(await byUrl('properties[plan]=gold&properties[plan]=silver')).toContain('gold-and-silver')
    expect(await byUrl('plan[]=gold')).toContain('gold')
    expect(await byUrl('userId=7&userId=8')).toContain('users-7-and-8')
    expect(await byBody({ plan: ['gold'] })).toContain('gold')
    expect(await byBody({ plan: { toString: 1 } })).not.toContain('gold')
  })

  it('a list of users chooses no variant: the session does', async () => {
    const variants = ['a', 'b', 'c'].map((name) => ({ name, weight: 1 }))
    const environments = [{ name: 'development', enabled: true, strategies: [], variants }]
    client.mock.add({ features: [{ name: 'varied', environments }] })
    const variantFor = async (query: string) => {
      const { toggles } = (await client.send('GET', `${frontend}?${query}`, undefined, { key: FRONTEND })).body
      return toggles.find(({ name }: { name: string }) => name === 'varied').variant.name
    }
    for (const session of ['1', '2', '3', '4', '5', '6']) {
      const alone = await variantFor(`sessionId=${session}`)
      expect(await variantFor(`userId=7&userId=8&sessionId=${session}`)).toBe(alone)
    }
  })

  it('a number, a boolean or null is read as text', async () => {
    expect(await byBody({ userId: 7, sessionId: 820121930, properties: { age: 20, member: true } })).toContain('user-7')
    expect(await byBody({ userId: null, sessionId: null, remoteAddress: null })).not.toContain('empty-user')
    const list = await client.send('POST', frontend, { context: { userId: ['7'] } }, { key: FRONTEND })
    expect([list.status, list.body.details.length]).toEqual([400, 1])
  })

  it('a parent that is off in the environment is unknown, so a feature that needs it to be off is off', async () => {
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '0', stickiness: 'default', groupId: 'x' } }]
    const on = [{ name: 'development', enabled: true, strategies: [{ name: 'default' }] }]
    client.mock.add({
      features: [
        { name: 'parent', environments: [{ name: 'development', enabled: true, strategies }] },
        { name: 'child', environments: on, dependencies: [{ feature: 'parent', enabled: false }] },
      ],
    })
    expect(await byUrl('userId=1')).toContain('child')
    await client.send('POST', '/api/admin/projects/default/features/parent/environments/development/off')
    expect(await byUrl('userId=1')).not.toContain('child')
  })
})
