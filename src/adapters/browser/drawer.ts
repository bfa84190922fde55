import stylesheet from 'panel:stylesheet'
import * as z from 'zod'
import type { Host } from '../../control/panel/client/host.js'
import { type Mounted, mount } from '../../control/panel/client/mount.js'
import { createButton, createElement, sheetOf } from './elements.js'
import { pageStore } from './page-storage.js'
import { type PanelTarget, panelHost, storedOpen } from './panel-host.js'

const CSS = `
  :host {
    all: initial; box-sizing: border-box; position: fixed; inset: auto; display: none; overflow: hidden; pointer-events: auto;
    border: 0 solid light-dark(#8d8a80, #6f7881); box-shadow: 0 0 32px rgb(0 0 0 / 28%); color-scheme: light dark;
    --view: var(--height);
  }
  :host(:popover-open) { display: flex; flex-direction: column }
  :host(:not([data-side='bottom'])) { max-width: calc(100vw - 20px) }
  :host([data-side='bottom']) { max-height: calc(100dvh - 20px) }
  :host([data-side='right']) { inset: 0 0 0 auto; width: var(--size); height: 100dvh; border-left-width: 1px; --height: 100dvh }
  :host([data-side='left']) { inset: 0 auto 0 0; width: var(--size); height: 100dvh; border-right-width: 1px; --height: 100dvh }
  :host([data-side='bottom']) { inset: auto 0 0 0; width: 100vw; height: var(--size); border-top-width: 1px; --height: var(--size) }
  .content { flex: 1; overflow: auto; overscroll-behavior: contain }
  .handle { position: absolute; z-index: 5; touch-action: none }
  .handle:hover, .handle:focus-visible { background: #0b6b61; outline: none }
  :host([data-side='right']) .handle { inset: 0 auto 0 0; width: 6px; cursor: col-resize }
  :host([data-side='left']) .handle { inset: 0 0 0 auto; width: 6px; cursor: col-resize }
  :host([data-side='bottom']) .handle { inset: 0 0 auto 0; height: 6px; cursor: row-resize }
  .bar { display: flex; justify-content: flex-end; align-items: center; gap: 4px; padding: 3px 12px }
  .bar button { min-height: 26px; padding: 0 8px; border-color: transparent; background: none; font-size: 13px }
  .bar button[aria-pressed='true'] { border-color: currentcolor }
  @media print { :host { display: none !important } }
`

const sides = ['left', 'bottom', 'right'] as const
type Side = (typeof sides)[number]

/** Where the drawer is, and its width or, at the bottom, its height in pixels. */
const placementSchema = z.object({ side: z.enum(sides), size: z.coerce.number().positive() })

type Placement = z.infer<typeof placementSchema>

const storedPlacement = pageStore('flagdouble:panel', placementSchema, () => localStorage)

const SMALLEST = 280
const STEP = 40

export interface Drawer {
  toggle(): void
  remove(): void
}

/**
 * The panel as a drawer of the page, in a shadow root: no styles leak in or out. It is in the top layer, and while a modal
 * dialog is open it is a part of that, so that both can be used.
 */
export function createDrawer(host: Host): Drawer {
  const { element, content, handle, bar } = createFrame()
  const show = placed(element, handle, bar)
  let mounted: Mounted | undefined
  let isOpen = false
  let before: Element | null = null
  const adopt = () => {
    if (!isOpen) return
    const parent = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    if (element.parentNode === parent && element.matches(':popover-open')) return
    parent.append(element)
    element.showPopover()
  }
  const open = () => {
    isOpen = true
    before = document.activeElement
    adopt()
    show()
    if (mounted === undefined) mounted = mount(content, host)
    else mounted.panel.open()
    content.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
  }
  const close = () => {
    isOpen = false
    mounted?.panel.close()
    element.remove()
    if (before instanceof HTMLElement) before.focus()
  }
  const toggle = () => {
    if (isOpen) close()
    else open()
    storedOpen.write({ open: isOpen ? 'yes' : 'no' })
  }
  bar.append(button('Close', 'Close the panel (Ctrl+Alt+M)', toggle))
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && element.shadowRoot?.querySelector(':modal') === null)
      toggle()
  })
  const unfollow = followModals(adopt)
  return {
    toggle,
    remove() {
      unfollow()
      mounted?.remove()
      element.remove()
    },
  }
}

/** Shows the panel in an element, in a shadow root of its own. */
export function mountInElement(parent: Element, target: PanelTarget): { remove(): void } {
  const element = createElement('div')
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheetOf(`:host { all: initial; display: block; --view: auto }`), sheetOf(stylesheet)]
  const content = createElement('div', { className: 'panel' })
  root.append(content)
  parent.append(element)
  const mounted = mount(content, panelHost(target))
  return {
    remove() {
      mounted.remove()
      element.remove()
    },
  }
}

/** Calls back when a modal dialog may have opened, closed or gone. Returns how to stop that. */
function followModals(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ['open'] })
  return () => observer.disconnect()
}

/** What is done in the panel is no business of the page: its shortcuts, and what closes menus and keeps the focus. */
const KEPT = ['keydown', 'keyup', 'keypress', 'focusin', 'focusout', 'pointerdown', 'mousedown', 'touchstart', 'click']

function createFrame() {
  const element = document.createElement('flagdouble-panel')
  element.popover = 'manual'
  element.role = 'complementary'
  element.ariaLabel = 'flagdouble control panel'
  for (const type of KEPT) element.addEventListener(type, (event) => event.stopPropagation())
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [CSS, stylesheet].map(sheetOf)
  const label = 'Size of the panel'
  const handle = createElement('div', { className: 'handle', role: 'separator', ariaLabel: label, tabIndex: 0 })
  const bar = createElement('div', { className: 'bar' })
  const content = createElement('div')
  root.append(handle, createElement('div', { className: 'content panel' }, bar, content))
  return { element, content, handle, bar }
}

function button(text: string, label: string, click: () => void): HTMLButtonElement {
  return createButton({ title: label, ariaLabel: label }, click, text)
}

/** Lets people choose the drawer's side and size, and remembers both. Returns how to show it there. */
function placed(element: HTMLElement, handle: HTMLElement, bar: HTMLElement): () => void {
  const placement = storedPlacement.read() ?? { side: 'right', size: startSize('right') }
  const buttons = sides.map((side) => button(side, `Panel at the ${side}`, () => move({ side, size: startSize(side) })))
  const apply = () => {
    const largest = (placement.side === 'bottom' ? innerHeight : innerWidth) - 20
    placement.size = Math.max(SMALLEST, Math.min(placement.size, largest))
    element.dataset.side = placement.side
    element.style.setProperty('--size', `${placement.size}px`)
    handle.ariaOrientation = placement.side === 'bottom' ? 'horizontal' : 'vertical'
    handle.ariaValueNow = String(Math.round((100 * placement.size) / largest))
    for (const [i, one] of buttons.entries()) one.ariaPressed = String(sides[i] === placement.side)
  }
  const move = (change: Partial<Placement>) => {
    Object.assign(placement, change)
    apply()
    storedPlacement.write(placement)
  }
  const sizeAt = ({ clientX, clientY }: PointerEvent) =>
    ({ left: clientX, right: innerWidth - clientX, bottom: innerHeight - clientY })[placement.side]
  handle.addEventListener('pointerdown', (event) => handle.setPointerCapture(event.pointerId))
  handle.addEventListener('pointermove', (event) => {
    if (handle.hasPointerCapture(event.pointerId)) move({ size: sizeAt(event) })
  })
  handle.addEventListener('keydown', (event) => {
    const grows = { left: 'ArrowRight', right: 'ArrowLeft', bottom: 'ArrowUp' }[placement.side]
    const shrinks = { left: 'ArrowLeft', right: 'ArrowRight', bottom: 'ArrowDown' }[placement.side]
    const step = { [grows]: STEP, [shrinks]: -STEP }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move({ size: placement.size + step })
  })
  bar.append(...buttons)
  return apply
}

function startSize(side: Side): number {
  return side === 'bottom' ? Math.round(innerHeight * 0.45) : Math.min(560, Math.round(innerWidth * 0.9))
}
