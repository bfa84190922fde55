import { useRef, useState } from 'preact/hooks'
import { saveFile } from './api.js'
import type { PartProps } from './controls.js'
import { worldName } from './panel-state.js'

/** Downloads the data as a file, and uploads it again. */
export function Snapshot({ panel, state }: PartProps) {
  const name = worldName(state)
  const download = () => saveFile(`flagdouble-${name.replaceAll(',', '+')}.json`, JSON.stringify(state.data, null, 2))
  return (
    <>
      <p class="lead">
        A snapshot holds every record as JSON. It is also a fixture: pass it to{' '}
        <code>createMock(&#123; fixtures &#125;)</code> or <code>--fixtures</code>.
      </p>
      <section class="card" aria-labelledby="download-heading">
        <h3 id="download-heading">Download</h3>
        <button type="button" disabled={state.data === undefined} onClick={download}>
          Download the data of {name}
        </button>
      </section>
      <Upload panel={panel} />
    </>
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
