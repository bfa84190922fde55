import { useId, useRef, useState } from 'preact/hooks'
import type { OperationSummary } from '../../rows.js'
import { mentions } from './words.js'

/** What stands for all operations in a rule. */
export const EVERY = '*'

interface PickerProps {
  operations: readonly OperationSummary[]
  /** Operations that were asked for lately, newest first. */
  recent: readonly string[]
  /** The id of an operation, `*`, or empty: none is chosen. */
  value: string
  onChoose(id: string): void
}

interface Option {
  id: string
  words: string
}

/** Operations seen lately that are listed first. */
const RECENT = 5

/** The operations under headings: those seen lately, then by resource. Headings without any are left out. */
export function groupOperations(
  operations: readonly OperationSummary[],
  recent: readonly string[],
  wanted: string,
): { title: string; options: Option[] }[] {
  const found = operations.filter(({ id, method, path, tag, summary }) =>
    mentions(`${id} ${method} ${path} ${tag} ${summary}`, wanted),
  )
  const seen = [...new Set(recent)].slice(0, RECENT).flatMap((id) => found.filter((one) => one.id === id))
  const tags = [...new Set(found.map(({ tag }) => tag))].sort()
  const all = { title: 'All', options: [{ id: EVERY, words: 'every operation' }] }
  const isNamed = wanted !== '' && mentions(`${EVERY} every operation`, wanted)
  return [
    ...(isNamed ? [all] : []),
    { title: 'Seen lately', options: seen.map(optionOf) },
    ...tags.map((tag) => ({ title: tag, options: found.filter((one) => one.tag === tag).map(optionOf) })),
    ...(wanted === '' ? [all] : []),
  ].filter(({ options }) => options.length > 0)
}

function optionOf({ id, method, path }: OperationSummary): Option {
  return { id, words: `${id} · ${method} ${path}` }
}

/** A field that searches the operations by name, path and resource, with a list to choose from. */
export function OperationPicker({ operations, recent, value, onChoose }: PickerProps) {
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value === EVERY ? 'every operation' : value)
  const [isOpen, setIsOpen] = useState(false)
  const [at, setAt] = useState(0)
  const wanted = text === value || value === EVERY ? '' : text
  const groups = groupOperations(operations, recent, wanted)
  const options = groups.flatMap((group) => group.options)
  const choose = ({ id }: Option) => {
    setText(id === EVERY ? 'every operation' : id)
    setIsOpen(false)
    field.current?.setCustomValidity('')
    onChoose(id)
  }
  const type = (typed: string) => {
    const exact = operations.find(({ id }) => id === typed.trim())
    setText(typed)
    // What is chosen already must not be hidden by the list.
    setIsOpen(exact === undefined)
    setAt(0)
    field.current?.setCustomValidity(exact === undefined ? 'Choose an operation from the list.' : '')
    onChoose(exact?.id ?? '')
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    const chosen = options[at]
    if (step !== 0) {
      setIsOpen(true)
      setAt(isOpen ? Math.min(Math.max(at + step, 0), options.length - 1) : at)
    } else if (event.key === 'Enter' && isOpen && chosen !== undefined) choose(chosen)
    else if (event.key === 'Escape' && isOpen) setIsOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="picker">
      <input
        ref={field}
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: a search field is a combobox by itself only if it has a `list`
        role="combobox"
        aria-label="Operation"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${list}-${at}` : undefined}
        placeholder="Search by name, path or resource"
        autoComplete="off"
        list={undefined}
        required
        value={text}
        onFocus={() => setIsOpen(text === '')}
        onClick={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={press}
      />
      {isOpen && <Options id={list} groups={groups} current={options[at]} onChoose={choose} />}
    </div>
  )
}

interface OptionsProps {
  id: string
  groups: ReturnType<typeof groupOperations>
  current: Option | undefined
  onChoose(option: Option): void
}

function Options({ id, groups, current, onChoose }: OptionsProps) {
  let count = 0
  return (
    <div class="options" role="listbox" id={id} aria-label="Operations">
      {groups.length === 0 && <p class="muted">No operation matches.</p>}
      {groups.map(({ title, options }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
        <div key={title} role="group" aria-label={title}>
          <p class="label" aria-hidden="true">
            {title}
          </p>
          {options.map((option) => (
            <Choice key={option.id} id={`${id}-${count++}`} isCurrent={option === current} {...{ option, onChoose }} />
          ))}
        </div>
      ))}
    </div>
  )
}

interface ChoiceProps {
  id: string
  option: Option
  isCurrent: boolean
  onChoose(option: Option): void
}

function Choice({ id, option, isCurrent, onChoose }: ChoiceProps) {
  const shown = (element: HTMLElement | null) => {
    if (isCurrent) element?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      ref={shown}
      // The field would lose the focus, and the list would close before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(option)}
    >
      {option.words}
    </div>
  )
}
