import { useRef } from 'hono/jsx/dom'
import type { PartProps } from './part.js'

/** Resets the session, once the user has confirmed it. */
export function Reset({ panel, state }: PartProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { session } = state.view
  const close = () => dialog.current?.close()
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        Reset…
      </button>
      <dialog ref={dialog} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset {session === '' ? 'the shared session' : `the session ${session}`}?</h2>
        <p>
          All its changes are lost, in every scenario, also those kept by <code>--state</code>. Clocks, forced answers
          and the journal start over. Other sessions stay as they are.
        </p>
        <div class="choices">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="primary"
            onClick={() => {
              close()
              void panel.reset()
            }}
          >
            Reset
          </button>
        </div>
      </dialog>
    </>
  )
}
