import { useRef, useState } from 'preact/hooks'
import { saveFile } from './api.js'
import { Button, Field, onSubmit, type PartProps, QuietButton } from './controls.js'
import { worldName } from './panel-state.js'
import { ownScenarios } from './scenarios.js'

/** Downloads the data as a file, and uploads it again. */
export function Snapshot({ panel, state }: PartProps) {
  const name = worldName(state)
  const download = () => saveFile(`flagdouble-${name.replaceAll(',', '+')}.json`, JSON.stringify(state.data, null, 2))
  return (
    <>
      <p class="lead muted">
        A snapshot holds every record as JSON. It is also a fixture: pass it to{' '}
        <code>createMock(&#123; fixtures &#125;)</code> or <code>--fixtures</code>.
      </p>
      <section class="card" aria-labelledby="download-heading">
        <h3 id="download-heading">Download</h3>
        <Button disabled={state.data === undefined} onClick={download}>
          Download the data of {name}
        </Button>{' '}
        <Button onClick={() => panel.download('export', 'flagdouble-export.json')}>Export for the service</Button>
      </section>
      {panel.host.links !== undefined && (
        <section class="card" aria-labelledby="share-heading">
          <h3 id="share-heading">Share</h3>
          <p class="muted">
            A link that opens the data, forced answers and clock of {name} on any mock of this version. It asks first.
          </p>
          <Button onClick={() => panel.copyWorldLink()}>Share this world</Button>
        </section>
      )}
      <Upload panel={panel} />
      <SaveScenario panel={panel} state={state} />
    </>
  )
}

/** Makes a scenario of the world that is shown, and downloads those that are the user's own. */
function SaveScenario({ panel, state }: PartProps) {
  const own = ownScenarios(state.scenarios)
  const save = async (fields: Record<string, string>, form: HTMLFormElement) => {
    if (await panel.saveScenario(fields)) form.reset()
  }
  return (
    <section class="card" aria-labelledby="save-heading">
      <h3 id="save-heading">Save as scenario</h3>
      <p class="muted">What differs from {worldName(state)}, the forced answers, and the clock if it is frozen.</p>
      <form class="line" aria-label="Save as scenario" onSubmit={onSubmit(save)}>
        <Field name="name" label="Name" required placeholder="slow-monday" />
        <Field name="title" label="Title" class="grow" required placeholder="A slow Monday" />
        <Field name="promise" label="Promise" class="grow" required placeholder="Every answer takes a second." />
        <button type="submit">Save</button>
      </form>
      {own.length > 0 && (
        <ul class="line" aria-label="Your own scenarios">
          {own.map(({ name }) => (
            <li key={name}>
              <QuietButton onClick={() => panel.download(`scenarios/${encodeURIComponent(name)}`, `${name}.json`)}>
                Download {name}.json
              </QuietButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Takes a file by choice or by drop. After a failure it stays chosen, to be fixed and sent again. */
function Upload({ panel }: Pick<PartProps, 'panel'>) {
  const field = useRef<HTMLInputElement>(null)
  const [replaces, setReplaces] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    const file = field.current?.files?.[0]
    if (file === undefined) return
    const isLoaded = await panel.loadState(replaces ? 'PUT' : 'PATCH', await file.text())
    if (isLoaded && field.current !== null) field.current.value = ''
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const files = event.dataTransfer?.files
    if (field.current !== null && files !== undefined && files.length > 0) field.current.files = files
  }
  return (
    <form
      class={isOver ? 'card drop over' : 'card drop'}
      aria-labelledby="upload-heading"
      onSubmit={submit}
      onDrop={drop}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
    >
      <h3 id="upload-heading">Upload</h3>
      <label class="field">
        <span class="label">Snapshot or fixture (a JSON file, chosen or dropped here)</span>
        <input type="file" ref={field} accept=".json,application/json" required />
      </label>
      <fieldset>
        <legend class="label">How to load it</legend>
        {[false, true].map((value) => (
          <label key={String(value)} class="choice">
            <input type="radio" name="how" checked={replaces === value} onChange={() => setReplaces(value)} />
            {value ? 'Replace everything' : 'Add its records to what is there'}
          </label>
        ))}
      </fieldset>
      <button type="submit">Upload</button>
    </form>
  )
}
