import type { ComponentChildren, ComponentProps } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'

/** Props of every part of the panel. */
export interface PartProps {
  panel: Panel
  state: PanelState
}

/** A button that acts, where a plain one would submit its form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />
}

/** A button that takes little room. */
export function QuietButton(props: ComponentProps<'button'>) {
  return <Button class="quiet" {...props} />
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'class' | 'role' | 'type'> {
  label: string
  type?: 'text' | 'number'
  class?: string
  suggested?: readonly string[]
}

/** A field of a form, under its label. */
export function Field({ label, class: width = '', type = 'text', suggested = [], ...input }: FieldProps) {
  const list = useId()
  return (
    <label class={`field ${width}`}>
      <span class="label">{label}</span>
      <input type={type} autoComplete="off" {...(suggested.length > 0 && { list })} {...input} />
      {suggested.length > 0 && (
        <datalist id={list}>
          <Options pairs={suggested.map((one) => [one, ''])} />
        </datalist>
      )}
    </label>
  )
}

interface OptionsProps {
  /** Each value, and its words. */
  pairs: readonly (readonly [value: string | number, words: string])[]
  chosen?: string | number | undefined
}

/** The options of a choice, of which one may be chosen at first. */
export function Options({ pairs, chosen }: OptionsProps) {
  return (
    <>
      {pairs.map(([value, words]) => (
        // What a reset of the form leads back to. Preact's types don't know it.
        <option key={value} value={value} {...{ defaultSelected: value === chosen }}>
          {words}
        </option>
      ))}
    </>
  )
}

interface ChoiceProps {
  label: string
  class?: string
  title?: string
  value: string
  options: OptionsProps['pairs']
  onChoose(value: string): void
}

/** A choice from a list, beside or under its label. */
export function Choice({ label, class: kind = 'field', title, value, options, onChoose }: ChoiceProps) {
  return (
    <label class={kind} title={title}>
      <span class="label">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <Options pairs={options} />
      </select>
    </label>
  )
}

/** Names, each with what stands for it. Nothing if there are none. */
export function Pairs({ pairs, ...list }: { pairs: readonly [string, ComponentChildren][]; class?: string }) {
  if (pairs.length === 0) return null
  return (
    <dl {...list}>
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
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
  const label = `${children}: ${what}`
  return (
    <Button
      class={icon === undefined ? 'quiet' : 'plain icon'}
      aria-label={label}
      title={label}
      onClick={() => panel.copy(text, what)}
    >
      {icon ?? children}
    </Button>
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
  const button = items.length > limit && <Button onClick={() => setLimit(limit + page)}>{more}</Button>
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
