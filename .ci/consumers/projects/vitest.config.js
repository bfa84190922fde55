import { playwright } from '@vitest/browser-playwright'

const launchOptions = { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] }
const browser = {
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' }],
}

/** Answers like a server that has no such file, before Vitest adds msw's script itself. */
const withoutScript = {
  name: 'without-script',
  configureServer({ middlewares }) {
    middlewares.use('/mockServiceWorker.js', (_, response) => response.writeHead(404).end())
  },
}

export default {
  test: {
    projects: [
      { test: { name: 'server', include: ['*.test.js'] } },
      { test: { name: 'client', include: ['*.test.js'], browser } },
      { plugins: [withoutScript], test: { name: 'without-script', include: ['passing.test.js'], browser } },
    ],
  },
}
