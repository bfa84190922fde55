import type { Host, PanelPlace } from '../../control/panel/client/host.js'
import { isObject } from '../../support/json.js'
import { readStored, writeStored } from './page-storage.js'

/** A mock in this page, as the panel reaches it. */
export interface PanelTarget {
  respond(request: Request): Promise<Response>
  /** The start of the mock's links. */
  readonly baseUrl: string
  readonly signsIn: boolean
  scenarioLink?(name: string): string
  switched?(names: readonly string[]): void
}

/** Where the drawer keeps, for this tab, whether it is open. */
export const OPEN_KEY = 'flagdouble:panel-open'

const KEY = 'flagdouble:panel-place'

/** The panel's way to a mock in this page. Its place is kept in this tab; the address is the app's. */
export function panelHost({ respond, baseUrl, ...rest }: PanelTarget): Host {
  let place: PanelPlace = { part: '', session: '', world: '', ...stored(KEY) }
  return {
    ...rest,
    send: (path, init) => respond(new Request(new URL(path, `${baseUrl}/__mock/`), init)),
    origin: baseUrl,
    place: {
      read: () => place,
      write(given) {
        place = given
        store(KEY, given)
      },
      // Nothing else changes it.
      follow: () => () => {},
    },
    isOwnPage: false,
  }
}

/** An object that was stored in this tab. Undefined if there is none. */
export function stored(key: string, storage = () => sessionStorage): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(readStored(key, storage) ?? 'null')
    if (!isObject(value)) return undefined
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
    )
  } catch {
    return undefined
  }
}

export function store(key: string, value: object, storage = () => sessionStorage): void {
  writeStored(key, JSON.stringify(value), storage)
}
