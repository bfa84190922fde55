import { expect, it } from 'vitest'
import { EDITOR, NOW, onEveryDoor, VIEWER } from '../support/doors.js'

const path = '/api/admin/projects/default/features/checkout-redesign/clone'

onEveryDoor('cloneFeature', (client) => {
  it('answers 200 with the whole copy', async () => {
    const { status, body } = await client.send('POST', path, { name: 'copy' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'copy', project: 'default', type: 'release', createdAt: NOW, archived: false })
    expect(body.environments.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([false, false])
  })

  it('makes the copy visible at once', async () => {
    const { body } = await client.send('POST', path, { name: 'copy' })
    const read = await client.send('GET', '/api/admin/projects/default/features/copy')
    expect(read.body).toEqual(body)
    expect(client.mock.features.get('copy')).toEqual(body)
  })

  it('takes the new name as group id of every strategy that has one', async () => {
    const { body } = await client.send('POST', path, { name: 'copy' })
    expect(groupIds(body)).toEqual(['copy', 'copy', 'copy'])
  })

  it('keeps the group ids when told to', async () => {
    const { body } = await client.send('POST', path, { name: 'copy', replaceGroupId: false })
    expect(groupIds(body)).toEqual(['checkout-redesign', 'checkout-cohort', 'checkout-redesign'])
  })

  it('copies into the project of the path, wherever the source lives', async () => {
    const elsewhere = path.replace('default', 'mobile-app')
    const { status, body } = await client.send('POST', elsewhere, { name: 'copy' })
    expect([status, body.project]).toEqual([200, 'mobile-app'])
  })

  it('names the missing permission to a viewer', async () => {
    const { status, body } = await client.send('POST', path, { name: 'copy' }, { key: VIEWER })
    expect([status, body.name]).toEqual([403, 'NoAccessError'])
    expect(body.message).toContain('"CREATE_FEATURE"')
  })

  it('is made by the caller', async () => {
    const { body } = await client.send('POST', path, { name: 'copy' }, { key: EDITOR })
    expect(body.createdBy).toMatchObject({ id: 2, name: 'Editor' })
    expect(body.collaborators.users).toEqual([body.createdBy])
  })
})

function groupIds(feature: { environments: { strategies: { parameters: { groupId: string } }[] }[] }): string[] {
  return feature.environments.flatMap(({ strategies }) => strategies.map(({ parameters }) => parameters.groupId))
}
