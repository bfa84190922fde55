import { defineConfig } from '@playwright/test'

// CI sets the path of a Chromium; without the variable, Playwright uses its installed browser.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  // On a busy machine, Chromium and a first build take longer.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  testDir: 'test',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: { launchOptions: { ...(executablePath && { executablePath, args: ['--no-sandbox'] }) } },
  projects: [
    { name: 'worker', testMatch: 'worker.spec.js', use: { baseURL: 'http://localhost:5183' } },
    { name: 'server', testMatch: ['server.spec.js', 'own-mocks.spec.js'], use: { baseURL: 'http://localhost:5184' } },
  ],
  webServer: [
    { command: 'vite --port 5183 --strictPort', url: 'http://localhost:5183' },
    { command: 'vite --mode server --port 5184 --strictPort', url: 'http://localhost:5184' },
  ],
})
