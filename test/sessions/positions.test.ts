import { expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/mock.js'
import { sessionOf } from '../../src/engine/mock/session.js'
import { ForceRules } from '../../src/engine/scenarios/force-rules.js'
import { Clock, createClock } from '../../src/support/clock.js'
import { createIds } from '../../src/support/ids.js'

it('ids go on from a position as if they had never stopped', () => {
  const ids = createIds('seed')
  ids.uuid()
  const resumed = createIds('seed', JSON.parse(JSON.stringify(ids.position())))
  const next = ({ uuid, hex, ulid, fraction }: typeof ids) => [uuid(), hex(4), ulid(1), fraction()]
  expect(next(resumed)).toEqual(next(ids))
  expect(createIds().position()).toBeUndefined()
})

it('a clock goes on from a position: frozen where it stood, or running as far ahead as it was', () => {
  const frozen = createClock(new Date('2030-01-01T00:00:00Z'))
  frozen.advance({ days: 1 })
  expect(new Clock(frozen.position()).now()).toEqual(new Date('2030-01-02T00:00:00Z'))
  const running = createClock()
  running.advance({ days: 1 })
  expect(running.position()).toEqual({ offset: 86_400_000 })
  expect(new Clock(running.position()).frozen).toBe(false)
})

it("force rules go back to a position, with their counts and ids; the scenario's own are still known as such", () => {
  const own = { operation: 'cloneFeature', status: 503 } as const
  const rules = new ForceRules()
  rules.add(own)
  rules.countAndMatch('cloneFeature', () => expect.fail('the rule looks at no request'))
  const position = JSON.parse(JSON.stringify(rules.position()))
  rules.clear()
  rules.goTo(position, [own])
  expect(rules.all()).toEqual([{ id: '1', rule: own, seen: 1 }])
  expect(rules.all()[0]?.rule).toBe(own)
  expect(rules.add(own).id).toBe('2')
})

it('a change that its guard rejects is not made', () => {
  const mock = createMock()
  const { data } = sessionOf(mock).world()
  const before = mock.state()
  data.guardWith(() => {
    throw new Error('no room')
  })
  expect(() => mock.add({ features: [{ name: 'new' }] })).toThrow('no room')
  expect(() => mock.restore({})).toThrow('no room')
  expect(mock.state()).toEqual(before)
})
