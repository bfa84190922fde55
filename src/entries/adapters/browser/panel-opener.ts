import type { Drawer } from './drawer.js'
import { type PanelTarget, panelHost, storedOpen } from './panel-host.js'

/**
 * A drawer whose code is loaded when it is first opened: with Ctrl+Alt+M; and at once if it was open when the page was
 * reloaded.
 */
export function panelOpener(target: PanelTarget): Omit<Drawer, 'restore'> {
  let drawer: Promise<Drawer> | undefined
  let isRemoved = false
  const withDrawer = (act: (loaded: Drawer) => void) => {
    drawer ??= import('./drawer.js').then(({ createDrawer }) => createDrawer(panelHost(target)))
    drawer.then(
      (loaded) => isRemoved || act(loaded),
      (error) => {
        drawer = undefined
        // biome-ignore lint/suspicious/noConsole: there is no panel that could say it
        console.error(`[flagdouble] The panel could not be loaded: ${error}`)
      },
    )
  }
  const toggle = () => withDrawer((loaded) => loaded.toggle())
  const restore = () => withDrawer((loaded) => loaded.restore())
  const press = (event: KeyboardEvent) => {
    // By its place on the keyboard: with these keys, some layouts type another letter.
    if (!event.ctrlKey || !event.altKey || event.code !== 'KeyM') return
    event.preventDefault()
    toggle()
  }
  addEventListener('keydown', press, true)
  if (storedOpen.read()?.open === 'yes') restore()
  return {
    toggle,
    remove() {
      isRemoved = true
      removeEventListener('keydown', press, true)
      drawer?.then((loaded) => loaded.remove())
    },
  }
}
