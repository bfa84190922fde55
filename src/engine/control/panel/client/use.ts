import { isObject } from '../../../../support/json.js'
import { unpack } from '../../fragment.js'
import { describeShared } from '../../shared-words.js'
import { CallError, call } from './api.js'
import { pageHost } from './host.js'

type Content = readonly (Node | string)[]

const host = pageHost()

/** Shows what the link would change, and asks. The mock checks all that the link holds before anything changes. */
async function ask(root: HTMLElement): Promise<void> {
  const fragment = location.hash.slice(1)
  if (fragment === '') throw new Error('The link holds nothing: its part after # is missing.')
  const given = await unpack(fragment)
  if (!isObject(given) || !isObject(given.scenario)) throw new Error('The link is broken: it holds no scenario.')
  if (given.version !== root.dataset.version) {
    throw new Error(
      `The link is from version ${String(given.version)} of flagdouble, and this is ${root.dataset.version}. Open it with the same version.`,
    )
  }
  const session = host.cookies?.read('mock-session') ?? ''
  const open = element('button', ['Open it'])
  open.addEventListener('click', async () => {
    open.disabled = true
    await openWorld(given, session).catch((error: unknown) => fail(root, error))
  })
  const [sentence, ...changes] = describeShared(given.scenario, given.clock)
  root.replaceChildren(
    element('h1', [`Open “${String(given.scenario.title)}”?`]),
    element('p', [
      `${session === '' ? 'This mock' : `Your session “${session}”`} switches to what the link holds. ${sentence}`,
    ]),
    ...(changes.length === 0
      ? []
      : [
          element(
            'ul',
            changes.map((line) => element('li', [line])),
          ),
        ]),
    element('p', ['What is there now stays: “Switch back” in the panel leads to it.']),
    actions(open, 'Leave everything as it is'),
  )
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
