import type * as z from 'zod'

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

/** An object that is kept for a page, as far as a schema describes it. */
export function pageStore<Schema extends z.ZodType>(key: string, schema: Schema, storage = () => sessionStorage) {
  return {
    /** Undefined if there is none. */
    read(): z.infer<Schema> | undefined {
      try {
        return schema.safeParse(JSON.parse(readStored(key, storage) ?? 'null')).data
      } catch {
        return undefined
      }
    },
    write(value: z.infer<Schema> | undefined): void {
      writeStored(key, value && JSON.stringify(schema.parse(value)), storage)
    },
  }
}
