import { expect, it } from 'vitest'
import { onEveryAdapter } from '../../support/adapters.js'

const tokens = '/api/admin/invite-link/tokens'
const live = `${tokens}/live-invite`
const EXPIRY = '2026-12-20T12:00:00.000Z'
const JUST_BEFORE = '2026-12-20T11:59:59.999Z'

onEveryAdapter('the expiry of a signup token', (client) => {
  const everywhere = async () => {
    const one = await client.send('GET', live)
    const { body: all } = await client.send('GET', tokens)
    const listed = all.tokens.find(({ secret }: { secret: string }) => secret === 'live-invite')
    const valid = await client.send('GET', '/invite/live-invite/validate')
    expect(listed).toEqual(one.body)
    expect(client.mock.signupTokens.get('live-invite')).toEqual(one.body)
    return { enabled: one.body.enabled, validated: valid.status }
  }

  it('a signup token expires exactly at `expiresAt`, in every response', async () => {
    client.mock.clock.set(JUST_BEFORE)
    expect(await everywhere()).toEqual({ enabled: true, validated: 200 })
    client.mock.clock.advance(1)
    expect(client.mock.clock.now().toISOString()).toBe(EXPIRY)
    expect(await everywhere()).toEqual({ enabled: false, validated: 400 })
  })

  it('a signup token is valid again when the clock is set back', async () => {
    client.mock.clock.set('2030-01-01T00:00:00Z')
    expect(await everywhere()).toEqual({ enabled: false, validated: 400 })
    client.mock.clock.set(JUST_BEFORE)
    expect(await everywhere()).toEqual({ enabled: true, validated: 200 })
  })

  it('expiry does not change the stored flag, so a later expiry date revives the token', async () => {
    client.mock.clock.set('2027-06-01T00:00:00Z')
    const longer = await client.send('PUT', live, { expiresAt: '2027-07-01T00:00:00Z' })
    expect(longer.body.enabled).toBe(true)
    expect(await everywhere()).toEqual({ enabled: true, validated: 200 })
  })

  it('an expired signup token accepts changes', async () => {
    client.mock.clock.set('2027-06-01T00:00:00Z')
    expect((await client.send('PUT', live, { enabled: false })).body.enabled).toBe(false)
    expect((await client.send('PUT', live, { enabled: true })).body.enabled).toBe(false)
    client.mock.clock.set(JUST_BEFORE)
    expect(await everywhere()).toEqual({ enabled: true, validated: 200 })
  })

  it('a signup token with an expiry in the past reads disabled at once', async () => {
    const { status, body } = await client.send('PUT', live, { enabled: true, expiresAt: '2020-01-01T00:00:00Z' })
    expect([status, body.enabled, body.expiresAt]).toEqual([200, false, '2020-01-01T00:00:00.000Z'])
    expect(await everywhere()).toEqual({ enabled: false, validated: 400 })
  })

  it('a later expiry does not enable a disabled signup token', async () => {
    const { body } = await client.send('PUT', `${tokens}/disabled-invite`, {
      expiresAt: '2028-01-01T00:00:00Z',
    })
    expect(body.enabled).toBe(false)
    expect((await client.send('GET', '/invite/disabled-invite/validate')).status).toBe(400)
  })

  it('the token expired-invite has expired although it is stored as enabled', async () => {
    const { body } = await client.send('GET', `${tokens}/expired-invite`)
    expect(body.enabled).toBe(false)
    expect(client.mock.state().signupTokens.find(({ secret }) => secret === 'expired-invite')?.enabled).toBe(true)
  })
})
