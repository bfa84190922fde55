import type { ComponentChildren } from 'preact'
import { type PartProps, QuietButton } from './controls.js'
import type { Panel } from './panel.js'
import { activeNames, type PanelState, titleOf } from './panel-state.js'
import { findScenario } from './shortcuts.js'
import { sessionWords } from './words.js'

/** An urgent notice, with an action. */
interface Trouble {
  isBad?: boolean
  words: ComponentChildren
  actions?: Readonly<Record<string, (event: { currentTarget: HTMLElement }) => unknown>>
}

/** Notices about the mock and its files, and the differences between this browser's view and the panel's. */
export function troublesIn(panel: Panel, state: PanelState): Trouble[] {
  const { connection, refusal, situation } = state
  const { notice, notices = [] } = situation
  const troubles: Trouble[] = notices.map((words) => ({ words }))
  if (connection === 'lost') {
    const reason = refusal === undefined ? "The mock isn't responding." : `${refusal.message} ${refusal.hint}`
    const words = `${reason} This is the last known state; the panel reconnects by itself.`
    troubles.push({ isBad: true, words })
  }
  const fault = panel.host.addressFault?.()
  if (fault !== undefined) {
    const choose = ({ currentTarget }: { currentTarget: HTMLElement }) =>
      findScenario(panel, currentTarget.closest('.app'))
    troubles.push({ isBad: true, words: `${fault}.`, actions: { 'Choose another': choose } })
  }
  if (notice !== undefined) troubles.push({ words: notice, actions: { 'Start over': () => panel.startOver() } })
  return [...troubles, ...elsewhere(panel, state)]
}

/** Notices if the panel shows, or this browser's cookies select, another scenario or session than the current one. */
function elsewhere(panel: Panel, state: PanelState): Trouble[] {
  const { cookies, place } = state
  const { session, scenario } = cookies
  const isInSession = session === place.session
  const others = place.session === '' ? 'everybody else' : sessionWords(place.session)
  const now = titleOf(state, activeNames(state))
  const { app } = state.situation
  const goBack = {
    ...(app !== undefined && { 'Open the app': () => location.assign(app) }),
    'Go back': () => panel.dropCookies(),
  }
  const found: Trouble[] = []
  if (scenario !== '' && scenario === place.world && isInSession) {
    const words = (
      <>
        A link switched this browser to <strong>{titleOf(state, scenario)}</strong>; {others} sees {now}.
      </>
    )
    return [{ words, actions: goBack }]
  }
  if (place.world !== '') {
    const words = (
      <>
        You are looking at <strong>{titleOf(state, place.world)}</strong>; {sessionWords(place.session)} is in {now}.
      </>
    )
    found.push({ words, actions: { Back: () => panel.go({ world: '' }) } })
  }
  const name = scenario || session
  if (scenario === '' && isInSession) return found
  if (name === '') {
    const words = (
      <>
        This browser's pages use <strong>the shared session</strong>; you are looking at {sessionWords(place.session)}.
      </>
    )
    return [...found, { words, actions: { 'Open the shared session': () => panel.go({ session: '' }) } }]
  }
  const words = (
    <>
      {scenario === '' ? 'Pages on this host use the session ' : 'A link switched this browser to '}
      <strong>{scenario === '' ? name : titleOf(state, name)}</strong>
      {scenario === '' ? ' in this browser.' : ', independent of the session.'}
    </>
  )
  const open = () => panel.go({ session: session || place.session, world: scenario })
  return [...found, { words, actions: { [`Open ${name}`]: open, 'Remove the cookie': () => panel.dropCookies() } }]
}

/** The notices, one a line. */
export function Troubles({ panel, state }: PartProps) {
  return (
    <>
      {troublesIn(panel, state).map(({ isBad = false, words, actions = {} }, at) => (
        <div key={at} class={`banner line ${isBad ? 'bad' : 'warn'}`} {...(isBad && { role: 'alert' })}>
          <p>{words}</p>
          {Object.entries(actions).map(([label, act]) => (
            <QuietButton key={label} onClick={act}>
              {label}
            </QuietButton>
          ))}
        </div>
      ))}
    </>
  )
}
