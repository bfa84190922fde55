import { defineConfig } from '@playwright/test'

// CI brings a Chromium of its own; without the variable Playwright uses the one it has installed.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: executablePath ? { launchOptions: { executablePath, args: ['--no-sandbox'] } } : {},
})
