/** What to tell people, by the status of a refusal: what it means and what they can do. */
const WORDS = {
  0: ['You are offline', 'Check your connection, then try again.'],
  401: ['You are signed out', 'Sign in again to go on.'],
  403: ['You may not do this', 'Ask an administrator for the permission named below.'],
  404: ['It is gone', 'Somebody may have archived or renamed it. Reload the list.'],
  409: ['The name is taken', 'Choose another name; archived flags keep theirs.'],
  415: ['The service did not take what was sent', 'This page may be out of date. Reload it.'],
}

export function Problem({ error, onRetry }) {
  if (!error) return null
  const [title, advice] = WORDS[error.status] ?? ['Something went wrong', 'Try again in a moment.']
  return (
    <div className="problem" role="alert">
      <strong>{title}</strong>
      <p>{advice}</p>
      <small>
        {error.status > 0 && <code>{error.status}</code>} {error.message}
      </small>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
