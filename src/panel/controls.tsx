import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { State } from '../engine/state/state.js'
import type { CallError } from './api.js'
import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'

/** Props of every part of the panel. */
export interface PartProps {
  panel: Panel
  state: PanelState
}

/** Props of a part that shows a kind of data. */
export interface DataProps extends PartProps {
  data: State
}

/** A button that acts without submitting its form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />
}

/** A small button. */
export function QuietButton(props: ComponentProps<'button'>) {
  return <Button class="quiet" {...props} />
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'class' | 'role' | 'type'> {
  label: string
  type?: 'text' | 'number' | 'datetime-local'
  class?: string
  suggested?: readonly string[]
}

/** A labelled form field. */
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

/** Moves the focus from a field to the part around it, where keys are shortcuts. */
export function leave(field: HTMLElement): void {
  field.closest<HTMLElement>('[tabindex]')?.focus()
}

interface OptionsProps {
  /** The values with their labels. */
  pairs: readonly (readonly [value: string | number, words: string])[]
  chosen?: string | number | undefined
}

/** The options of a select, with an optional initial choice. */
export function Options({ pairs, chosen }: OptionsProps) {
  return (
    <>
      {pairs.map(([value, words]) => (
        // The value after a reset of the form. Preact's types lack it.
        <option key={value} value={value} {...{ defaultSelected: value === chosen }}>
          {words}
        </option>
      ))}
    </>
  )
}

/** Names with their values. Renders nothing without pairs. */
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

interface CopyProps extends Pick<ComponentProps<'button'>, 'class'> {
  panel: Panel
  text: string
  /** Names the copied text, in the message and for screen readers. */
  what: string
  /** The button's label. */
  children: string
}

/** A button that copies a text. */
export function CopyButton({ panel, text, what, children, class: kind = 'quiet' }: CopyProps) {
  return (
    <Button class={kind} aria-label={`${children}: ${what}`} onClick={() => panel.copy(text, what)}>
      {children}
    </Button>
  )
}

interface MenuProps {
  /** The label for screen readers. */
  label: string
  /** The button's content. */
  face: ComponentChildren
  class?: string
  children: ComponentChildren
  onOpen?(): void
}

/** A button that opens a menu. It closes on a click on an item, or on submit of a form in it. */
export function Menu({ label, face, class: kind = '', children, onOpen }: MenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const isIcon = kind === 'icon'
  const choose = ({ target }: Event) => {
    if (target instanceof Element && target.closest('.item') !== null) menu.current?.hidePopover()
  }
  return (
    <>
      <button
        type="button"
        class={`opener ${kind}`}
        aria-label={isIcon ? label : undefined}
        title={label}
        popovertarget={id}
      >
        {!isIcon && face !== label && <span class="spoken">{label}: </span>}
        {face}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its buttons take the clicks */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        id={id}
        ref={menu}
        class="menu stack"
        popover="auto"
        onBeforeToggle={({ newState }) => {
          if (newState === 'closed') return
          setIsOpen(true)
          onOpen?.()
        }}
        // Not earlier: the focused element gives the focus back.
        onToggle={({ newState }) => newState === 'closed' && setIsOpen(false)}
        onClick={choose}
        onSubmit={() => menu.current?.hidePopover()}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** An item of a menu. */
export function Item(props: ComponentProps<'button'>) {
  return <Button {...props} class="item" />
}

interface TabsProps {
  /** The label of the list for screen readers. */
  label: string
  tabs: readonly { id: string; title: string; count: number }[]
  /** The ID of the open tab. */
  current: string
  /** The ID of the element with the tab's content. */
  controls: string
  onChoose(id: string): void
}

/** One stop for the keyboard; the arrow keys move between tabs. */
export function Tabs({ label, tabs, current, controls, onChoose }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = [...event.currentTarget.children]
    const next = all.at((all.indexOf(event.target as Element) + step) % all.length)
    if (next instanceof HTMLElement) next.focus()
    if (next instanceof HTMLElement) next.click()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, title, count }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          class="plain"
          aria-selected={id === current}
          aria-controls={controls}
          tabIndex={id === current || (id === tabs[0]?.id && !tabs.some((tab) => tab.id === current)) ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {title} {count > 0 && <span class="pill">{count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  )
}

interface SwitchProps {
  isOn: boolean
  /** The name of the setting. */
  label: string
  onSwitch(): void
}

/** A toggle. */
export function Switch({ isOn, label, onSwitch }: SwitchProps) {
  return <button type="button" role="switch" aria-checked={isOn} aria-label={label} title={label} onClick={onSwitch} />
}

interface LongListProps<One> {
  items: readonly One[]
  keyOf(item: One): string | number
  draw(item: One): ComponentChildren
}

/** The number of items in the first drawing. */
const DRAWN = 30

/** A list of any length: after the first items, it draws only those that the user has scrolled to. */
export function LongList<One>({ items, keyOf, draw }: LongListProps<One>) {
  const list = useRef<HTMLUListElement>(null)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const see = (entries: IntersectionObserverEntry[]) => {
      const keys = entries.flatMap(
        ({ isIntersecting, target }) => (isIntersecting && target.getAttribute('data-key')) || [],
      )
      if (keys.length > 0) setSeen((known) => new Set([...known, ...keys]))
    }
    // Draws the next item for the keyboard before it is visible.
    const observer = new IntersectionObserver(see, { rootMargin: '400px', ...{ scrollMargin: '400px' } })
    for (const item of list.current?.querySelectorAll(':scope > .unseen') ?? []) observer.observe(item)
    return () => observer.disconnect()
  }, [items.map(keyOf).join()])
  return (
    <ul class="box" ref={list}>
      {items.map((item, i) => {
        const key = keyOf(item)
        const isDrawn = i < DRAWN || seen.has(String(key))
        return (
          <li key={key} data-key={key} class={isDrawn ? undefined : 'unseen'}>
            {isDrawn && draw(item)}
          </li>
        )
      })}
    </ul>
  )
}

/** Sends Unleash operations, and shows the reason for a rejection at the place of the action. */
export function useOperations(panel: Panel) {
  const [refused, setRefused] = useState<CallError>()
  return {
    async operate(method: string, path: string, body?: unknown): Promise<boolean> {
      const failure = await panel.operate(method, path, body)
      setRefused(failure)
      return failure === undefined
    },
    refusal: refused !== undefined && (
      <p class="refusal" role="alert">
        <strong>That didn't work.</strong> {refused.message} <span class="muted">{refused.hint}</span>
      </p>
    ),
  }
}

/** Runs an action on submit, with the form's data: trimmed text by field name. */
export function onSubmit(action: (fields: Record<string, string>, form: HTMLFormElement) => unknown) {
  return (event: Event & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : ''])
    void action(Object.fromEntries(fields), form)
  }
}
