import { useEffect, useState } from 'preact/hooks'
import type { HistoryEntry, RecordChange } from '../engine/sessions/history.js'
import { Button, LongList, type PartProps, QuietButton } from './controls.js'
import { differences } from './differences.js'
import type { Panel } from './panel.js'
import { worldTime } from './panel-state.js'
import { agoWords, instantWords } from './words.js'

/** The history, newest first, with buttons to go back. */
export function History({ panel, state: { history, clock } }: PartProps) {
  const at = history.findIndex(({ current }) => current)
  const now = clock === undefined ? undefined : worldTime(clock)
  const moments = history.map((moment, i) => ({ moment, isUndone: i > at })).reverse()
  return (
    <>
      <div class="line">
        <Button disabled={at <= 0} onClick={() => panel.step('undo')}>
          <span>Undo{at > 0 && <span class="muted">: {history[at]?.title}</span>}</span>
        </Button>
        {at < history.length - 1 && (
          <Button onClick={() => panel.step('redo')}>
            <span>
              Redo<span class="muted">: {history[at + 1]?.title}</span>
            </span>
          </Button>
        )}
      </div>
      <LongList
        items={moments}
        keyOf={({ moment }) => moment.id}
        draw={({ moment, isUndone }) => <Moment {...{ panel, moment, isUndone, now }} />}
      />
      <p class="muted small">
        You can undo each step, or go back to it, until a change after an undo replaces it. Requests stay listed, and
        users stay signed in.
      </p>
    </>
  )
}

interface MomentProps {
  panel: Panel
  moment: HistoryEntry
  isUndone: boolean
  /** By the scenario's clock. Undefined while unknown. */
  now: Date | undefined
}

function Moment({ panel, moment, isUndone, now }: MomentProps) {
  const { id, title, time, current } = moment
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div class={isUndone ? 'row undone' : 'row'}>
        <button type="button" class="plain opens grow" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span>
            <span class="name">{title}</span>{' '}
            <time class="muted small" dateTime={time} title={instantWords(time)}>
              · {now === undefined ? '' : agoWords(now.getTime() - Date.parse(time))}
            </time>
          </span>
        </button>
        {current && <span class="pill ok">now</span>}
        {isUndone && <span class="pill">undone</span>}
        {!current && (
          <QuietButton
            aria-label={`Return to this entry: ${title}`}
            onClick={() => panel.act('PUT', 'history', { at: id }, `Jumped to: ${title}`)}
          >
            Return to this entry
          </QuietButton>
        )}
      </div>
      {isOpen && <Changes panel={panel} commit={id} />}
    </>
  )
}

/** The changes of a step: the fields of each record, before and after. */
export function Changes({ panel, commit }: { panel: Panel; commit: number }) {
  const [changes, setChanges] = useState<RecordChange[]>()
  useEffect(() => {
    let isWanted = true
    panel.call<RecordChange[]>('GET', `history/${commit}`).then(
      (read) => isWanted && setChanges(read),
      // A dropped entry has no changes.
      () => isWanted && setChanges([]),
    )
    return () => {
      isWanted = false
    }
  }, [commit])
  if (changes === undefined) return <p class="changes muted">Loading the changes …</p>
  if (changes.length === 0) return <p class="changes muted">No record changed.</p>
  return (
    <div class="changes stack small">
      {changes.map((change) => (
        <RecordDifferences key={`${change.table} ${change.key}`} change={change} />
      ))}
    </div>
  )
}

function RecordDifferences({ change }: { change: RecordChange }) {
  const { table, key, before, after } = change
  return (
    <table>
      <caption>
        {table} <strong>{key}</strong> {before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}
      </caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {differences(change).map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{before !== undefined && <del>{before}</del>}</td>
            <td>{after !== undefined && <ins>{after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
