import { defineConfig } from '@playwright/test'

const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  // On a busy machine, Chromium and a first build take longer.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: 'http://127.0.0.1:6107',
    launchOptions: executablePath ? { executablePath, args: ['--no-sandbox'] } : {},
  },
  webServer: {
    command: 'vite preview --outDir storybook-static --host 127.0.0.1 --port 6107 --strictPort',
    url: 'http://127.0.0.1:6107/iframe.html',
  },
})
