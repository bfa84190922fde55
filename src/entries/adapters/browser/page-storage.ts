import type * as z from 'zod'

/** A stored text. Undefined without an entry or without storage. */
export function readStored(key: string, storage = () => sessionStorage): string | undefined {
  try {
    return storage().getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a text, or (undefined) removes it. Without storage, as in a sandboxed frame, the page forgets it on unload. */
export function writeStored(key: string, text: string | undefined, storage = () => sessionStorage): void {
  try {
    if (text === undefined) storage().removeItem(key)
    else storage().setItem(key, text)
  } catch {
    return
  }
}

/** An object that is stored for a page, as far as a schema describes it. */
export function pageStore<Schema extends z.ZodType>(key: string, schema: Schema, storage = () => sessionStorage) {
  return {
    /** Undefined without an entry. */
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
