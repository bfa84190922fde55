import { type Answer, textAnswer } from '../../http/answer.js'
import { CONTROL_PATH, rawPath } from '../../http/routes.js'
import type { ControlCall, ControlRoute } from '../row.js'
import { page } from './page.js'

/** The page can run its own script and call its own origin, nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const secureHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
}

/** The control panel: the page, its script and its stylesheet. */
export const panelRoutes: readonly ControlRoute[] = [
  // The links are relative, so that they work under any path. Next.js strips the slash, so the route doesn't redirect to it.
  route('/', async ({ request }) => {
    const folder = rawPath(request.url).endsWith('/') ? '' : `${CONTROL_PATH.slice(1)}/`
    return textAnswer(200, 'text/html', String(await page(folder)))
  }),
  // Loaded on first use: test runs never need these files.
  route('/panel.js', async () => file('text/javascript', (await import('panel:script')).default)),
  route('/panel.css', async () => file('text/css', (await import('panel:stylesheet')).default)),
]

function route(path: string, answer: (call: ControlCall) => Promise<Answer>): ControlRoute {
  return {
    method: 'GET',
    path: CONTROL_PATH + path,
    answer: async (call) => {
      const answered = await answer(call)
      return { ...answered, headers: { ...secureHeaders, ...answered.headers } }
    },
  }
}

function file(type: string, text: string): Answer {
  return textAnswer(200, type, text, { 'cache-control': 'no-cache' })
}
