import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { it } from '../support/panel.js'

it('a flag is switched, edited, cloned, archived and revived by the service’s own operations', async ({
  panel,
  page,
  server,
}) => {
  const feature = (name: string) => server.mock.features.get(name)
  await panel.goTo('Data')
  await page.getByRole('switch', { name: 'legacy-export in production' }).click()
  await page.getByText('legacy-export is off in production.').waitFor()
  await page.getByRole('switch', { name: 'legacy-export in production', checked: false }).waitFor()
  await page.getByRole('button', { name: 'legacy-export', expanded: false }).click()
  const edit = page.getByRole('form', { name: 'Edit legacy-export' })
  await edit.getByLabel('Description').fill('The old way')
  await edit.getByLabel('Type').selectOption('operational')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('legacy-export is changed.').waitFor()
  expect(feature('legacy-export')).toMatchObject({ description: 'The old way', type: 'operational', stale: true })
  const clone = page.getByRole('form', { name: 'Clone legacy-export' })
  await clone.getByLabel('Copy as').fill('push-opt-in')
  await clone.getByRole('button', { name: 'Clone' }).click()
  await page.getByText("That didn't work.").waitFor()
  await page.locator('.message').getByText('push-opt-in').waitFor()
  await clone.getByLabel('Copy as').fill('new-export')
  await clone.getByRole('button', { name: 'Clone' }).click()
  await page.getByText('new-export is a copy of legacy-export.').waitFor()
  await page.getByRole('button', { name: 'Archive legacy-export' }).click()
  await page.getByText('legacy-export is archived.').waitFor()
  expect(feature('legacy-export')?.archived).toBe(true)
  await page.getByRole('button', { name: 'Revive' }).click()
  await page.getByText('legacy-export is back.').waitFor()
  expect(feature('legacy-export')?.archived).toBe(false)
  const sent = server.mock.requests
    .all()
    .map(({ operation, requestHeaders }) => [operation, requestHeaders['x-mock-client']])
  expect(sent).toEqual(
    [
      'toggleFeatureEnvironmentOff',
      'updateFeature',
      'cloneFeature',
      'cloneFeature',
      'archiveFeature',
      'reviveFeatures',
    ].map((operation) => [operation, 'panel']),
  )
  await panel.goTo('Requests')
  expect(await page.locator('.entry').getByText('from the panel').count()).toBe(6)
  expect(panel.complaints.splice(0)).toHaveLength(1)
})

it('the rollout of a strategy is changed', async ({ panel, page, server }) => {
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'checkout-redesign', expanded: false }).click()
  const rollout = page.getByRole('slider', { name: /Half of everybody in development/ })
  await rollout.focus()
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
  await page.getByText('Rollout of Half of everybody in development: 55 %').waitFor()
  await page.getByRole('button', { name: 'Set', exact: true, disabled: false }).click()
  await page.getByText('The rollout is 55 %.').waitFor()
  const [development] = server.mock.features.get('checkout-redesign')?.environments ?? []
  expect(JSON.stringify(development)).toContain('"rollout":"55"')
  await page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Rollout of Half of everybody in development: 50 %').waitFor()
  await page.getByRole('button', { name: 'Set', exact: true, disabled: false }).waitFor({ state: 'detached' })
})

it('the fields of a flag show what it is after an undo, too', async ({ panel, page, server }) => {
  const flag = () => server.mock.features.get('legacy-export')
  const { type, description: words, stale } = flag() ?? {}
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'legacy-export', expanded: false }).click()
  const edit = page.getByRole('form', { name: 'Edit legacy-export' })
  const description = edit.getByLabel('Description')
  await edit.getByLabel('Type').selectOption('operational')
  await edit.getByLabel('stale').uncheck()
  await description.fill('The old way')
  await description.press('Enter')
  await page.getByText('legacy-export is changed.').waitFor()
  expect(flag()).toMatchObject({ description: 'The old way', type: 'operational', stale: false })
  expect(await description.evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('legacy-export is changed.').waitFor()
  expect(flag()).toMatchObject({ type, description: words, stale })
})

it('an invite is created, expires now, lives on for a week, and is disabled', async ({ panel, page, server }) => {
  await panel.goTo('Data')
  const card = page.locator('.card', { hasText: 'live-invite' })
  await page.getByRole('button', { name: 'Expire now: Live invite' }).click()
  await card.getByText('expired', { exact: true }).waitFor()
  await page.getByRole('button', { name: '+7 days: Live invite' }).click()
  await card.getByText('Expires in 7 days').waitFor()
  await page.getByRole('button', { name: 'Disable Live invite' }).click()
  await card.getByText('disabled', { exact: true }).waitFor()
  expect(server.mock.signupTokens.get('live-invite')).toMatchObject({ enabled: false })
  const form = page.getByRole('form', { name: 'New signup token' })
  await form.getByLabel('New invite').fill('For the team')
  await form.getByLabel('Days').fill('3')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.locator('.card', { hasText: 'For the team' }).getByText('Expires in 3 days').waitFor()
})

it('a user gets another role', async ({ panel, page, server }) => {
  await panel.goTo('Data')
  await page.getByLabel('Role of Viewer').selectOption('Editor')
  await page.getByText('The role of Viewer is changed.').waitFor()
  expect(server.mock.users.get(3)?.rootRole).toBe(2)
})

it('a click signs this browser in to the app as a user of the data', async ({ panel, page }) => {
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'Sign in as Viewer' }).click()
  await page.getByText('Signed in as Viewer.').waitFor()
  const me = await page.evaluate(async () => (await fetch('/api/admin/user')).json())
  expect(me.user.email).toBe('viewer@example.com')
})

it('the address names the session, which survives a reload, and each tab shows its data', async ({
  panel,
  page,
  server,
}) => {
  server.mock.session('nora').add({ signupTokens: [{ secret: 'noras', name: 'Nora’s invite' }] })
  await panel.goTo('Data')
  await panel.goTo('Sessions')
  await page.locator('.card', { hasText: 'nora' }).getByRole('button', { name: 'Open' }).click()
  await page.getByRole('status').getByText('Live').waitFor()
  for (const title of ['Data', 'Keys', 'Clock']) {
    await panel.goTo(title)
    const count = title === 'Keys' ? 0 : 1
    await expect.poll(() => page.getByText('Nora’s invite').count()).toBe(count)
    expect(await page.getByRole('heading', { name: 'Live invite' }).count()).toBe(count)
  }
  expect(page.url()).toBe(`${server.url}/__mock/?session=nora#clock`)
  await page.reload()
  await page.getByText('Nora’s invite').waitFor()
  expect(await page.getByRole('combobox', { name: 'Session' }).inputValue()).toBe('nora')
  await page.goBack()
  await page.getByRole('tab', { name: 'Keys', selected: true }).waitFor()
})

it('this browser takes a session with a click, and leaves it again', async ({ panel, page, server }) => {
  server.mock.session('nora')
  await panel.goTo('Sessions')
  await page.getByRole('link', { name: 'Use this session in my browser' }).click()
  await page.getByRole('status').getByText('Live').waitFor()
  expect(new URL(page.url()).search).toBe('?session=nora')
  await page.evaluate(() => fetch('/health'))
  expect(server.mock.session('nora').requests.count()).toBe(1)
  await panel.goTo('Sessions')
  await page.getByText('used by this browser').waitFor()
  await page.getByRole('link', { name: 'Use it in my browser' }).click()
  await page.getByRole('status').getByText('Live').waitFor()
  expect(await page.context().cookies()).toEqual([])
})

it('a file is uploaded by dropping it', async ({ panel, page, server }) => {
  await panel.goTo('Snapshot')
  await page.locator('.drop').evaluate((form) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['{"features":[{"name":"dropped"}]}'], 'fixture.json'))
    form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('Records added.').waitFor()
  expect(server.mock.features.get('dropped')).toBeDefined()
})

it('a rule that can never apply says so, and a request says which check refused it', async ({
  panel,
  page,
  server,
}) => {
  server.mock.force({ operation: 'getProjects', status: 503 })
  server.mock.force({ operation: '*', status: 500, match: { headers: { 'x-team': 'a' } } })
  server.mock.force({ operation: 'getProjects', status: 429 })
  const body = { name: 'copy' }
  await panel.ask('POST', '/api/admin/projects/default/features/legacy-export/clone', body, {
    authorization: 'user:mock-viewer',
  })
  await panel.goTo('Forced answers')
  await page.getByText(/^can never apply: the newer rule \S+ answers all of its requests$/).waitFor()
  expect(await page.getByText('can never apply').count()).toBe(1)
  await panel.goTo('Requests')
  await page.locator('.entry summary').first().click()
  await page.getByText('Refused by the check of permissions:').waitFor()
  await page.locator('.refusal').getByText('CREATE_FEATURE').waitFor()
})

it('a click on the active scenario does nothing', async ({ panel, page, server }) => {
  server.mock.add({ features: [{ name: 'mine' }] })
  await page.getByRole('button', { name: /A small service/, pressed: true }).click()
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'mine', expanded: false }).waitFor()
  expect(server.mock.features.get('mine')).toBeDefined()
})

it('a switch, a removed rule and a change of data are undone with a click, and moments are gone back to', async ({
  panel,
  page,
  server,
}) => {
  const undo = () => page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  server.mock.add({ features: [{ name: 'mine' }] })
  await page.getByText('Nothing yet').click()
  await page.getByText('Switched to empty.').waitFor()
  await undo()
  await page.getByRole('button', { name: /A small service/, pressed: true }).waitFor()
  expect(server.mock.features.get('mine')).toBeDefined()
  server.mock.force({ operation: 'getProjects', status: 503 })
  await panel.goTo('Forced answers')
  await page.getByRole('button', { name: /^Remove the forced answer/ }).click()
  await page.getByText('No forced answers').waitFor()
  await undo()
  await page.getByRole('heading', { name: 'getProjects' }).waitFor()
  await panel.goTo('History')
  await page.getByRole('button', { name: 'Undo', exact: true }).last().waitFor()
  await page.getByRole('button', { name: /^Go here: The start of/ }).click()
  await page.getByText(/^Gone to: The start of/).waitFor()
  expect(server.mock.features.get('mine')).toBeUndefined()
  await undo()
  await expect.poll(() => server.mock.features.get('mine')?.name).toBe('mine')
})

it('a request shows what it changed, and leads back to before it', async ({ panel, page, server }) => {
  const path = '/api/admin/projects/default/features'
  await panel.ask('PATCH', `${path}/legacy-export`, [{ op: 'replace', path: '/description', value: 'Changed' }])
  await panel.ask('POST', `${path}/legacy-export/clone`, { name: 'copy' })
  await page.locator('.entry', { hasText: 'patchFeature' }).locator('summary').first().click()
  await page.getByText('features legacy-export: changed').waitFor()
  await page.locator('.changes ins').getByText('"Changed"').waitFor()
  await page.getByRole('button', { name: 'Back to before this request' }).click()
  await page.getByText(/^Back to before PATCH/).waitFor()
  expect(server.mock.features.get('copy')).toBeUndefined()
  expect(server.mock.features.get('legacy-export')?.description).not.toBe('Changed')
})

it('what was built up is saved as a scenario, listed first, and downloaded as a file', async ({
  panel,
  page,
  server,
}) => {
  server.mock.add({ features: [{ name: 'mine' }] })
  await panel.goTo('Snapshot')
  const form = page.getByRole('form', { name: 'Save as scenario' })
  await form.getByLabel('Name').fill('my-monday')
  await form.getByLabel('Title').fill('My Monday')
  await form.getByLabel('Promise').fill('There is a feature of mine.')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as the scenario my-monday.').waitFor()
  expect(await page.locator('.scenario .title').first().textContent()).toBe('My Monday')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my-monday.json' }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file).toMatchObject({ name: 'my-monday', title: 'My Monday' })
  await page.getByText('My Monday').click()
  await page.getByRole('button', { name: /My Monday/, pressed: true }).waitFor()
  expect(server.mock.features.get('mine')).toBeDefined()
})
