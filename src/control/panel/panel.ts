import { secureHeaders } from 'hono/secure-headers'
import { type App, type AppContext, type AppOptions, nameScenario } from '../../http/context.js'
import { CONTROL_PATH, rawPath } from '../../http/path.js'
import { page } from './page.js'

/** The page may run its own script and call its own origin, nothing else. */
const secure = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: false,
})

/** Mounts the control panel: the page, its script and its stylesheet. */
export function mountPanel(app: App, options: AppOptions): void {
  const get = (path: string, answer: (c: AppContext) => Response | Promise<Response>) =>
    app.get(CONTROL_PATH + path, async (c) => {
      nameScenario(c, options)
      await secure(c, async () => {
        c.res = await answer(c)
      })
      return c.res
    })
  // Loaded on first request: test runs never load it.
  const assets = () => import('panel:assets')
  get('/', (c) => (rawPath(c.req.url).endsWith('/') ? c.html(page()) : withSlash(c)))
  get('/panel.js', async (c) => file(c, (await assets()).script, 'text/javascript'))
  get('/panel.css', async (c) => file(c, (await assets()).stylesheet, 'text/css'))
}

/** The page's links are relative, so it needs the trailing slash and works under any path. */
function withSlash(c: AppContext): Response {
  return c.redirect(`.${CONTROL_PATH}/`)
}

function file(c: AppContext, text: string, type: string): Response {
  return c.body(text, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' })
}
