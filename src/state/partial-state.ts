import type * as z from 'zod'
import type { stateSchema } from './state.js'

/**
 * Sample state as people write it: what fixtures contain, and what `add` and `restore` take. Every list may be left out,
 * and so may every field that has a natural default. In place of a list, an object changes the records that it names.
 */
export interface PartialState extends z.input<typeof stateSchema> {}
