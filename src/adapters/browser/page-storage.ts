/** A text that was stored. Undefined if there is none, or no storage. */
export function readStored(key: string, storage = () => sessionStorage): string | undefined {
  try {
    return storage().getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a text, or (undefined) removes it. Without storage, as in a sandboxed frame, what the page knows lasts until it unloads. */
export function writeStored(key: string, text: string | undefined, storage = () => sessionStorage): void {
  try {
    if (text === undefined) storage().removeItem(key)
    else storage().setItem(key, text)
  } catch {
    return
  }
}
