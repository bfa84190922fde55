import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Frozen } from '../support/freeze.js'

/**
 * A value on its way into @msw/data. `create` copies plain objects property by property (25 µs for a feature) and takes
 * an instance of a class as it is; the schema then unwraps it. What operations write was checked at the door, is theirs
 * alone at its top and frozen below, so that a clone shares what it has in common with its source. It is copied by
 * `assign`: what is spread gets a hidden class of its own in V8 when @msw/data marks it, which costs a kilobyte each and
 * makes all that reads such records slower.
 */
export class Handover<Item> {
  readonly value: Frozen<Item>
  constructor(value: Frozen<Item>) {
    this.value = value
  }
}

export type HandoverSchema<Item> = StandardSchemaV1<Handover<Item>, Item>

export function handoverSchema<Item>(): HandoverSchema<Item> {
  return {
    '~standard': {
      version: 1,
      vendor: 'flagdouble',
      validate: (handover) => ({ value: Object.assign({}, (handover as Handover<Item>).value) as Item }),
    },
  }
}
