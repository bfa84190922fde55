import stylesheet from 'panel:stylesheet'
import * as z from 'zod'
import { type Host, type Side, sides } from '../../../panel/host.js'
import { type Mounted, mount } from '../../../panel/mount.js'
import { createElement, sheetOf } from './elements.js'
import { pageStore } from './page-storage.js'
import { type PanelTarget, panelHost, storedOpen } from './panel-host.js'

const CSS = `
  :host {
    all: initial; box-sizing: border-box; position: fixed; inset: auto; display: none; overflow: hidden; pointer-events: auto;
    border: 0 solid light-dark(#8b897f, #707982); color-scheme: light dark; --view: 100%;
  }
  :host(:popover-open) { display: block }
  :host(:not([data-side='bottom'])) { width: var(--size); max-width: calc(100vw - 20px); height: 100dvh }
  :host([data-side='right']) { inset: 0 0 0 auto; border-left-width: 1px }
  :host([data-side='left']) { inset: 0 auto 0 0; border-right-width: 1px }
  :host([data-side='bottom']) { inset: auto 0 0 0; width: 100vw; height: var(--size); max-height: calc(100dvh - 20px); border-top-width: 1px }
  .content { height: 100%; overscroll-behavior: contain }
  .handle { position: absolute; z-index: 5; touch-action: none }
  .handle:hover, .handle:focus-visible { background: #0b6b61; outline: none }
  :host([data-side='right']) .handle { inset: 0 auto 0 0; width: 6px; cursor: col-resize }
  :host([data-side='left']) .handle { inset: 0 0 0 auto; width: 6px; cursor: col-resize }
  :host([data-side='bottom']) .handle { inset: 0 0 auto 0; height: 6px; cursor: row-resize }
  @media print { :host { display: none !important } }
`

/** The drawer's side, its width at the left and the right, and its height at the bottom, in pixels. */
const placementSchema = z.object({ side: z.enum(sides), width: z.number().positive(), height: z.number().positive() })

type Placement = z.infer<typeof placementSchema>

const storedPlacement = pageStore('flagdouble:panel', placementSchema, () => localStorage)

const SMALLEST = 280
const STEP = 40

/** The pixels of the page that stay visible next to the drawer. In a narrower window, the drawer covers the page. */
const PAGE_LEFT = 320

export interface Drawer {
  toggle(): void
  /** Opens it after a reload, without taking the focus. */
  restore(): void
  remove(): void
}

/**
 * The panel as a drawer of the page, in a shadow root that isolates its styles. It is in the top layer; while a modal
 * dialog is open it is inside the dialog, so that both are usable.
 */
export function createDrawer(host: Host): Drawer {
  const { element, content, handle } = createFrame()
  const placement = placed(element, handle)
  const unfollow = followModals(() => adopt())
  let mounted: Mounted | undefined
  let before: Element | null | undefined
  const adopt = () => {
    if (before === undefined) return
    const parent = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    if (element.parentNode === parent && element.matches(':popover-open')) return
    parent.append(element)
    element.showPopover()
  }
  const open = () => {
    before = document.activeElement
    adopt()
    placement.show()
    if (mounted === undefined) mounted = mount(content, { ...host, dock: { ...placement.dock, close: () => toggle() } })
    else mounted.panel.open()
  }
  const close = () => {
    mounted?.panel.close()
    element.remove()
    placement.hide()
    if (before instanceof HTMLElement) before.focus()
    before = undefined
  }
  const toggle = () => {
    if (before === undefined) {
      open()
      content.querySelector<HTMLElement>('[role=tab][tabindex="0"]')?.focus()
    } else close()
    storedOpen.write({ open: before === undefined ? 'no' : 'yes' })
  }
  element.addEventListener('keydown', (event) => {
    const isOurs = event.key === 'Escape' && !event.defaultPrevented
    if (isOurs && element.shadowRoot?.querySelector(':is(:modal, :popover-open)') === null) toggle()
  })
  return {
    toggle,
    restore: open,
    remove() {
      unfollow()
      mounted?.remove()
      element.remove()
      placement.hide()
    },
  }
}

/** Shows the panel in an element, in its own shadow root. */
export function mountInElement(parent: Element, target: PanelTarget): { remove(): void } {
  const element = createElement('div')
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [
    sheetOf(':host { all: initial; display: block; height: 100%; --view: 100% } .panel { height: 100% }'),
    sheetOf(stylesheet),
  ]
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

/** Calls a function when a modal dialog can have opened, closed or disappeared. Returns a function that unsubscribes. */
function followModals(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ['open'] })
  return () => observer.disconnect()
}

/** Events in the panel that must not reach the page: for its shortcuts, its menus and its focus handling. */
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
  const content = createElement('div', { className: 'content panel' })
  root.append(handle, content)
  return { element, content, handle }
}

/** Lets users choose the drawer's side and size, and remembers both. The page makes room for it. */
function placed(element: HTMLElement, handle: HTMLElement) {
  const placement = storedPlacement.read() ?? startPlacement()
  const room = pageRoom()
  const isFlat = () => placement.side === 'bottom'
  const apply = () => {
    const [largest, wanted] = isFlat() ? [innerHeight, placement.height] : [innerWidth, placement.width]
    const size = Math.max(SMALLEST, Math.min(wanted, largest - 20))
    element.dataset.side = placement.side
    element.style.setProperty('--size', `${size}px`)
    handle.ariaOrientation = isFlat() ? 'horizontal' : 'vertical'
    handle.ariaValueNow = String(Math.round((100 * size) / largest))
    room.give(placement.side, isFlat() || largest - size >= PAGE_LEFT ? size : 0)
    return size
  }
  const move = (change: Partial<Placement>) => {
    Object.assign(placement, change)
    apply()
    storedPlacement.write(placement)
  }
  const resize = (size: number) => move({ [isFlat() ? 'height' : 'width']: Math.max(SMALLEST, size) })
  const sizeAt = ({ clientX, clientY }: PointerEvent) =>
    ({ left: clientX, right: innerWidth - clientX, bottom: innerHeight - clientY })[placement.side]
  handle.addEventListener('pointerdown', (event) => handle.setPointerCapture(event.pointerId))
  handle.addEventListener('pointermove', (event) => {
    if (handle.hasPointerCapture(event.pointerId)) resize(sizeAt(event))
  })
  handle.addEventListener('keydown', (event) => {
    const grows = { left: 'ArrowRight', right: 'ArrowLeft', bottom: 'ArrowUp' }[placement.side]
    const shrinks = { left: 'ArrowLeft', right: 'ArrowRight', bottom: 'ArrowDown' }[placement.side]
    const step = { [grows]: STEP, [shrinks]: -STEP }[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(apply() + step)
  })
  return {
    dock: { side: () => placement.side, move: (side: Side) => move({ side }) },
    show() {
      addEventListener('resize', apply)
      apply()
    },
    hide() {
      removeEventListener('resize', apply)
      room.takeBack()
    },
  }
}

function startPlacement(): Placement {
  const width = Math.min(560, Math.round(innerWidth * 0.9))
  return { side: 'right', width, height: Math.round(innerHeight * 0.45) }
}

/** The margins that make room next to the page or below it. */
function pageRoom() {
  const { style } = document.documentElement
  let before: { side: Side; padding: string } | undefined
  const takeBack = () => {
    if (before !== undefined) style.setProperty(`padding-${before.side}`, before.padding)
    before = undefined
  }
  return {
    takeBack,
    give(side: Side, size: number) {
      takeBack()
      before = { side, padding: style.getPropertyValue(`padding-${side}`) }
      if (size > 0) style.setProperty(`padding-${side}`, `${size}px`, 'important')
    },
  }
}
