import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'

/** Props of every part of the panel. */
export interface PartProps {
  panel: Panel
  state: PanelState
}

interface CopyProps {
  panel: Panel
  text: string
  /** Describes what is copied, in the message and for screen readers. */
  what: string
  /** What the button says. */
  children: string
  /** Shown in place of the words, where there is little room. */
  icon?: ComponentChildren
}

/** A button that copies a text. */
export function CopyButton({ panel, text, what, children, icon }: CopyProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      panel.say(`Copied: ${what}.`)
    } catch {
      panel.say("This browser doesn't allow copying here.", { failed: true, hint: `Copy it by hand: ${text}` })
    }
  }
  const label = `${children}: ${what}`
  return (
    <button type="button" class={icon === undefined ? 'quiet' : 'icon'} aria-label={label} title={label} onClick={copy}>
      {icon ?? children}
    </button>
  )
}

interface SwitchProps {
  isOn: boolean
  /** What is switched, for screen readers. */
  label: string
  children: ComponentChildren
  onSwitch(): void
}

/** Something that is on or off. */
export function Switch({ isOn, label, children, onSwitch }: SwitchProps) {
  return (
    <button type="button" role="switch" class="switch" aria-checked={isOn} aria-label={label} onClick={onSwitch}>
      <span class="knob" aria-hidden="true" />
      {children}
    </button>
  )
}

/** The first items of a list, and the button that shows more of them, if there are more. */
export function usePages<Item>(items: readonly Item[], { page, more }: { page: number; more: string }) {
  const [limit, setLimit] = useState(page)
  const button = items.length > limit && (
    <button type="button" onClick={() => setLimit(limit + page)}>
      {more}
    </button>
  )
  return { shown: items.slice(0, limit), button }
}

/** What a form holds, as trimmed text by the names of its fields; a list of checkboxes counts once. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : ''])
  return Object.fromEntries(entries)
}

/** Runs an action with a form's fields when it is submitted. */
export function onSubmit(action: (fields: Record<string, string>, form: HTMLFormElement) => unknown) {
  return (event: Event & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    void action(fieldsOf(event.currentTarget), event.currentTarget)
  }
}
