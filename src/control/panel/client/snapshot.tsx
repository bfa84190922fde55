import { saveFile } from './api.js'
import { worldName } from './panel-state.js'
import type { PartProps } from './part.js'

/** Downloads the data as a file, and uploads it again. */
export function Snapshot({ panel, state }: PartProps) {
  const upload = async (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const given = new FormData(form)
    const file = given.get('file')
    if (!(file instanceof File)) return
    const loaded = await panel.loadState(given.get('how') === 'add' ? 'PATCH' : 'PUT', await file.text())
    // After a failure the file stays chosen, to be fixed and sent again.
    if (loaded) form.reset()
  }
  return (
    <>
      <p class="lead">
        A snapshot holds every record as JSON. It is also a fixture: pass it to{' '}
        <code>createMock(&#123; fixtures &#125;)</code> or <code>--fixtures</code>.
      </p>
      <section class="card" aria-labelledby="download-heading">
        <h3 id="download-heading">Download</h3>
        <button
          type="button"
          disabled={state.data === undefined}
          onClick={() => saveFile(`flagdouble-${worldName(state).replaceAll(',', '+')}.json`, state.data)}
        >
          Download the data of {worldName(state)}
        </button>
      </section>
      <form class="card" aria-labelledby="upload-heading" onSubmit={upload}>
        <h3 id="upload-heading">Upload</h3>
        <label class="field">
          <span class="label">Snapshot or fixture (a JSON file)</span>
          <input type="file" name="file" accept=".json,application/json" required />
        </label>
        <fieldset>
          <legend class="label">How to load it</legend>
          <label class="choice">
            <input type="radio" name="how" value="add" checked /> Add its records to what is there
          </label>
          <label class="choice">
            <input type="radio" name="how" value="replace" /> Replace everything
          </label>
        </fieldset>
        <button type="submit">Upload</button>
      </form>
    </>
  )
}
