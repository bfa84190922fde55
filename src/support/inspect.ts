/** The method by which Node, Bun and Deno print an object. Other consoles ignore it. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** The argument that consoles pass to that method. */
export interface InspectOptions {
  /** The depth to which the whole value is printed. */
  depth?: number | null | undefined
}

export type Inspect = (value: unknown, options: object) => string

/** The maximum lines to print: a screen. */
const SCREEN = 40

/** The printer of an object. All objects of a kind share it, so it costs them next to nothing. */
export function inspectedBy<Item extends object>(
  show: (item: Item, options: InspectOptions & { isAlone: boolean }, inspect: Inspect) => string,
): PropertyDescriptor & ThisType<Item> {
  return {
    value(this: Item, depth: number, options: InspectOptions, inspect: Inspect) {
      return show(this, { ...options, isAlone: depth === (options.depth ?? depth) }, inspect)
    },
  }
}

/** A value as consoles print it, cut to a screen: long texts and lists show only their beginning. */
export function onScreen(value: unknown, options: object, inspect: Inspect): string {
  const text = inspect(value, { ...options, depth: 4, maxArrayLength: 10, maxStringLength: 300, customInspect: true })
  const lines = text.split('\n')
  return lines.length <= SCREEN
    ? text
    : `${lines.slice(0, SCREEN - 1).join('\n')}\n  … ${lines.length - SCREEN + 1} more lines`
}

/** A value on one line, cut to a length. */
export function onLine(value: unknown, options: object, inspect: Inspect, length: number): string {
  const text = inspect(value, {
    ...options,
    depth: 2,
    maxArrayLength: 5,
    maxStringLength: 80,
    breakLength: Infinity,
    compact: true,
    colors: false,
  })
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
