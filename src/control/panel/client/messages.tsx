import type { PartProps } from './part.js'

/** The outcome of the last action. Failures stay until dismissed. */
export function Messages({ panel, state: { message } }: PartProps) {
  return (
    <div class="messages" aria-live={message?.failed ? 'assertive' : 'polite'}>
      {message !== undefined && (
        <div class={message.failed ? 'message failed' : 'message'}>
          <p>
            {message.failed && <strong>That didn't work. </strong>}
            {message.text}
            {message.hint !== '' && <span class="hint">{message.hint}</span>}
          </p>
          <button type="button" class="quiet" onClick={() => panel.dismiss()}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  )
}
