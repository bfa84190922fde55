import { useEffect, useState } from 'preact/hooks'
import type { HistoryEntry, RecordChange } from '../../../sessions/history.js'
import { Button, Pairs, type PartProps, QuietButton, usePages } from './controls.js'
import type { Panel } from './panel.js'
import { instantWords } from './words.js'

/** Where the world has been, newest first, to go back there. */
export function History({ panel, state: { history } }: PartProps) {
  const at = history.findIndex(({ current }) => current)
  const all = history.map((moment, i) => ({ moment, isUndone: i > at })).reverse()
  const { shown, button } = usePages(all, { page: 100, more: 'Show older' })
  return (
    <>
      <p class="lead muted">
        Nothing is final: requests, uploads, switches, resets, forced answers and moves of the clock are steps that can
        be undone. The journal stays as it is.
      </p>
      <div class="line">
        <button type="button" disabled={at <= 0} onClick={() => panel.step('undo')}>
          Undo
        </button>
        <Button disabled={at === history.length - 1} onClick={() => panel.step('redo')}>
          Redo
        </Button>
      </div>
      <ol class="stack">
        {shown.map(({ moment, isUndone }) => (
          <li key={moment.id} class={moment.current ? 'card current' : 'card'}>
            <Moment panel={panel} moment={moment} isUndone={isUndone} />
          </li>
        ))}
      </ol>
      {button}
    </>
  )
}

interface MomentProps {
  panel: Panel
  moment: HistoryEntry
  isUndone: boolean
}

function Moment({ panel, moment, isUndone }: MomentProps) {
  const { id, title, time, scenario, current } = moment
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div class="line ends">
        <button type="button" class="plain line" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span class="name opens">{title}</span>
          {current && <span class="pill ok">now</span>}
          {isUndone && <span class="pill">undone</span>}
        </button>
        <QuietButton
          disabled={current}
          aria-label={`Go here: ${title}`}
          onClick={() => panel.goTo(id, `Gone to: ${title}.`)}
        >
          Go here
        </QuietButton>
      </div>
      <p class="muted">
        {instantWords(time)} · {scenario}
      </p>
      {isOpen && <Changes panel={panel} commit={id} />}
    </>
  )
}

/** What a step changed: for each record, the fields before and after. */
export function Changes({ panel, commit }: { panel: Panel; commit: number }) {
  const [changes, setChanges] = useState<RecordChange[]>()
  useEffect(() => {
    let isWanted = true
    panel.call<RecordChange[]>('GET', `history/${commit}`).then(
      (read) => isWanted && setChanges(read),
      // A moment that is no longer kept has nothing to tell.
      () => isWanted && setChanges([]),
    )
    return () => {
      isWanted = false
    }
  }, [commit])
  if (changes === undefined) return <p class="muted">Loading what changed …</p>
  if (changes.length === 0) return <p class="muted">No record changed.</p>
  return (
    <ul class="changes stack small">
      {changes.map((change) => (
        <li key={`${change.table} ${change.key}`}>
          <strong>{wordsOf(change)}</strong>
          <Pairs
            pairs={changedFields(change).map(({ name, before, after }) => [
              name,
              <>
                {before !== undefined && <del>{before}</del>} {after !== undefined && <ins>{after}</ins>}
              </>,
            ])}
          />
        </li>
      ))}
    </ul>
  )
}

/** `features checkout-redesign: changed` */
function wordsOf({ table, key, before, after }: RecordChange): string {
  return `${table} ${key}: ${before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}`
}

/** The fields in which a record differs, as JSON. A side that has no such field is undefined. */
export function changedFields({ before = {}, after = {} }: Pick<RecordChange, 'before' | 'after'>) {
  const old = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  const now = new Map(Object.entries(after).map(([name, value]) => [name, JSON.stringify(value)]))
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((field) => field.before !== field.after)
}
