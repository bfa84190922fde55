import { expect, it } from 'vitest'
import type { PartialState } from '../../src/index.js'
import { FIXED, onEveryAdapter } from '../support/adapters.js'

const staging: PartialState = {
  environments: [{ name: 'staging', type: 'preproduction', sortOrder: 10 }],
  projects: [{ id: 'default', environments: ['development', 'staging', 'production'] }],
}

onEveryAdapter(
  'an environment that a fixture adds to a project',
  (client) => {
    const named = (flag: string) => client.mock.features.get(flag)?.environments.map(({ name }) => name)

    it('has the built-in flags of the project, and only them', async () => {
      expect(named('checkout-redesign')).toEqual(expect.arrayContaining(['staging', 'development', 'production']))
      const path = '/api/admin/projects/default/features/checkout-redesign/environments/staging/on'
      expect((await client.send('POST', path)).status).toBe(200)
      expect(named('push-opt-in')).not.toContain('staging')
    })

    it('has the flags of earlier data, whose other environments stay unchanged', () => {
      client.mock.add({ features: [{ name: 'early' }, { name: 'apart', onlyIn: ['development'] }] })
      const before = client.mock.features.get('checkout-redesign')
      client.mock.add({
        environments: [{ name: 'preview', sortOrder: 1 }],
        projects: [{ id: 'default', environments: ['development', 'staging', 'production', 'preview'] }],
      })
      expect(named('early')).toContain('preview')
      expect(named('apart')).toContain('preview')
      const after = client.mock.features.get('checkout-redesign')
      expect(after?.environments.filter(({ name }) => name !== 'preview')).toEqual(before?.environments)
      expect(after?.environments.find(({ name }) => name === 'preview')).toMatchObject({
        enabled: false,
        strategies: [],
      })
      client.mock.history.undo()
      expect(named('early')).not.toContain('preview')
    })

    it('leaves out a new flag that names its own environments', () => {
      client.mock.add({
        environments: [{ name: 'preview' }],
        projects: [{ id: 'default', environments: ['development', 'preview'] }],
        features: [{ name: 'apart', onlyIn: ['development'] }],
      })
      expect(named('apart')).toEqual(['development'])
    })
  },
  { ...FIXED, fixtures: staging },
)
