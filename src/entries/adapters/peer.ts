const TITLES = { '@playwright/test': 'Playwright', msw: 'msw', vite: 'Vite', vitest: 'Vitest' }

/** A package that the user's project installs. */
type Peer = keyof typeof TITLES

/** Throws one sentence if an entry needs a later version of a peer than the installed version. */
export function expectPeer(entry: string, peer: Peer, needed: string): void {
  const installed = installedVersion(peer)
  if (installed !== undefined && isOlder(installed, needed)) throw tooOld(entry, peer, needed, installed)
}

/** Its stack is the sentence alone, because no line of the user's is wrong. */
export function tooOld(entry: string, peer: Peer, needed: string, installed = installedVersion(peer)): Error {
  const found = installed ?? 'an older version'
  const text = `flagdouble/${entry} needs ${TITLES[peer]} ${needed} or later; ${found} is installed.`
  return Object.assign(new Error(text), { stack: text })
}

/** Throws one sentence if this Node is too old for the installed msw 3, in which every `fetch` would fail. */
export function expectNodeForMsw(installed = installedVersion('msw')): void {
  if (installed === undefined || isOlder(installed, '3.0') || 'withResolvers' in Promise) return
  const text = `msw ${installed} needs Node 22.12 or later. Install msw@2, or use a newer Node.`
  throw Object.assign(new Error(text), { stack: text })
}

/** Undefined outside of Node, and for a package that hides its version. */
function installedVersion(peer: Peer): string | undefined {
  try {
    // A static import of `node:module` would keep bundlers from building the entries for browsers.
    const { createRequire } = Reflect.get(globalThis, 'process').getBuiltinModule('node:module')
    return createRequire(import.meta.url)(`${peer}/package.json`).version
  } catch {
    return undefined
  }
}

function isOlder(installed: string, needed: string): boolean {
  const [major = 0, minor = 0] = installed.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}
