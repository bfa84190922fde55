import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { NOW } from '../support/adapters.js'
import { it, openPanel } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'

/** The folder of the pictures. `FLAGDOUBLE_PICTURES=keep` saves the current pictures. */
const folder = join(import.meta.dirname, 'pictures')

/** The percentage of points that can differ, because each machine draws fonts a little differently. */
const TOLERANCE = 2

/** The percentage of points that differ between two pictures. Each is scaled down first, so that edges don't count. */
function differing(page: Page, pictures: readonly Buffer[]): Promise<number> {
  const urls = pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`)
  return page.evaluate(async (given) => {
    const drawn = await Promise.all(
      given.map(async (url) => {
        const picture = new Image()
        picture.src = url
        await picture.decode()
        const canvas = new OffscreenCanvas(picture.width / 4, picture.height / 4)
        const context = canvas.getContext('2d')
        if (context === null) throw new Error('This browser draws nothing.')
        context.imageSmoothingQuality = 'high'
        context.drawImage(picture, 0, 0, canvas.width, canvas.height)
        return context.getImageData(0, 0, canvas.width, canvas.height)
      }),
    )
    const [one, other] = drawn
    if (one === undefined || other === undefined || one.data.length !== other.data.length) return 100
    let count = 0
    for (let at = 0; at < one.data.length; at += 4) {
      const isSame = [0, 1, 2].every(
        (channel) => Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)) < 24,
      )
      if (!isSame) count++
    }
    return (400 * count) / one.data.length
  }, urls)
}

it.for([
  ['requests', 'light', 1280],
  ['data', 'dark', 1280],
  ['history', 'light', 800],
  ['rules', 'dark', 800],
  ['scenarios', 'light', 375],
  ['data/signup-tokens', 'dark', 375],
] as const)(
  'the panel looks like its saved picture: %s, %s, at %i pixels',
  async ([part, colorScheme, width], { browser }) => {
    const context = { colorScheme, viewport: { width, height: 700 }, reducedMotion: 'reduce' } as const
    await using panel = await openPanel(browser, { seed: 1, now: NOW }, context)
    const { page, server } = panel
    await panel.ask('POST', clonePath, { name: 'a-copy' }, { authorization: 'user:mock-admin' })
    await panel.ask('POST', clonePath, { name: 'a-copy' }, { authorization: 'user:mock-admin' })
    await page.goto(`${server.url}/__mock/#${part}`)
    await page.reload()
    await page.getByRole('status').getByText('Live').waitFor()
    // Contents that depend on the time or the speed of this run.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('.opener .pill { display: none } .entry-line > .end:not(.pill) { visibility: hidden }')
      document.adoptedStyleSheets = [sheet]
    })
    const picture = await page.screenshot()
    const file = join(folder, `${part.replace('/', '-')}-${colorScheme}-${width}.png`)
    if (process.env.FLAGDOUBLE_PICTURES === 'keep' || !existsSync(file)) {
      expect(process.env.FLAGDOUBLE_PICTURES).toBe('keep')
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, picture)
    }
    const empty = await page.context().newPage()
    expect(await differing(empty, [readFileSync(file), picture])).toBeLessThan(TOLERANCE)
  },
)

it('nothing in the panel moves for users who prefer reduced motion', async ({ browser }) => {
  const moving = async (reducedMotion: 'reduce' | 'no-preference') => {
    await using panel = await openPanel(browser, { now: NOW }, { reducedMotion })
    return await panel.page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element)
          return animationName !== 'none' || !/^0s(, 0s)*$/.test(transitionDuration)
        }).length,
    )
  }
  expect(await moving('no-preference')).toBeGreaterThan(0)
  expect(await moving('reduce')).toBe(0)
})

it('the main button of a form stays readable under the pointer', async ({ browser }) => {
  await using panel = await openPanel(browser, { now: NOW }, { reducedMotion: 'reduce' })
  await panel.goTo('Rules')
  const button = panel.page.getByRole('button', { name: 'Add the rule' })
  await button.hover()
  const [text, ground] = await button.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    return [color, backgroundColor]
  })
  expect(text).not.toBe(ground)
})

it('a request appears with its sentence, and a key undoes it', async ({ panel, page, server }) => {
  await panel.ask('POST', clonePath, { name: 'n1' }, { authorization: 'user:mock-admin' })
  await page.locator('.entry').getByText('Admin cloned checkout-redesign as n1').waitFor()
  await panel.goTo('History')
  await page.getByRole('button', { name: 'Admin cloned checkout-redesign as n1 · just now', expanded: false }).waitFor()
  await page.keyboard.press('Control+z')
  const message = page.locator('.message')
  await message.getByText('Undone: Admin cloned checkout-redesign as n1.').waitFor()
  expect(server.mock.features.get('n1')).toBeUndefined()
  await message.getByRole('button', { name: 'Redo' }).click()
  await message.getByText('Redone: Admin cloned checkout-redesign as n1.').waitFor()
  expect(server.mock.features.get('n1')).toBeDefined()
})
