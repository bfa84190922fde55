import { useState } from 'react'
import { Dialog } from './dialog.jsx'
import { Problem } from './problem.jsx'
import { cloneFlag } from './service.js'

export function CloneDialog({ flag, onClose, onCloned }) {
  const [error, setError] = useState()
  const [busy, setBusy] = useState(false)

  async function submit(event) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      const copy = { name: form.get('name'), replaceGroupId: form.get('replaceGroupId') === 'on' }
      onCloned(await cloneFlag(flag.project ?? 'default', flag.name, copy))
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }

  return (
    <Dialog title={`Clone ${flag.name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Name of the copy
          <input name="name" defaultValue={`${flag.name}-copy`} required maxLength={100} autoComplete="off" />
        </label>
        <label className="check">
          <input type="checkbox" name="replaceGroupId" defaultChecked />
          <span>
            Assign users to groups again
            <small>
              Strategies use the new name as their group ID. Otherwise, users of the copy are in the same groups as
              users of the original.
            </small>
          </span>
        </label>
        <Problem error={error} />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={busy}>
            {busy ? 'Cloning …' : 'Clone'}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
