import { SCENARIO_QUERY } from '../../http/select.js'

const KEY = 'flagdouble:scenario'

/** The scenario that a page is under. */
export interface PageScenario {
  /** Its name, or several joined by commas, as the page has it now; undefined: none. */
  read(): string | undefined
  /** The address of this page under a scenario, or (undefined) under none. */
  addressUnder(scenario: string | undefined): string
}

/**
 * The scenario is named by the page's own address, `?scenario=expired-token`, and remembered for this tab: it stays when
 * the app navigates on, and when the page is reloaded. It ends by `?scenario=`, and when an address without it is typed.
 */
export function pageScenario(): PageScenario {
  let remembered = wasTyped() ? undefined : stored()
  return {
    read() {
      const named = new URLSearchParams(location.search).get(SCENARIO_QUERY)
      if (named !== null) remembered = named.trim() || undefined
      store(remembered)
      return remembered
    },
    addressUnder(scenario) {
      const address = new URL(location.href)
      address.searchParams.set(SCENARIO_QUERY, scenario ?? '')
      return address.href
    },
  }
}

/** Whether somebody typed this address, or opened it from elsewhere, rather than coming from another page of the app. */
function wasTyped(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type === 'navigate' && !document.referrer.startsWith(`${location.origin}/`)
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** Without storage, as in a sandboxed frame, the scenario lasts until the page is left. */
function store(scenario: string | undefined): void {
  try {
    if (scenario === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, scenario)
  } catch {
    return
  }
}
