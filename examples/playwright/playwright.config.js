import { defineConfig } from '@playwright/test'

// CI sets the path of a Chromium; without the variable, Playwright uses its installed browser.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: executablePath ? { launchOptions: { executablePath, args: ['--no-sandbox'] } } : {},
})
