import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock, type MockOptions, type PartialState, type ServiceFile } from '../../src/index.js'
import { CLIENT, FIXED, FRONTEND, onEveryAdapter } from '../support/adapters.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

const empty: MockOptions = { ...FIXED, scenario: 'empty' }
const strategies = (...constraints: object[]) => [{ name: 'default', constraints }]
const flag = (name: string, more: object = {}) => ({ name, enabled: true, strategies: strategies(), ...more })
const clientFile = (...features: object[]) => ({ version: 2, features }) as unknown as ServiceFile

const circle = [
  flag('sound'),
  flag('b', { dependencies: [{ feature: 'c' }] }),
  flag('c', { dependencies: [{ feature: 'b' }] }),
]
const LEFT_OUT =
  'left out: the flag "b" (dependencies: lead in a circle: b → c → b), the flag "c" (dependencies: lead in a circle: c → b → c)'

const exported = {
  features: ['sound', 'bad'].map((name) => ({ name, type: 'release', project: 'default' })),
  featureStrategies: ['bad', 'sound'].map((featureName) => ({ name: 'default', featureName, segments: [] })),
  featureEnvironments: ['bad', 'sound'].map((featureName) => ({
    featureName,
    environment: 'development',
    enabled: true,
    variants: featureName === 'bad' ? [{ name: 'a', weight: 5000 }] : [],
  })),
  featureTags: [{ featureName: 'bad', tagType: 'simple', tagValue: 'red' }],
}

describe('a flag of an Unleash file that can’t be loaded is left out, with everything of it', () => {
  it.each<[string, object, string]>([
    ['client features', clientFile(...circle), LEFT_OUT],
    ['a list of client features', circle, LEFT_OUT],
    [
      'evaluated flags',
      { toggles: [flag('sound'), { name: 'bad', enabled: 'yes' }] },
      'left out: the flag "bad" (enabled: must be true or false, but is "yes")',
    ],
    [
      'a list of evaluated flags',
      [
        { name: 'bad', enabled: 'yes' },
        { name: 'sound', enabled: true },
      ],
      'left out: the flag "bad" (enabled: must be true or false, but is "yes")',
    ],
    [
      'an export',
      exported,
      'left out: the flag "bad" (featureEnvironments[0].variants[0].weight: must be at most 1000, but is 5000)',
    ],
    [
      'a state export of Unleash 4 or 5, beside its lists',
      {
        ...exported,
        version: 4,
        strategies: [{ name: 'own' }],
        featureStrategies: exported.featureStrategies.map((one) => ({ ...one, strategyName: one.name })),
      },
      'left out: strategies (1), the flag "bad" (featureEnvironments[0].variants[0].weight: must be at most 1000, but is 5000)',
    ],
    [
      'the body of an import',
      { project: 'default', environment: 'development', data: exported },
      'left out: the flag "bad" (data.featureEnvironments[0].variants[0].weight: must be at most 1000, but is 5000)',
    ],
    [
      'a flag without a name',
      clientFile(flag('sound'), { enabled: true, strategies: [] }),
      'left out: the flag at features[1] (name: is required)',
    ],
    [
      'a flag twice: the last counts, as in SDKs',
      clientFile(flag('sound', { enabled: false }), flag('sound')),
      'left out: the flag "sound" (is in the file twice: the last one counts)',
    ],
  ])('%s', async (_, file, line) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    await using server = await startServer({ ...empty, fixtures: file as ServiceFile }, { port: 0 })
    expect(server.mock.state().features).toMatchObject([{ name: 'sound', tags: [] }])
    expect(server.mock.features.get('sound')?.environments).toContainEqual(
      expect.objectContaining({ name: 'development', enabled: true }),
    )
    expect(warn.mock.calls).toEqual([[`[flagdouble] The fixture: ${line}`]])
  })

  it('only the first are named, with the number of the others', async () => {
    const bad = Array.from({ length: 12 }, (_, i) => flag(`bad-${i}`, { impressionData: 7 }))
    const file = scratchFolder().put('flags.json', { version: 2, features: [...bad, flag('sound')] })
    const { done, stdout } = runCli(['validate', file])
    expect(await done).toBe(0)
    expect(stdout()).toContain('the flag "bad-9" (impressionData: must be true or false, but is 7), 2 further flags\n')
    expect(stdout()).toContain('     1 feature\n')
    const { stderr } = await startCli(['--fixtures', file])
    expect(stderr()).toContain(`${file}: left out: the flag "bad-0" (impressionData: must be true or false, but is 7)`)
  })

  it('a file is invalid if no flag would remain, or if anything else is wrong', () => {
    const bad = flag('bad', { impressionData: 7 })
    expect(() => createMock({ ...empty, fixtures: clientFile(bad) })).toThrow('$.features[0].impressionData: must be')
    const file = { ...clientFile(bad, flag('sound')), segments: [{ id: 'one' }] } as unknown as ServiceFile
    expect(() => createMock({ ...empty, fixtures: file })).toThrow('$.segments[0].id: must be')
    const stray = { ...exported, featureTags: [{ featureName: 'suond', tagValue: 'red' }] } as unknown as ServiceFile
    expect(() => createMock({ ...empty, fixtures: stray })).toThrow('but is "suond". Did you mean "sound"?')
  })

  it('flags whose errors are found one after the other are left out together', async () => {
    const file = scratchFolder().put('flags.json', clientFile(flag('bad', { impressionData: 7 }), ...circle))
    const { done, stdout } = runCli(['validate', file])
    expect(await done).toBe(0)
    const first = 'the flag "bad" (impressionData: must be true or false, but is 7)'
    expect(stdout()).toContain(LEFT_OUT.replace('out: ', `out: ${first}, `))
  })
})

onEveryAdapter(
  'a file that is added leaves out what can’t be loaded',
  (client) => {
    it('the response and the history say so, and an undo removes the rest', async () => {
      const { status, headers } = await client.send('PATCH', '/__mock/state', clientFile(...circle))
      expect(status).toBe(200)
      expect(decodeURIComponent(headers.get('x-mock-hint') ?? '')).toContain('left out: the flag "b" (dependencies')
      expect(client.mock.history.list().at(-1)?.title).toBe(`Records were added; ${LEFT_OUT}`)
      client.mock.history.undo()
      expect(client.mock.state().features).toEqual([])
    })
  },
  empty,
)

const newer = { contextName: 'userId', operator: 'IN_SOME_RANGE', values: ['1', '9'], inverted: true }

onEveryAdapter(
  'an operator that the mock doesn’t know',
  (client) => {
    const names = async () => {
      const { body } = await client.send('POST', '/api/frontend', { context: { userId: '5' } }, { key: FRONTEND })
      return body.toggles.map(({ name }: { name: string }) => name)
    }

    it('reaches SDKs unchanged, is never true, and survives a restore', async () => {
      const file = { ...clientFile(flag('a', { strategies: strategies(newer) }), flag('b')), segments: [] }
      client.mock.add(file as ServiceFile)
      const served = async () => {
        const { body } = await client.send('GET', '/api/client/features', undefined, { key: CLIENT })
        return body.features[0].strategies[0].constraints
      }
      expect(await served()).toMatchObject([newer])
      expect(await names()).toEqual(['b'])
      client.mock.restore(client.mock.state())
      expect(await served()).toMatchObject([newer])
    })

    it('is an error in data by hand, like a name that Unleash rejects', () => {
      const byHand = (name: string, operator: string): PartialState => ({
        features: [
          {
            name,
            environments: [
              { name: 'development', strategies: [{ name: 'default', constraints: [{ ...newer, operator }] }] },
            ],
          },
        ],
      })
      expect(() => client.mock.add(byHand('a', 'IN_CIDER'))).toThrow(
        '$.features[0].environments[0].strategies[0].constraints[0].operator: must be one of 19 names, but is "IN_CIDER". Did you mean "IN_CIDR"?',
      )
      expect(() => client.mock.add(byHand('a b', 'IN_CIDR'))).toThrow(
        '$.features[0].name: can contain only URL-friendly characters',
      )
      const segments = [{ name: 'all', id: 1, constraints: [newer] }]
      expect(() => client.mock.add({ segments })).toThrow('$.segments[0].constraints[0].operator: must be one of')
    })

    it('can’t be sent to the admin API, which takes only Unleash’s', async () => {
      client.mock.enable('a')
      const path = '/api/admin/projects/default/features/a/environments/development/strategies'
      for (const operator of ['IN_CIDR', 'IN_SOME_RANGE']) {
        const body = { name: 'default', constraints: [{ ...newer, operator }] }
        expect((await client.send('POST', path, body)).status).toBe(400)
      }
    })
  },
  empty,
)
