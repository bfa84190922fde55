import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FRONTEND } from '../support/adapters.js'
import { expectListed } from '../support/compared.js'
import { openWindow, startFrontend, unexpected, type Visitor } from '../support/ui.js'

/** The form of a strategy, when it is saved, misses the query of the page that it was on; React recovers from this. */
const RECOVERED = 'Minified React error #520'
const flag = 'new-search'
const flagPage = `/projects/default/features/${flag}`

describe("targeting, integrations, export and import in the service's own frontend", () => {
  let frontend: Awaited<ReturnType<typeof startFrontend>>
  let admin: Visitor

  beforeAll(async () => {
    const fixtures = { features: [{ name: flag, environments: [{ name: 'development', enabled: true }] }] }
    frontend = await startFrontend(fixtures)
    admin = await openWindow(frontend.browser, frontend.server.url)
    await admin.signIn('admin', 'flagdouble')
  })
  afterAll(() => frontend.close())

  const problems = () => unexpected(admin).filter((problem) => !problem.includes(RECOVERED))

  const development = (name: string) =>
    frontend.server.mock.features.get(name)?.environments.find((environment) => environment.name === 'development')

  /** In the form of a constraint. */
  const enterValues = async (values: string) => {
    const { page } = admin
    await page.getByTestId('CONSTRAINT_ADD_VALUES_BUTTON').click()
    await page.getByTestId('CONSTRAINT_VALUES_INPUT').locator('input').fill(values)
    await page.getByTestId('CONSTRAINT_VALUES_ADD_BUTTON').click()
    for (const value of values.split(',')) await page.getByText(value, { exact: true }).first().waitFor()
  }

  const enterRollout = (percentage: string) => admin.page.locator('form input[type=number]').first().fill(percentage)

  /** Whether an application has the flag, as its SDK asks for it. */
  const isOn = async (userId: string, appName: string) => {
    const query = new URLSearchParams({ userId, appName })
    const response = await fetch(`${frontend.server.url}/api/frontend?${query}`, {
      headers: { authorization: FRONTEND },
    })
    const { toggles }: { toggles: { name: string }[] } = await response.json()
    return toggles.some(({ name }) => name === flag)
  }

  const flip = async (name: string, enabled: boolean) => {
    const { page, visit } = admin
    await visit('/projects/default')
    await page.getByTestId(`TOGGLE-${name}-development`).locator('input').click()
    await expect.poll(() => development(name)?.enabled).toBe(enabled)
  }

  const sent = () => frontend.server.mock.requests.all().flatMap((entry) => entry.sent ?? [])

  it('the frontend creates a segment', async () => {
    const { page, visit } = admin
    await visit('/segments/create')
    await page.getByTestId('SEGMENT_NAME_ID').locator('input').fill('beta-users')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByPlaceholder('Select a context').click()
    await page.getByRole('option', { name: 'userId' }).click()
    await enterValues('7,8')
    await page.keyboard.press('Escape')
    await page.getByTestId('SEGMENT_CREATE_BTN_ID').click()
    await page.waitForURL(/\/segments\/?$/)
    await page.getByText('beta-users').first().waitFor()
    expect(frontend.server.mock.state().segments).toMatchObject([
      { name: 'beta-users', constraints: [{ contextName: 'userId', operator: 'IN', values: ['7', '8'] }] },
    ])
    expect(problems()).toEqual([])
  })

  it('the frontend adds a gradual rollout for a segment and a constraint, which applications see', async () => {
    const { page, visit } = admin
    await visit(`${flagPage}/strategies/create?environmentId=development&strategyName=flexibleRollout`)
    await enterRollout('100')
    await page.getByTestId('STRATEGY_TARGETING_TAB').click()
    await page.getByPlaceholder('Select segments').click()
    await page.getByRole('option', { name: 'beta-users' }).click()
    await page.getByTestId('ADD_CONSTRAINT_BUTTON').click()
    await enterValues('shop')
    await page.keyboard.press('Escape')
    await page.getByTestId('STRATEGY_FORM_SUBMIT_ID').click()
    await page.getByText('1 strategy added').first().waitFor()
    const [segment] = frontend.server.mock.state().segments
    expect(development(flag)?.strategies).toMatchObject([
      {
        name: 'flexibleRollout',
        parameters: { rollout: '100' },
        segments: [segment?.id],
        constraints: [{ contextName: 'appName', operator: 'IN', values: ['shop'] }],
      },
    ])
    expect([await isOn('7', 'shop'), await isOn('9', 'shop'), await isOn('7', 'office')]).toEqual([true, false, false])
    expect(problems()).toEqual([])
  })

  it('the frontend changes the share of a rollout, which applications see', async () => {
    const { page, visit } = admin
    await visit(flagPage)
    await page.getByText('1 strategy added').first().click()
    await page.getByTestId('STRATEGY_EDIT-flexibleRollout').click()
    await enterRollout('0')
    await page.getByTestId('STRATEGY_FORM_SUBMIT_ID').click()
    await expect.poll(() => development(flag)?.strategies[0]?.parameters.rollout).toBe('0')
    expect(development(flag)?.strategies).toMatchObject([{ constraints: [{ values: ['shop'] }] }])
    expect(await isOn('7', 'shop')).toBe(false)
    expect(problems()).toEqual([])
  })

  it('the frontend creates a webhook; the journal has the message about a change of a flag', async () => {
    const { page, visit } = admin
    await visit('/integrations')
    await page.getByRole('link', { name: /^Webhook/ }).click()
    await page.locator('input[name=url]').fill('https://hooks.example.com/flags')
    await page.getByTestId('select-event-input').getByRole('combobox').fill('feature-environment-')
    await page.getByRole('option', { name: 'feature-environment-disabled' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Configured integrations').waitFor()
    expect(frontend.server.mock.state().addons).toMatchObject([
      { provider: 'webhook', enabled: true, events: ['feature-environment-disabled'] },
    ])
    await flip(flag, false)
    const body = expect.objectContaining({ type: 'feature-environment-disabled', featureName: flag })
    expect(sent()).toEqual([{ provider: 'webhook', integrationId: 1, body }])
    expect(problems()).toEqual([])
  })

  it('the frontend changes the webhook, switches it off and deletes it', async () => {
    const { page, visit } = admin
    const choose = async (item: string) => {
      await visit('/integrations')
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog').getByRole('button', { name: "Yes, I'm sure" }).click()
    }
    await visit('/integrations/edit/1')
    await page.getByTestId('select-event-input').getByText('feature-environment-disabled').waitFor()
    await page.locator('textarea[name=description]').fill('For the shop')
    await page.getByTestId('select-event-input').getByRole('combobox').fill('feature-environment-')
    await page.getByRole('option', { name: 'feature-environment-enabled' }).click()
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByText('Configured integrations').waitFor()
    await flip(flag, true)
    expect(sent()).toMatchObject([{ body: { type: 'feature-environment-disabled' } }, { body: { featureName: flag } }])
    await choose('Disable')
    await expect
      .poll(() => frontend.server.mock.state().addons)
      .toMatchObject([{ enabled: false, description: 'For the shop' }])
    await flip(flag, false)
    expect(sent()).toHaveLength(2)
    await choose('Delete')
    await expect.poll(() => frontend.server.mock.state().addons).toEqual([])
    expect(problems()).toEqual([])
  })

  it('the frontend exports the flags of a project, and imports them where they are missing, into another environment', async () => {
    const { page, visit } = admin
    await visit('/projects/default')
    await page.getByRole('link', { name: flag }).waitFor()
    await page.getByRole('button', { name: 'Export all project flags' }).click()
    const download = page.waitForEvent('download')
    await page.getByTestId('DIALOGUE_CONFIRM_ID').click()
    const buffer = readFileSync(await (await download).path())
    const { features, strategies } = exported(buffer)
    expect(features).toEqual(['checkout-redesign', 'legacy-export', flag])

    const { features: before, ...rest } = frontend.server.mock.state()
    frontend.server.mock.restore({ ...rest, features: before.filter(({ project }) => project !== 'default') })
    await visit('/projects/default')
    await page.getByTestId('IMPORT_BUTTON').click()
    await page.getByTestId('IMPORT_ENVIRONMENT').getByRole('combobox').click()
    await page.getByRole('option', { name: 'production' }).click()
    await page
      .getByTestId('import-file')
      .first()
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
    await page.getByTestId('VALIDATE_BUTTON').click()
    await page.getByTestId('IMPORT_CONFIGURATION_BUTTON').click()
    await page.getByText('Import completed').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('link', { name: 'legacy-export' }).waitFor()
    const imported = features.map((name) => frontend.server.mock.features.get(name))
    const production = imported.flatMap((feature) => feature?.environments.filter(({ name }) => name === 'production'))
    const found = production.flatMap((environment) => environment?.strategies)
    expect(found).toMatchObject(strategies)
    expect(problems()).toEqual([])
  })

  it('the operations that the frontend calls are listed', () => expectListed(frontend.called, 'operations-depth.txt'))
})

interface Exported {
  features: { name: string }[]
  featureStrategies: { name: string; featureName: string; parameters: object }[]
}

/** The names of the features in an exported file, sorted, and their strategies in the same order. */
function exported(file: Buffer) {
  const { features, featureStrategies }: Exported = JSON.parse(file.toString())
  const names = features.map(({ name }) => name).toSorted()
  const strategies = names.flatMap((name) => featureStrategies.filter(({ featureName }) => featureName === name))
  return {
    features: names,
    strategies: strategies.map(({ name, featureName, parameters }) => ({ name, featureName, parameters })),
  }
}
