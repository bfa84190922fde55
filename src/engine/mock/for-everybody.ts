import {
  disableForEverybody,
  enableForEverybody,
  givenVariantSchema,
} from '../../service/resources/flags/for-everybody.js'
import { recordMessages } from '../../service/resources/instance/addons.model.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import { invalidArgument } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import { changeFlags } from '../sessions/flag-states.js'
import type { World } from '../sessions/world.js'
import { expectNames } from './misuse.js'

/** A variant that every user gets, with its payload. */
export interface VariantForEverybody {
  name: string
  payload?: { type: 'string' | 'json' | 'csv' | 'number'; value: string } | undefined
}

const VARIANT =
  'the name of a variant, or { name, payload: { type, value } } with a type of string, json, csv or number'

/** `mock.enable`, as a step of the history. */
export function enable(world: () => World, names: readonly string[]): void {
  expectNames(names, 'mock.enable')
  change(world(), names, 'switched on everywhere', (context) => {
    for (const name of names) enableForEverybody(context, name)
  })
}

/** `mock.disable`, as a step of the history. */
export function disable(world: () => World, names: readonly string[]): void {
  expectNames(names, 'mock.disable')
  change(world(), names, 'switched off everywhere', (context) => {
    for (const name of names) disableForEverybody(context, name)
  })
}

/** `mock.setVariant`, as a step of the history. */
export function setVariant(world: () => World, name: string, variant: string | VariantForEverybody): void {
  expectNames([name], 'mock.setVariant')
  const given = givenVariantSchema.safeParse(variant)
  if (!given.success) throw invalidArgument('mock.setVariant', VARIANT, variant)
  change(world(), [name], 'switched on everywhere with one variant', (context) =>
    enableForEverybody(context, name, given.data),
  )
}

/** Changes features, as a step of the history. Throws `INVALID_ARGUMENT`, and changes nothing, if a feature is invalid. */
function change(world: World, names: readonly string[], how: string, run: (context: OperationContext) => void): void {
  const { clock, ids, data, logins } = world
  const title = `${names.join(', ')} ${how}`
  const missing = names.filter((name) => data.tables.features.get(name) === undefined)
  const failure = world.change({ what: 'setFeatures', title }, () =>
    changeFlags(data, { now: clock.now(), ids, logins }, (context) => {
      run(context)
      // Messages of integrations belong to a journaled request, and this isn't a request.
      recordMessages(context)
    }),
  )
  if (failure !== undefined) throw new MockError('INVALID_ARGUMENT', failure.message, 'Nothing was changed.')
  for (const name of missing) world.created.add(name)
}
