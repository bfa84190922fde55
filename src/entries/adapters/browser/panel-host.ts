import * as z from 'zod'
import type { Host } from '../../../engine/control/panel/client/host.js'
import { pageStore } from './page-storage.js'

/** A mock in this page, as the panel reaches it. */
export interface PanelTarget {
  respond(request: Request): Promise<Response>
  /** The start of the mock's links. */
  readonly baseUrl: string
  readonly signsIn: boolean
  scenarioLink?(name: string): string
  switched?(names: readonly string[]): void
}

/** Whether the drawer is open in this tab. */
export const storedOpen = pageStore('flagdouble:panel-open', z.object({ open: z.enum(['yes', 'no']) }))

const placeSchema = z.object({ part: z.string(), session: z.string(), world: z.string() })
const storedPlace = pageStore('flagdouble:panel-place', placeSchema)

/** The panel's way to a mock in this page. It starts with the scenarios. Its place is kept in this tab; the address is the app's. */
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
      // Nothing else changes it.
      follow: () => () => {},
    },
    isOwnPage: false,
  }
}
