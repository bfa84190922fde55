import { SCENARIO_QUERY } from '../../../engine/http/resolve.js'
import { readStored, writeStored } from './page-storage.js'

const KEY = 'flagdouble:scenario'

/** Separates the names of an address with several parameters, which is an error. */
const AGAIN = `&${SCENARIO_QUERY}=`

export interface PageScenario {
  /** The current name, or comma-separated names; undefined for none. */
  read(): string | undefined
  /** Whether the page's URL ends the previous scenario: the user typed it, or it says so. */
  readonly isNew: boolean
  /** Selects scenarios for the page, as its URL would. */
  choose(scenario: string): void
  /** The page's URL with a scenario. */
  addressUnder(scenario: string): string
}

/**
 * The page's URL names the scenario, `?scenario=expired-token`. The tab remembers it, and it persists while the app
 * navigates and after a reload. It ends with `?scenario=`, or when the user types a URL without it.
 */
export function pageScenario(): PageScenario {
  let remembered = wasTyped() ? undefined : readStored(KEY)
  const isNew = wasTyped() || new URLSearchParams(location.search).has(SCENARIO_QUERY)
  return {
    isNew,
    read() {
      const named = new URLSearchParams(location.search).getAll(SCENARIO_QUERY)
      if (named.length > 0) remembered = named.join(AGAIN).trim() || undefined
      writeStored(KEY, remembered)
      return remembered
    },
    choose(scenario) {
      remembered = scenario
      writeStored(KEY, remembered)
      const isNamed = new URLSearchParams(location.search).has(SCENARIO_QUERY)
      if (isNamed) history.replaceState(history.state, '', addressUnder(scenario))
    },
    addressUnder,
  }
}

/** The query that names a page's scenario. */
export function queryNaming(scenario: string): URLSearchParams {
  return new URLSearchParams(scenario.split(AGAIN).map((name) => [SCENARIO_QUERY, name]))
}

function addressUnder(scenario: string): string {
  const address = new URL(location.href)
  address.searchParams.set(SCENARIO_QUERY, scenario)
  return address.href
}

/** Whether the user typed this URL or opened it from elsewhere, not from another page of the app. */
function wasTyped(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type === 'navigate' && !document.referrer.startsWith(`${location.origin}/`)
}
