import { useCallback, useEffect, useState } from 'react'
import { CloneDialog } from './clone-dialog.jsx'
import { InviteDialog } from './invite-dialog.jsx'
import { Problem } from './problem.jsx'
import { listFlags } from './service.js'

export function App() {
  const [flags, setFlags] = useState()
  const [error, setError] = useState()
  const [cloning, setCloning] = useState()
  const [inviting, setInviting] = useState(false)
  const [done, setDone] = useState('')

  const load = useCallback(() => {
    setError(undefined)
    listFlags('default').then(setFlags, setError)
  }, [])
  useEffect(load, [load])

  return (
    <main>
      <header>
        <div>
          <h1>Flags</h1>
          <p>Project default</p>
        </div>
        <button type="button" onClick={() => setInviting(true)}>
          Invite link
        </button>
      </header>
      <p role="status">{done}</p>
      <Problem error={error} onRetry={load} />
      {!flags && !error && <p className="empty">Loading …</p>}
      {flags?.length === 0 && <p className="empty">No flags yet.</p>}
      {flags?.length > 0 && (
        <ul className="flags">
          {flags.map((flag) => (
            <Flag key={flag.name} flag={flag} onClone={() => setCloning(flag)} />
          ))}
        </ul>
      )}
      {cloning && (
        <CloneDialog
          flag={cloning}
          onClose={() => setCloning(undefined)}
          onCloned={({ name }) => {
            setCloning(undefined)
            setDone(`${name} is there; it is off everywhere.`)
            load()
          }}
        />
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </main>
  )
}

function Flag({ flag, onClone }) {
  return (
    <li>
      <div>
        <h2>
          {flag.name} {flag.stale && <span className="pill stale">stale</span>}
        </h2>
        <p>
          <em>{flag.type}</em> {flag.description}
        </p>
      </div>
      <div className="environments">
        {flag.environments?.map(({ name, enabled }) => (
          <span key={name} className={enabled ? 'pill on' : 'pill'}>
            {name} {enabled ? 'on' : 'off'}
          </span>
        ))}
      </div>
      <button type="button" onClick={onClone} aria-label={`Clone ${flag.name}`}>
        Clone
      </button>
    </li>
  )
}
