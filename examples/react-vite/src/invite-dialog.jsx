import { useEffect, useState } from 'react'
import { Dialog } from './dialog.jsx'
import { Problem } from './problem.jsx'
import { readInvite, updateInvite } from './service.js'

const SECRET = 'live-invite'
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export function InviteDialog({ onClose }) {
  const [invite, setInvite] = useState()
  const [error, setError] = useState()

  useEffect(() => {
    readInvite(SECRET).then(setInvite, setError)
  }, [])

  function update(change) {
    setError(undefined)
    updateInvite(SECRET, change).then(setInvite, setError)
  }

  return (
    <Dialog title="Invite link" onClose={onClose}>
      {invite && (
        <>
          <label>
            Whoever has this link can sign up as {invite.role.name}
            <input readOnly value={invite.url} onFocus={(event) => event.target.select()} />
          </label>
          <p className="expiry">
            <span className={invite.enabled ? 'pill on' : 'pill'}>{invite.enabled ? 'Works' : 'Does not work'}</span>
            {isPast(invite.expiresAt) ? 'It expired on ' : 'It expires on '}
            <time dateTime={invite.expiresAt}>{dates.format(new Date(invite.expiresAt))}</time>
          </p>
          <label className="check">
            <input
              type="checkbox"
              checked={invite.enabled}
              disabled={isPast(invite.expiresAt)}
              onChange={(event) => update({ enabled: event.target.checked })}
            />
            <span>The link works</span>
          </label>
          <button type="button" onClick={() => update({ expiresAt: inDays(7) })}>
            Let it expire in a week
          </button>
        </>
      )}
      <Problem error={error} />
      <footer>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

const isPast = (date) => new Date(date) <= new Date()
const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString()
