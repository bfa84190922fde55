import type { Drawer } from './drawer.js'
import { type PanelTarget, panelHost, storedOpen } from './panel-host.js'

/** A drawer whose code is loaded on first opening: with Ctrl+Alt+M, or at once if it was open before a reload. */
export function panelOpener(target: PanelTarget): Omit<Drawer, 'restore'> {
  let drawer: Drawer | undefined
  let opening: 'toggle' | 'restore' | undefined
  let isRemoved = false
  const load = async (how: 'toggle' | 'restore') => {
    const isLoading = opening !== undefined
    // Whoever presses the key while the drawer loads sees none, and wants it open.
    opening = how
    if (isLoading) return
    try {
      const { createDrawer } = await import('./drawer.js')
      if (isRemoved) return
      drawer = createDrawer(panelHost(target))
      drawer[opening]()
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: there is no panel that could say it
      console.error(`[flagdouble] The panel could not be loaded: ${error}`)
    } finally {
      opening = undefined
    }
  }
  const toggle = () => (drawer === undefined ? void load('toggle') : drawer.toggle())
  const press = (event: KeyboardEvent) => {
    // By its place on the keyboard: in some layouts, these keys type another letter.
    if (!event.ctrlKey || !event.altKey || event.code !== 'KeyM') return
    event.preventDefault()
    toggle()
  }
  addEventListener('keydown', press, true)
  if (storedOpen.read()?.open === 'yes') void load('restore')
  return {
    toggle,
    remove() {
      isRemoved = true
      removeEventListener('keydown', press, true)
      drawer?.remove()
    },
  }
}
