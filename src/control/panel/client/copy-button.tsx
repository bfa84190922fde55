import type { Panel } from './panel.js'

interface CopyProps {
  panel: Panel
  text: string
  /** What is copied, for the message and for those who only hear the button. */
  what: string
  children: string
}

export function CopyButton({ panel, text, what, children }: CopyProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      panel.say(`Copied: ${what}.`)
    } catch {
      panel.say('This browser does not let the page copy.', true, `Copy it by hand: ${text}`)
    }
  }
  return (
    <button type="button" class="quiet" aria-label={`${children}: ${what}`} onClick={copy}>
      {children}
    </button>
  )
}
