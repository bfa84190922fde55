import { parse } from 'hono/utils/cookie'
import { withoutTrailing } from '../../../../support/text.js'

/** The session that the panel shows, and which of its scenarios. Empty: the shared session, what it is switched to. */
export interface PanelView {
  session: string
  world: string
}

/** What the panel shows, and in which part. */
export interface PanelPlace extends PanelView {
  part: string
}

/** How the panel reaches its mock, and where it stands. All that differs between a server and a page is in here. */
export interface Host {
  /** Sends a request to a path relative to `/__mock/`. Rejects as `fetch` does. */
  send(path: string, init: RequestInit): Promise<Response>
  /** The origin of the service, for commands to copy. */
  readonly origin: string
  readonly place: {
    read(): PanelPlace
    write(place: PanelPlace): void
    /** Calls back when the user changes the place by other means, such as the address. Returns how to stop that. */
    follow(changed: () => void): () => void
  }
  /** A link that opens the app under a scenario. Left out where none does. */
  scenarioLink?(name: string): string
  /** Links to pass on, and to follow. Left out where the mock has no address. */
  readonly links?: {
    /** This panel at a place. */
    panel(place: PanelPlace): string
    /** This browser joins a session and comes back here. */
    join(session: string, place: PanelPlace): string
    /** Back to the shared session. */
    leave(place: PanelPlace): string
  }
  /** Cookies by which this browser names a scenario and a session. Left out where none count. */
  readonly cookies?: { read(name: string): string; drop(name: string): void }
  /** Told of every switch that is made here. */
  switched?(names: readonly string[]): void
  /** Whether the panel is all that the page shows. */
  readonly isOwnPage: boolean
  /** Whether somebody who signs in here is signed in to the app. */
  readonly signsIn: boolean
  /** Where the panel is docked in the page of an app. Left out where it is not. */
  readonly dock?: { side(): Side; move(side: Side): void; close(): void }
}

/** The sides of a page at which a panel can be docked. */
export const sides = ['left', 'bottom', 'right'] as const

export type Side = (typeof sides)[number]

/** A panel of its own page: the mock answers at this page's address. */
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
    scenarioLink: (name) => at(`use/${encodeURIComponent(name)}`).href,
    links: {
      panel: (place) => at(addressOf(place)).href,
      join: (session, place) => at(`use?session=${encodeURIComponent(session)}&redirect=${back(place)}`).href,
      leave: (place) => at(`leave?redirect=${back(place)}`).href,
    },
    cookies: { read: (name) => parse(document.cookie, name)[name] ?? '', drop: dropCookie },
    isOwnPage: true,
    signsIn: true,
  }
}

/** The place in the panel's address: `?session=nora&data=empty#clock`. */
export function placeIn({ search, hash }: { search: string; hash: string }): PanelPlace {
  const query = new URLSearchParams(search)
  return { part: hash.slice(1), session: query.get('session') ?? '', world: query.get('data') ?? '' }
}

/** The panel's address at a place, relative to `/__mock/`. */
export function addressOf({ part, session, world }: PanelPlace): string {
  const query = new URLSearchParams({
    ...(session === '' ? {} : { session }),
    ...(world === '' ? {} : { data: world }),
  })
  return `./${query.size === 0 ? '' : `?${query}`}${part === '' ? '' : `#${part}`}`
}

/** The address of `/__mock/`. The page's own may lack the slash. */
function folder(): string {
  return `${location.origin}${withoutTrailing(location.pathname, '/')}/`
}

function dropCookie(name: string): void {
  // The page of a UI below a base path sets its cookie there.
  for (const path of ['/', withoutTrailing(new URL('..', folder()).pathname, '/')]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = `${name}=; path=${path}; max-age=0`
  }
}
