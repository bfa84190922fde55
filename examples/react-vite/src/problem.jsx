/** The message for each status: its meaning, and advice. */
const WORDS = {
  0: ['You are offline', 'Check your connection, then try again.'],
  401: ['You are signed out', 'Sign in again to continue.'],
  403: ['You need a permission', 'Ask an administrator for the permission named below.'],
  404: ['The flag is gone', 'Another user has archived or renamed it. Reload the list.'],
  409: ['The name is taken', 'Choose another name; archived flags keep theirs.'],
  415: ['The server rejected the format', 'This page can be out of date. Reload it.'],
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
