import { parse } from 'hono/utils/cookie'
import { withoutTrailing } from '../support/text.js'

/** The session and the scenarios in the panel. Empty: the shared session, its current scenarios. */
export interface PanelView {
  session: string
  world: string
}

/** The panel's session and scenarios, and its open part. */
export interface PanelPlace extends PanelView {
  part: string
}

/** The panel's access to its mock, and its place. It contains all differences between a server and a page. */
export interface Host {
  /** Sends a request to a path relative to `/__mock/`. Rejects as `fetch` does. */
  send(path: string, init: RequestInit): Promise<Response>
  /** The origin of the mock, for copied commands. */
  readonly origin: string
  readonly place: {
    read(): PanelPlace
    write(place: PanelPlace): void
    /**
     * Calls a function when the user changes the place otherwise, such as in the address bar. Returns a function that
     * unsubscribes.
     */
    follow(changed: () => void): () => void
  }
  /** A link that opens the app in a scenario, or the panel if the app has another address. Left out if no link can. */
  scenarioLink?(name: string, app: string | undefined): string
  /** Why the address of the app's page names no scenario. Left out, or undefined, if nothing is wrong with it. */
  addressFault?(): string | undefined
  /** Links to share and to follow. Left out if the mock has no address. */
  readonly links?: {
    /** The panel at a place. */
    panel(place: PanelPlace): string
    /** Joins a session with this browser, and opens the app, or else the panel at a place. */
    join(session: string, to: string | PanelPlace): string
    /** Returns to the shared session. */
    leave(place: PanelPlace): string
  }
  /** The cookies that select this browser's scenario and session. Left out if cookies have no effect. */
  readonly cookies?: { read(name: string): string; drop(name: string): void }
  /** Called after every switch in the panel. */
  switched?(names: readonly string[]): void
  /** Whether the page shows only the panel. */
  readonly isOwnPage: boolean
  /** Whether signing in here signs the user in to the app. */
  readonly signsIn: boolean
  /** The panel's dock in the page of an app. Left out elsewhere. */
  readonly dock?: { side(): Side; move(side: Side): void; close(): void }
}

/** The sides of a page where a panel can be docked. */
export const sides = ['left', 'bottom', 'right'] as const

export type Side = (typeof sides)[number]

/** The host of a panel on its own page: the mock has the page's origin. */
export function pageHost(): Host {
  const at = (path: string) => new URL(path, folder())
  const back = (place: PanelPlace) => encodeURIComponent(at(addressOf(place)).href.slice(location.origin.length))
  return {
    send: (path, init) => fetch(at(path), init),
    origin: location.origin,
    place: {
      read: () => placeIn(location),
      write: (place) => {
        const address = addressOf(place)
        if (at(address).href !== location.href) history.pushState(null, '', at(address))
      },
      follow(changed) {
        addEventListener('popstate', changed)
        return () => removeEventListener('popstate', changed)
      },
    },
    scenarioLink: (name, app) => {
      const link = at(`use/${encodeURIComponent(name)}`)
      if (app !== undefined) link.searchParams.set('redirect', app)
      return link.href
    },
    links: {
      panel: (place) => at(addressOf(place)).href,
      join(session, to) {
        const redirect = typeof to === 'string' ? encodeURIComponent(to) : back(to)
        return at(`use?session=${encodeURIComponent(session)}&redirect=${redirect}`).href
      },
      leave: (place) => at(`leave?redirect=${back(place)}`).href,
    },
    cookies: { read: (name) => parse(document.cookie, name)[name] ?? '', drop: dropCookie },
    isOwnPage: true,
    signsIn: true,
  }
}

/** The place from the panel's URL: `?session=nora&data=empty#clock`. */
export function placeIn({ search, hash }: { search: string; hash: string }): PanelPlace {
  const query = new URLSearchParams(search)
  return { part: hash.slice(1), session: query.get('session') ?? '', world: query.get('data') ?? '' }
}

/** The panel's URL for a place, relative to `/__mock/`. */
export function addressOf({ part, session, world }: PanelPlace): string {
  const query = new URLSearchParams({
    ...(session === '' ? {} : { session }),
    ...(world === '' ? {} : { data: world }),
  })
  return `./${query.size === 0 ? '' : `?${query}`}${part === '' ? '' : `#${part}`}`
}

/** The URL of `/__mock/`. The page's own URL can lack the slash. */
function folder(): string {
  return `${location.origin}${withoutTrailing(location.pathname, '/')}/`
}

function dropCookie(name: string): void {
  // A UI page below a base path sets its cookie there.
  for (const path of ['/', withoutTrailing(new URL('..', folder()).pathname, '/')]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = `${name}=; path=${path}; max-age=0`
  }
}
