import { SCENARIO_QUERY } from '../../../engine/http/resolve.js'
import { readStored, writeStored } from './page-storage.js'

const KEY = 'flagdouble:scenario'

export interface PageScenario {
  /** The current name, or several joined by commas; undefined for none. */
  read(): string | undefined
  /** Whether its URL ends the scenario that the page had before: it was typed, or says so. */
  readonly isNew: boolean
  /** Makes scenarios those of the page, as if they had been in its URL. */
  choose(scenario: string): void
  /** The page's URL with a scenario, or (undefined) without one. */
  addressUnder(scenario: string | undefined): string
}

/**
 * The page's URL names the scenario, `?scenario=expired-token`. It is remembered for this tab and persists while the app
 * navigates and when the page is reloaded. It ends with `?scenario=`, and when a URL without it is typed.
 */
export function pageScenario(): PageScenario {
  let remembered = wasTyped() ? undefined : readStored(KEY)
  const isNew = wasTyped() || new URLSearchParams(location.search).has(SCENARIO_QUERY)
  return {
    isNew,
    read() {
      const named = new URLSearchParams(location.search).get(SCENARIO_QUERY)
      if (named !== null) remembered = named.trim() || undefined
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

function addressUnder(scenario: string | undefined): string {
  const address = new URL(location.href)
  address.searchParams.set(SCENARIO_QUERY, scenario ?? '')
  return address.href
}

/** Whether this URL was typed or opened from elsewhere, not reached from another page of the app. */
function wasTyped(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type === 'navigate' && !document.referrer.startsWith(`${location.origin}/`)
}
