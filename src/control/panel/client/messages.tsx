import type { PartProps } from './part.js'

/** What the last thing that was done came to. Failures stay until they are dismissed. */
export function Messages({ panel, state: { message } }: PartProps) {
  return (
    <div class="messages" aria-live={message?.failed ? 'assertive' : 'polite'}>
      {message !== undefined && (
        <div class={message.failed ? 'message failed' : 'message'}>
          <p>
            {message.failed && <strong>That did not work. </strong>}
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
