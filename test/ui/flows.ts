import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { expectListed } from '../support/compared.js'
import { FRONTEND_FOLDER, openWindow, startFrontend, unexpected, type Visitor } from '../support/ui.js'

const password = 'flagdouble'

describe("Unleash's own frontend", () => {
  let frontend: Awaited<ReturnType<typeof startFrontend>>
  let admin: Visitor

  beforeAll(async () => {
    frontend = await startFrontend()
    admin = await openWindow(frontend.browser, frontend.server.url)
  })
  afterAll(() => frontend.close())

  const groupIds = (name: string) =>
    frontend.server.mock.features
      .get(name)
      ?.environments.flatMap(({ strategies }) => strategies.map(({ parameters }) => parameters.groupId))

  /** On the page of a flag, the menu item for copying is disabled. */
  const expectNoCloning = async ({ page }: Visitor) => {
    await page.getByRole('button', { name: 'Feature flag actions' }).click()
    const clone = page.getByRole('menuitem', { name: 'Clone' }).or(page.locator('a', { hasText: 'Clone' }))
    await expect.poll(() => clone.first().getAttribute('aria-disabled')).toBe('true')
  }

  it('the frontend signs in, and shows dashboard and projects', async () => {
    const { page, signIn, visit } = admin
    await signIn('admin', password)
    await visit('/personal')
    await page.getByText('My feature flags').first().waitFor()
    await visit('/projects')
    await page.getByText('Default', { exact: true }).first().waitFor()
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend searches and sorts the flags of a project', async () => {
    const { page, visit } = admin
    await visit('/projects/default')
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor()
    await page.getByPlaceholder(/^Search/).fill('legacy')
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor({ state: 'detached' })
    await visit('/projects/default?sortBy=name&sortOrder=asc')
    const first = page.locator('tbody tr').first()
    await first.getByText('checkout-redesign').waitFor()
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend finds flags of all projects, and archived flags by their stage', async () => {
    const { page, visit } = admin
    await visit('/search')
    await page.getByRole('link', { name: 'push-opt-in' }).waitFor()
    await visit('/projects/default')
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor()
    await page.getByText('Archived', { exact: true }).first().click()
    await page.getByText('archived-banner').waitFor()
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor({ state: 'detached' })
    // The frontend remembers the choice.
    await page.getByText('Active flags', { exact: true }).click()
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor()
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend tests flags in its playground', async () => {
    const { page, visit } = admin
    const context = encodeURIComponent(JSON.stringify({ appName: 'playground', userId: '1,2' }))
    await visit(`/playground?environments=development,production&projects=default&context=${context}`)
    await page.getByRole('link', { name: 'legacy-export' }).waitFor()
    await page.locator('tbody button').last().click()
    // Two users in two environments.
    await expect.poll(() => page.getByText('True').count()).toBe(4)
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend sets the origins for the frontend API', async () => {
    const { page, visit } = admin
    await visit('/admin/cors')
    await page.locator('textarea').first().fill('https://app.example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => frontend.server.mock.state().settings)
      .toEqual([{ name: 'frontend', frontendApiOrigins: ['https://app.example.com'] }])
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend creates an API token for an SDK of the project', async () => {
    const { page, visit } = admin
    await visit('/projects/default')
    await page.getByRole('button', { name: 'Connect SDK' }).first().click()
    await page.getByRole('button', { name: /Node\.js/ }).click()
    await page.getByRole('button', { name: 'Generate Backend API Key' }).click()
    await page.getByRole('button', { name: 'Next' }).waitFor()
    const made = frontend.server.mock.state().apiTokens.at(-1)
    expect(made).toMatchObject({ type: 'client', environment: 'development', projects: ['default'] })
    await visit('/projects/default/settings/api-access')
    await page
      .getByText(made?.tokenName ?? '', { exact: true })
      .first()
      .waitFor()
    await visit('/projects/default/applications')
    await page.getByText('No applications found').waitFor()
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend creates a flag and switches it on, which gives it a strategy', async () => {
    const { page, visit } = admin
    await visit('/projects/default')
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor()
    await page.getByRole('button', { name: 'New feature flag' }).first().click()
    await page.locator('[data-testid=FORM_NAME_INPUT] input').first().fill('ui-flag')
    await page.getByRole('button', { name: 'Create feature flag' }).click()
    await page.waitForURL(/features\/ui-flag/)
    await visit('/projects/default/features/ui-flag')
    await page.locator('input[type=checkbox][aria-label=development]').click()
    await page.getByText('1 strategy added').first().waitFor()
    expect(groupIds('ui-flag')).toEqual(['ui-flag'])
    expect(unexpected(admin)).toEqual([])
  })

  it.each([true, false])('the frontend copies a flag (replacing the group ID: %s)', async (replace) => {
    const { page, visit } = admin
    await visit('/projects/default/features/ui-flag')
    await page.getByRole('button', { name: 'Feature flag actions' }).click()
    await page.getByText('Clone', { exact: true }).click()
    const name = `ui-copy-${replace}`
    await page.locator('input[name=name]').fill(name)
    await page.locator('form input[type=checkbox]').setChecked(replace)
    await page.getByRole('button', { name: 'Create from copy' }).click()
    await page.waitForURL(new RegExp(`features/${name}`))
    expect(groupIds(name)).toEqual([replace ? name : 'ui-flag'])
    expect(unexpected(admin)).toEqual([])
  })

  it("the frontend creates an invite link; a user who signs up with it can't clone", async () => {
    frontend.server.mock.restore({ ...frontend.server.mock.state(), signupTokens: [] })
    const { page, visit } = admin
    await visit('/admin/invite-link')
    await page.getByRole('button', { name: 'Create invite link' }).click()
    await page.getByRole('button', { name: 'Copy link' }).first().waitFor()
    await visit('/admin/invite-link')
    await page.getByRole('combobox').click()
    await page.getByRole('option', { name: '1 week' }).click()
    await page.getByRole('button', { name: 'Update invite link' }).click()
    await visit('/admin/users')
    await page.getByRole('button', { name: 'Copy link' }).click()
    const [token] = frontend.server.mock.signupTokens.list()
    const guest = await openWindow(frontend.browser, frontend.server.url)
    await guest.visit(`/new-user?invite=${token?.secret}`)
    await guest.page.locator('input[type=email]').fill('vera@example.com')
    await guest.page.locator('input[type=text]').fill('Vera')
    for (const field of await guest.page.locator('input[type=password]').all()) await field.fill('Str0ng!pass-Wrd-7')
    await guest.page.getByRole('button', { name: 'Submit' }).click()
    await guest.page.waitForURL(/\/(login|personal|projects)/)
    await guest.signIn('vera@example.com', 'Str0ng!pass-Wrd-7')
    await guest.visit('/projects/default/features/ui-flag')
    await expectNoCloning(guest)
    await visit('/admin/users')
    await page.getByText('vera@example.com').waitFor()
    expect([...unexpected(admin), ...unexpected(guest)]).toEqual([])
  })

  it('the frontend disables the invite link, after which nobody signs up with it', async () => {
    const { page, visit } = admin
    await visit('/admin/invite-link')
    await page.getByRole('button', { name: 'Delete link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: "Yes, I'm sure" }).click()
    await expect.poll(() => frontend.server.mock.signupTokens.list().map(({ enabled }) => enabled)).toEqual([false])
    expect(unexpected(admin)).toEqual([])
  })

  it('the frontend signs out', async () => {
    const { page, signIn, visit } = await openWindow(frontend.browser, frontend.server.url)
    await signIn('admin', password)
    await page.locator('header button').last().click()
    await page.getByRole('button', { name: 'Log out' }).or(page.getByText('Log out')).first().click()
    await page.waitForURL(/\/signed-out/)
    await visit('/projects')
    await page.waitForURL(/\/login/)
  })

  it('the frontend shows the view of a user without permissions, in the scenario of the URL', async () => {
    const visitor = await openWindow(frontend.browser, frontend.server.url)
    await visitor.signIn('admin', password)
    await visitor.visit('/projects/default/features/checkout-redesign?scenario=missing-permission')
    await expectNoCloning(visitor)
    await visitor.visit('/projects/default/features/checkout-redesign/copy')
    await visitor.page.locator('input[name=name]').fill('not-allowed')
    const answer = visitor.page.waitForResponse((response) => response.url().endsWith('/clone'))
    await visitor.page.getByRole('button', { name: 'Create from copy' }).click()
    expect((await answer).status()).toBe(403)
    expect(unexpected(visitor)).toEqual([expect.stringMatching(/^403 POST .*\/clone$/)])
  })

  it('the frontend works below a base path', async () => {
    const deep = await startServer({ profile: 'unleash-8', basePath: '/deep' }, { port: 0, ui: FRONTEND_FOLDER })
    const visitor = await openWindow(frontend.browser, deep.url)
    await visitor.signIn('editor', password)
    await visitor.visit('/projects/default')
    await visitor.page.getByRole('link', { name: 'checkout-redesign' }).click()
    await visitor.page.getByText('2 strategies added').first().waitFor()
    expect(unexpected(visitor)).toEqual([])
    await visitor.page.context().close()
    await deep.close(0)
  })

  it('the operations called by the frontend are listed', () => expectListed(frontend.called, 'operations.txt'))
})
