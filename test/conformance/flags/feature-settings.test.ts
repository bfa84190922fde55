import { expect, it } from 'vitest'
import { featureRecordSchema, featureSettings } from '../../../src/service/resources/flags/features.js'
import { onBothProfiles } from '../../support/both.js'
import { sampleOf } from '../../support/samples.js'

const features = '/api/admin/projects/default/features'

onBothProfiles('the settings of a feature', (client) => {
  /** Every setting, with a value that differs from its default. */
  const settings = { ...(sampleOf(featureRecordSchema.pick(featureSettings)) as object), type: 'kill-switch' }
  const names = Object.keys(featureSettings)
  const settingsOf = async (name: string) => {
    const { body } = await client.send('GET', `${features}/${name}`)
    return Object.fromEntries(names.map((setting) => [setting, body[setting]]))
  }
  const create = (name: string, more: object) => client.send('POST', features, { name, ...more })

  it('each is set by a creation', async () => {
    await create('shop', settings)
    expect(await settingsOf('shop')).toEqual(settings)
  })

  it('each is set by PUT and returns to its default without it', async () => {
    await create('shop', {})
    const before = await settingsOf('shop')
    for (const name of names) expect(before[name], name).not.toEqual(settings[name as keyof typeof settings])
    await client.send('PUT', `${features}/shop`, settings)
    expect(await settingsOf('shop')).toEqual(settings)
    await client.send('PUT', `${features}/shop`, {})
    expect(await settingsOf('shop')).toEqual(before)
  })

  it('each is set by a patch, and no other changes', async () => {
    await create('shop', {})
    for (const [name, value] of Object.entries(settings)) {
      const before = await settingsOf('shop')
      await client.send('PATCH', `${features}/shop`, [{ op: 'replace', path: `/${name}`, value }])
      expect(await settingsOf('shop')).toEqual({ ...before, [name]: value })
    }
  })

  it('each is in a clone', async () => {
    await create('shop', settings)
    await client.send('POST', `${features}/shop/clone`, { name: 'copy' })
    expect(await settingsOf('copy')).toEqual(settings)
  })

  it('each is in an export, and in the features that its import creates and overwrites', async () => {
    await create('shop', settings)
    const query = { environment: 'development', features: ['shop'] }
    const { body: data } = await client.send('POST', '/api/admin/features-batch/export', query)
    const place = { project: 'default', environment: 'development' }
    const importIt = () =>
      client.send('POST', '/api/admin/features-batch/import', { ...place, data }, { key: 'user:mock-admin' })
    await client.send('PUT', `${features}/shop`, {})
    await importIt()
    expect(await settingsOf('shop')).toEqual(settings)
    await client.send('DELETE', `${features}/shop`)
    await client.send('DELETE', '/api/admin/archive/shop')
    await importIt()
    expect(await settingsOf('shop')).toEqual(settings)
  })
})
