import { useRef, useState } from 'preact/hooks'
import { saveFile } from './api.js'
import { Button, CopyButton, Field, onSubmit, type PartProps } from './controls.js'
import { shownScenario, titleOf } from './panel-state.js'
import { Sessions } from './sessions.js'

/** Sessions, keys, import and export, and sharing. */
export function Settings({ panel, state }: PartProps) {
  const scenario = shownScenario(state)
  const download = () =>
    saveFile(`flagdouble-${scenario.replaceAll(',', '+')}.json`, JSON.stringify(state.data, null, 2))
  return (
    <div class="sections">
      <section class="card" aria-labelledby="sessions-heading">
        <h3 id="sessions-heading">Sessions</h3>
        <p class="muted">
          Each has its own data, scenario, clock and requests. A request names its session in the header{' '}
          <code>x-mock-session</code> or the cookie <code>mock-session</code>; without one it belongs to the shared
          session.
        </p>
        <Sessions panel={panel} state={state} />
      </section>
      <Keys panel={panel} state={state} />
      <SaveScenario panel={panel} state={state} />
      <section class="card" aria-labelledby="export-heading">
        <h3 id="export-heading">Export</h3>
        <p class="muted">
          A snapshot holds every record as JSON. It is also a fixture: pass it to <code>--fixtures</code> or{' '}
          <code>createMock(&#123; fixtures &#125;)</code>.
        </p>
        <div class="line">
          <Button onClick={download}>Download the data</Button>
          <Button onClick={() => panel.download('export', 'flagdouble-export.json')}>Export for the service</Button>
        </div>
      </section>
      <Import panel={panel} />
    </div>
  )
}

/** Authorization values to copy, and what each may do. */
function Keys({ panel, state: { keys } }: PartProps) {
  return (
    <section class="card" aria-labelledby="keys-heading">
      <h3 id="keys-heading">Keys</h3>
      <p class="muted">
        Values for a request's <code>Authorization</code> header.
      </p>
      {keys.length === 0 && <p class="empty">No keys.</p>}
      <ul class="box">
        {keys.map(({ authorization, holder, may }) => (
          <li key={authorization} class="row">
            <div class="grow">
              <code>{authorization}</code>
              <p class="muted small">
                {holder} · {may}
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

/** Makes a scenario of what is shown. */
function SaveScenario({ panel, state }: PartProps) {
  const save = async ({ title = '', promise = '' }: Record<string, string>, form: HTMLFormElement) => {
    if (await panel.saveScenario({ name: nameOf(title), title, promise })) form.reset()
  }
  return (
    <section class="card" aria-labelledby="save-heading">
      <h3 id="save-heading">Save as scenario</h3>
      <p class="muted">
        What differs from {titleOf(state, shownScenario(state))}, the rules, and the clock if it is frozen.
      </p>
      <form class="line" aria-label="Save as scenario" onSubmit={onSubmit(save)}>
        <Field name="title" label="Title" class="grow" required pattern=".*[A-Za-z0-9].*" placeholder="A slow Monday" />
        <Field name="promise" label="Promise" class="grow" required placeholder="Every answer takes a second." />
        <button type="submit">Save</button>
      </form>
    </section>
  )
}

/** `A slow Monday` is named `a-slow-monday`. */
function nameOf(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Takes a file by choice or by drop. After a failure it stays chosen, to be fixed and sent again. */
function Import({ panel }: Pick<PartProps, 'panel'>) {
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const load = async ({ how = 'PATCH' }: Record<string, string>) => {
    const file = field.current?.files?.[0]
    if (file === undefined) return
    const isLoaded = await panel.importFile(await file.text(), how)
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
          <input type="radio" name="how" value="PATCH" defaultChecked /> Add its records to what is there
        </label>
        <label class="choice line">
          <input type="radio" name="how" value="PUT" /> Replace everything
        </label>
      </fieldset>
      <button type="submit">Import</button>
    </form>
  )
}
