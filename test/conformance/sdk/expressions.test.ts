import { expect, it } from 'vitest'
import { type Client, FRONTEND, onEveryAdapter } from '../../support/adapters.js'
import { errorOf } from '../../support/errors.js'

const strategies = '/api/admin/projects/default/features/checkout-redesign/environments/development/strategies'

function frontend(client: Client, context: object) {
  return client.send('POST', '/api/frontend', { context }, { key: FRONTEND })
}

/** A feature that is on in development if a constraint is satisfied. */
function add(client: Client, value: string, more: object = {}) {
  const constraints = [{ contextName: 'plan', operator: 'REGEX' as const, value, ...more }]
  const environments = [{ name: 'development', enabled: true, strategies: [{ name: 'default', constraints }] }]
  client.mock.add({ features: [{ name: 'by-expression', environments }] })
}

async function isOn(client: Client, plan: string): Promise<boolean> {
  const { body } = await frontend(client, { properties: { plan } })
  return body.toggles.some(({ name }: { name: string }) => name === 'by-expression')
}

onEveryAdapter('regular expressions of users', (client) => {
  it.each(['(a+)+$', '(a|aa)*$', '(.*)*$'])('a string is tested in linear time against %s', async (expression) => {
    add(client, `^${expression}`)
    expect(await isOn(client, 'a'.repeat(3000))).toBe(true)
    add(client, `^${expression.replace('.', 'a')}`)
    expect(await isOn(client, `${'a'.repeat(3000)}!`)).toBe(false)
  })

  it('expressions are in the notation of RE2', async () => {
    add(client, '(?i)^[[:alpha:]]+$')
    expect([await isOn(client, 'Gold'), await isOn(client, 'G0ld')]).toEqual([true, false])
    add(client, '^gold$', { caseInsensitive: true })
    expect(await isOn(client, 'GOLD')).toBe(true)
  })

  it.each(['(?=gold)', '(gold)\\1', '(', 'x{1000}{1000}'])(
    'an invalid RE2 expression is rejected: %s',
    async (value) => {
      const constraints = [{ contextName: 'plan', operator: 'REGEX', value }]
      const { status, body } = await client.send('POST', strategies, { name: 'default', constraints })
      expect([status, body.name]).toEqual([400, value.length > 10 ? 'ExceedsLimitError' : 'BadDataError'])
      if (value === '(') expect(body.details[0].message).toBe('"value" must be a regular expression; "(" was sent.')
    },
  )

  it('an inline flag is accepted', async () => {
    const constraints = [{ contextName: 'plan', operator: 'REGEX', value: '(?i)^gold$' }]
    expect((await client.send('POST', strategies, { name: 'default', constraints })).status).toBe(200)
  })

  it('expressions that are too large together are rejected', async () => {
    const constraint = { contextName: 'plan', operator: 'REGEX', value: 'x{1000}' }
    const sent = (count: number) => ({ name: 'default', constraints: Array(count).fill(constraint) })
    expect((await client.send('POST', strategies, sent(10))).status).toBe(200)
    const { status, body } = await client.send('POST', strategies, sent(11))
    expect([status, body.name]).toEqual([400, 'ExceedsLimitError'])
    expect(body.message).toContain('10000 characters in regular expressions')
  })

  it('a naming pattern is tested in linear time', async () => {
    const named = (pattern: string) => ({
      projects: [{ id: 'default', name: 'Default', featureNaming: { pattern, example: null, description: null } }],
    })
    client.mock.add(named('(a+)+'))
    const clone = (name: string) =>
      client.send('POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name })
    expect((await clone(`${'a'.repeat(90)}-`)).body.name).toBe('PatternError')
    expect((await clone('a'.repeat(90))).status).toBe(200)
    expect(errorOf(() => client.mock.add(named('(?!x).*'))).message).toContain(
      'must be a regular expression without lookarounds and backreferences',
    )
    expect(errorOf(() => client.mock.add(named('a'.repeat(10_001)))).message).toContain('of at most 10000 characters')
    expect(errorOf(() => client.mock.add(named('('))).message).toContain('must be a regular expression, but is "("')
  })

  it('a list of addresses is split in linear time, with any white space', async () => {
    const addresses = (IPs: string) => [{ name: 'remoteAddress', parameters: { IPs } }]
    const add = (IPs: string) =>
      client.mock.add({
        features: [
          { name: 'by-expression', environments: [{ name: 'development', enabled: true, strategies: addresses(IPs) }] },
        ],
      })
    const isOnFrom = async (remoteAddress: string) =>
      (await frontend(client, { remoteAddress })).body.toggles.some(
        ({ name }: { name: string }) => name === 'by-expression',
      )
    add(`${' '.repeat(90_000)}x`)
    expect(await isOnFrom('10.1.2.3')).toBe(false)
    add('192.168.0.1 ,\t 10.0.0.0/8 , 127.0.0.1')
    expect([await isOnFrom('10.1.2.3'), await isOnFrom('192.168.0.1'), await isOnFrom('127.0.0.1')]).toEqual([
      true,
      true,
      true,
    ])
  })
})
