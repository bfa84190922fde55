import type { Io } from './io.js'

type Style = (text: string) => string

/** Terminal styles. Without a terminal, or with `NO_COLOR` set, text stays plain. */
export function createStyle({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Record<'bold' | 'dim' | 'accent', Style> {
  const plain = !stdout.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  const style = (on: number, off: number): Style =>
    plain ? (text) => text : (text) => `\u001b[${on}m${text}\u001b[${off}m`
  return { bold: style(1, 22), dim: style(2, 22), accent: style(36, 39) }
}
