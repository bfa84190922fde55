import type { Panel } from './panel.js'

interface CopyProps {
  panel: Panel
  text: string
  /** Describes what is copied, in the message and for screen readers. */
  what: string
  children: string
}

export function CopyButton({ panel, text, what, children }: CopyProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      panel.say(`Copied: ${what}.`)
    } catch {
      panel.say("This browser doesn't allow copying.", true, `Copy it by hand: ${text}`)
    }
  }
  return (
    <button type="button" class="quiet" aria-label={`${children}: ${what}`} onClick={copy}>
      {children}
    </button>
  )
}
