import { isObject } from '../../../support/json.js'
import { unpack } from '../../fragment.js'
import { CallError, call } from './api.js'
import { pageHost } from './host.js'

type Content = readonly (Node | string)[]

const host = pageHost()

/** Shows what the link would change, and asks. The mock checks all that the link holds before anything changes. */
async function ask(root: HTMLElement): Promise<void> {
  const fragment = location.hash.slice(1)
  if (fragment === '') throw new Error('The link holds no world: its part after # is missing.')
  const given = await unpack(fragment)
  if (!isObject(given) || !isObject(given.scenario)) throw new Error('The link is broken: it holds no world.')
  if (given.version !== root.dataset.version) {
    throw new Error(
      `The link is from version ${String(given.version)} of flagdouble, and this is ${root.dataset.version}. Open it with the same version.`,
    )
  }
  const session = host.cookies?.read('mock-session') ?? ''
  const open = element('button', ['Open this world'])
  open.addEventListener('click', async () => {
    open.disabled = true
    await openWorld(given, session).catch((error: unknown) => fail(root, error))
  })
  root.replaceChildren(
    element('h1', [`Open “${String(given.scenario.title)}”?`]),
    element('p', [`${session === '' ? 'This mock' : `Your session “${session}”`} switches to the world of this link:`]),
    element(
      'ul',
      changesOf(given.scenario, given.clock).map((line) => element('li', [line])),
    ),
    element('p', ['What is there now can be brought back: the panel undoes the switch.']),
    actions(open, 'Leave everything as it is'),
  )
}

/** Lines about a world: what it is made of, as far as a person wants to know before it is opened. */
function changesOf({ extends: base, seed, force }: Record<string, unknown>, clock: unknown): string[] {
  const records = isObject(seed) ? Object.entries(seed).map(([kind, given]) => `${kind}: ${countOf(given)}`) : []
  const rules = Array.isArray(force) ? force.filter(isObject) : []
  return [
    base === undefined ? 'It holds all of its data' : `It builds on the scenario “${String(base)}”`,
    ...(records.length === 0 ? ['No records differ'] : records),
    rules.length === 0
      ? 'No answers are forced besides those of the scenario'
      : `Forced answers: ${rules.map(({ operation }) => String(operation)).join(', ')}`,
    isObject(clock)
      ? `The clock ${clock.frozen === true ? 'stands still at' : 'runs on from'} ${String(clock.now)}`
      : 'The clock shows real time',
  ]
}

/** `3 added or changed, 1 removed` */
function countOf(given: unknown): string {
  const records = isObject(given) ? Object.values(given) : [given].flat()
  const removed = records.filter((record) => record === null).length
  return [
    ...(removed < records.length ? [`${records.length - removed} added or changed`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ].join(', ')
}

async function openWorld(shared: unknown, session: string): Promise<void> {
  await call(host, { session, world: '' }, { method: 'POST', path: 'share', body: shared })
  // A scenario that a QA link chose for this browser would go before the one that was opened.
  host.cookies?.drop('mock-scenario')
  location.href = host.links?.panel({ part: '', session, world: '' }) ?? './'
}

function fail(root: HTMLElement, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof CallError ? [element('p', [error.hint])] : []
  const reason = element('p', [message])
  reason.setAttribute('role', 'alert')
  root.replaceChildren(element('h1', ['Nothing was changed.']), reason, ...hint, actions('To the control panel'))
}

function actions(...content: [...Content, link: string]): HTMLElement {
  const link = element('a', [content.at(-1) ?? ''])
  link.href = './'
  const line = element('p', [...content.slice(0, -1), link])
  line.className = 'line'
  return line
}

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, content: Content): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  made.append(...content)
  return made
}

const root = document.getElementById('use')
if (root !== null) ask(root).catch((error: unknown) => fail(root, error))
