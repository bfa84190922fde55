import { applyPatch, type Operation, Pointer } from 'rfc6902'
import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { isObject } from '../../../support/json.js'
import { FAULTS_TOLD } from '../../../support/text.js'
import { badData, reject } from '../../contract/errors.js'
import { issuesOf, UNTIL_FIRST } from '../../contract/first-faults.js'
import { checkDepth } from './checks.js'

/** A JSON Patch (RFC 6902): a list of changes to a document, in order. */
export const patchesSchema = z
  .array(
    z
      .object({
        path: z.string(),
        op: z.enum(['add', 'remove', 'replace', 'copy', 'move', 'test']),
        from: z.string().optional(),
        value: z.unknown().optional(),
      })
      .meta({ id: 'patchSchema' }),
  )
  .meta({ id: 'patchesSchema' })

/**
 * Returns a patched copy of a document, if the result has the given shape. Unleash applies more changes than RFC 6902
 * allows: it adds a missing property that is replaced, ignores the removal of a missing one, puts an item beyond the end of
 * a list at its end, reads a path from its first slash, and takes a missing value for none. Scripts that were written
 * for Unleash send such patches.
 */
export function patchDocument<Shape>(
  document: Frozen<unknown>,
  patches: z.infer<typeof patchesSchema>,
  shape: z.ZodType<Shape>,
  telling?: { tellsPlace: boolean },
): Shape {
  return fitting(patch(document, patches), shape, telling)
}

/** A patched copy of a document, of any shape. */
export function patch(document: Frozen<unknown>, patches: z.infer<typeof patchesSchema>): unknown {
  const patched = { document: structuredClone(document) }
  // The library can't replace the root of a document, so the document is nested in another.
  const rooted = patches.map(({ from, value, path, op }) => ({
    op,
    value,
    path: `/document${fromSlash(path)}`,
    ...(from === undefined ? {} : { from: `/document${fromSlash(from)}` }),
  }))
  for (const [i, { value }] of patches.entries()) reject(checkDepth('value', value, `/body/${i}/value`))
  let copied = 0
  for (const [i, rootedPatch] of rooted.entries()) {
    if (rootedPatch.op === 'copy') copied += valuesIn(Pointer.fromJSON(rootedPatch.from ?? '').get(patched))
    if (copied > MOST_COPIED) reject(badData(`The changes copy more than ${MOST_COPIED} values.`, `/body/${i}`))
    const operation = asApplied(rootedPatch, patched)
    if (operation === undefined) continue
    const [error] = applyPatch(patched, [operation as Operation])
    if (error !== null) reject(badData(`The change at "${patches[i]?.path}" can't be applied.`, `/body/${i}`))
  }
  return patched.document
}

/** A patched document, if it has the given shape. If the error `tellsPlace`, it only tells the first fault. */
function fitting<Shape>(document: unknown, shape: z.ZodType<Shape>, { tellsPlace = false } = {}): Shape {
  const parsed = z.safeParse(shape, document, UNTIL_FIRST)
  if (parsed.success) return parsed.data
  const faults = issuesOf(shape, document).slice(0, tellsPlace ? 1 : FAULTS_TOLD)
  const details = faults.map((issue) => {
    const place = `/${issue.path.join('/')}`
    return { message: `After the patch, "${place}" is invalid: ${issue.message}.`, path: tellsPlace ? place : '/body' }
  })
  reject({ kind: 'badData', message: details.map(({ message }) => message).join(' '), details, tellsPlace })
}

/** The part of a path from its first slash. A path without a slash leads outside of the document. */
function fromSlash(path: string): string {
  return path === '' ? '' : path.replace(/^[^/]*/, '').replace(/^$/, '/undefined')
}

type SentPatch = z.infer<typeof patchesSchema>[number]

/** The operation, with the leniency of `patchDocument`; undefined if it has no effect. */
function asApplied(patch: SentPatch, document: object): SentPatch | undefined {
  const { op, path, from } = patch
  const { parent, value } = Pointer.fromJSON(path).evaluate(document)
  const isMissing = value === undefined && isObject(parent)
  const isBeyond = value === undefined && Array.isArray(parent) && !path.endsWith('/-')
  if ((isMissing || isBeyond) && op === 'remove') return undefined
  if (isBeyond && (op === 'add' || op === 'replace'))
    return { ...patch, op: 'add', path: path.slice(0, path.lastIndexOf('/') + 1).concat('-') }
  const copiesNothing =
    (op === 'copy' || op === 'move') && (from === undefined || Pointer.fromJSON(from).get(document) === undefined)
  if (copiesNothing) return isMissing && op === 'copy' ? undefined : { op: 'add', path, value: undefined }
  return isMissing && op === 'replace' ? { ...patch, op: 'add' } : patch
}

/**
 * The maximum values that all changes can copy together. A document that is copied into itself again and again doubles
 * each time.
 */
export const MOST_COPIED = 10_000

/** The number of values inside a value. It is small: a document comes from a request, and copies are counted. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + valuesIn(item), 1)
}
