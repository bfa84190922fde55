import * as z from 'zod'
import type { Host } from '../../../panel/host.js'
import { pageStore } from './page-storage.js'

/** A mock in this page, as the panel uses it. */
export interface PanelTarget {
  respond(request: Request): Promise<Response>
  /** The start of the mock's links. */
  readonly baseUrl: string
  readonly signsIn: boolean
  scenarioLink?(name: string): string
  addressFault?(): string | undefined
  switched?(names: readonly string[]): void
}

/** Whether the drawer is open in this tab. */
export const storedOpen = pageStore('flagdouble:panel-open', z.object({ open: z.enum(['yes', 'no']) }))

const placeSchema = z.object({ part: z.string(), session: z.string(), world: z.string() })
const storedPlace = pageStore('flagdouble:panel-place', placeSchema)

/**
 * The panel's access to a mock in this page. It starts with the scenarios. This tab stores its place, because the URL
 * belongs to the app.
 */
export function panelHost({ respond, baseUrl, ...rest }: PanelTarget): Host {
  let place = storedPlace.read() ?? { part: 'scenarios', session: '', world: '' }
  return {
    ...rest,
    send: (path, init) => respond(new Request(new URL(path, `${baseUrl}/__mock/`), init)),
    origin: baseUrl,
    place: {
      read: () => place,
      write(given) {
        place = given
        storedPlace.write(given)
      },
      follow: () => () => {},
    },
    isOwnPage: false,
  }
}
