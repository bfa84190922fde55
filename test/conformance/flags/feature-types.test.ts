import { expect, it } from 'vitest'
import type { ProfileName } from '../../../src/service/contract/profile.js'
import { FIXED, onEveryAdapter } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'

/** The values in an error message. */
const listed = (types: string) => `must be one of ${types}; "weird" was sent.`
const builtIn = 'release, experiment, operational, kill-switch, permission, sunset'

const places: Record<ProfileName, string> = { documented: '/body/type', 'unleash-8': 'type' }

for (const profile of ['documented', 'unleash-8'] as const) {
  onEveryAdapter(
    `feature types under ${profile}`,
    (client) => {
      const addType = () => {
        client.mock.add({ featureTypes: [{ id: 'migration' }], features: [{ name: 'banner' }] })
      }

      it('a new feature can have a type from a fixture', async () => {
        addType()
        expect((await client.send('POST', features, { name: 'x', type: 'migration' })).body.type).toBe('migration')
        expect((await client.send('POST', features, { name: 'y', type: 'sunset' })).body.type).toBe('sunset')
      })

      it('an existing feature can get a type from a fixture', async () => {
        addType()
        const put = await client.send('PUT', `${features}/banner`, { type: 'migration' })
        expect([put.status, put.body.type]).toEqual([200, 'migration'])
        const patches = [
          { op: 'test', path: '/type', value: 'migration' },
          { op: 'replace', path: '/stale', value: true },
        ]
        const patched = await client.send('PATCH', `${features}/banner`, patches)
        expect([patched.status, patched.body.type]).toEqual([200, 'migration'])
      })

      it('an unknown type is rejected before the project is looked up, with the known types', async () => {
        for (const types of [builtIn, `${builtIn}, migration`]) {
          if (types !== builtIn) addType()
          for (const [method, path] of [
            ['POST', '/api/admin/projects/nowhere/features'],
            ['PUT', `${features}/nothing`],
          ] as const) {
            const { status, body } = await client.send(method, path, { name: 'x', type: 'weird' })
            expect(status).toBe(400)
            expect(body.details).toEqual([
              { path: places[profile], message: `The property "/body/type" ${listed(types)}` },
            ])
            expect(body.id).toEqual(expect.any(String))
          }
        }
      })

      it('a patch can give any type except an empty one', async () => {
        addType()
        const give = (value: unknown) =>
          client.send('PATCH', `${features}/banner`, [{ op: 'replace', path: '/type', value }])
        const { status, body } = await give('weird')
        expect([status, body.type]).toEqual([200, 'weird'])
        for (const value of ['', null, 5]) expect((await give(value)).status).toBe(400)
      })
    },
    { ...FIXED, profile },
  )
}
