import { useRef, useState } from 'preact/hooks'
import { saveFile } from './api.js'
import { Button, CopyButton, onSubmit, type PartProps, QuietButton } from './controls.js'
import { shownScenario } from './panel-state.js'

/** API tokens, import and export. */
export function Settings({ panel, state }: PartProps) {
  const { name, responds } = state.profile
  const scenario = shownScenario(state)
  const download = () =>
    saveFile(`flagdouble-${scenario.replaceAll(',', '+')}.json`, JSON.stringify(state.data, null, 2))
  return (
    <div class="sections">
      <p>
        The profile <strong>{name}</strong> {responds}. In code: <code>createMock(&#123; profile &#125;)</code>.
      </p>
      <Keys panel={panel} state={state} />
      <section class="card" aria-labelledby="export-heading">
        <h3 id="export-heading">Export</h3>
        <p class="muted">
          A snapshot contains every record as JSON. It also works as a fixture: pass it to <code>--fixtures</code> or{' '}
          <code>createMock(&#123; fixtures &#125;)</code>.
        </p>
        <div class="line">
          <Button onClick={download}>Download the data</Button>
          <Button onClick={() => panel.download('export', 'flagdouble-export.json')}>Export for Unleash</Button>
        </div>
      </section>
      <section class="card" aria-labelledby="start-heading">
        <h3 id="start-heading">Start of all sessions</h3>
        <p class="muted">
          New sessions and resets begin with the data of this session. Others keep their changes on top.
        </p>
        <div class="line">
          <Button onClick={() => panel.takeStart()}>Start all sessions with this data</Button>
          <QuietButton onClick={() => panel.leaveStart()}>Start them with the files again</QuietButton>
        </div>
      </section>
      <Import panel={panel} />
    </div>
  )
}

/** Authorization values to copy, with their permissions. */
function Keys({ panel, state: { keys } }: PartProps) {
  return (
    <section class="card" aria-labelledby="keys-heading">
      <h3 id="keys-heading">API tokens</h3>
      <p class="muted">
        Values for a request's <code>Authorization</code> header.
      </p>
      {keys.length === 0 && <p class="empty">No API tokens.</p>}
      <ul class="box">
        {keys.map(({ authorization, holder, allows }) => (
          <li key={authorization} class="row">
            <div class="grow">
              <code>{authorization}</code>
              <p class="muted small">
                {holder} · {allows}
              </p>
            </div>
            <CopyButton panel={panel} text={authorization} what={authorization}>
              Copy
            </CopyButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Accepts a file by choice or by drop. After a failure the file stays chosen, so that the user can fix it and try again. */
function Import({ panel }: Pick<PartProps, 'panel'>) {
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const load = async ({ how = 'PATCH' }: Record<string, string>) => {
    const file = field.current?.files?.[0]
    if (file === undefined) return
    const isLoaded = await panel.importFile(file, how)
    if (isLoaded && field.current !== null) field.current.value = ''
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setIsOver(false)
    const files = event.dataTransfer?.files
    if (field.current !== null && files !== undefined && files.length > 0) field.current.files = files
  }
  return (
    <form
      class={isOver ? 'card drop over' : 'card drop'}
      aria-labelledby="upload-heading"
      onSubmit={onSubmit(load)}
      onDrop={drop}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
    >
      <h3 id="upload-heading">Import</h3>
      <label class="field">
        <span class="label">Snapshot, fixture or scenario (a JSON file, chosen or dropped here)</span>
        <input type="file" ref={field} accept=".json,application/json" required />
      </label>
      <fieldset>
        <legend class="label">How to load data</legend>
        <label class="choice line">
          <input type="radio" name="how" value="PATCH" defaultChecked /> Add its records to the data
        </label>
        <label class="choice line">
          <input type="radio" name="how" value="PUT" /> Replace everything
        </label>
      </fieldset>
      <button type="submit">Import</button>
    </form>
  )
}
