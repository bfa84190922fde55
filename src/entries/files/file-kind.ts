import { stateSchema } from '../../engine/state/state.js'
import { FORMATS, formatOf } from '../../engine/transfer/service-file.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { isObject, show } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { FileError, wholeFile } from './json-file.js'

/** The contents of a file: seed data, or a scenario. */
type FileKind = 'fixture' | 'scenario'

/** Properties that only scenarios have. */
const SCENARIO_MARKS = ['title', 'promise', 'extends', 'seed', 'generate', 'force', 'latency']

const FIELDS = Object.keys(stateSchema.shape)
const LISTS = FIELDS.filter((name) => name in tables)

/** Names in the files of LaunchDarkly, Flagsmith, GrowthBook and OpenFeature's flagd. In ours, they could be names of records. */
const OF_OTHERS =
  /(?<!\\)"(flagValues|(?:variations|feature_states?|feature_state_value|defaultValue|defaultVariant)(?=":[^{]))":/

const EXAMPLE =
  'Write { "features": [{ "name": "new-checkout", "enabled": true }] }. docs/create-mock.md shows a state.'

/** The kind of a file, by its properties. Throws a `FileError` if it is neither. */
export function kindOf(file: string, given: unknown): FileKind {
  if (formatOf(given) !== undefined) return 'fixture'
  const names = isObject(given) ? Object.keys(given) : []
  if (names.includes('flagdouble')) throw wholeFile(file, 'is a state file, not a fixture', 'Pass it to --state.')
  if (names.some((name) => SCENARIO_MARKS.includes(name))) return 'scenario'
  const part = flagsIn(given)
  const [, foreign] = OF_OTHERS.exec(JSON.stringify(given)) ?? []
  if (foreign !== undefined && part === '')
    throw wholeFile(file, `is not of Unleash, whose files have no "${foreign}"`, EXAMPLE)
  if (Array.isArray(given)) {
    const list = given.length === 0 ? 'features' : (listFor(given[0]) ?? 'features')
    const message = `must be an object, but is an array${part}`
    throw new FileError(file, [{ path: '$', message }], `Put it into one: { "${list}": [ … ] }.`)
  }
  if (!isObject(given))
    throw new FileError(file, [{ path: '$', message: `must be an object, but is ${show(given)}` }], EXAMPLE)
  const isNear = (name: string) => LISTS.includes(name) || didYouMean(name, LISTS) !== ''
  if (names.every((name) => FIELDS.includes(name)) || names.some((name) => LISTS.includes(name))) return 'fixture'
  const list = listFor(given)
  if (list === undefined && names.some(isNear)) return 'fixture'
  const looks = list === undefined ? part : `. It looks like a record: put it into a list, { "${list}": [ … ] }`
  const message = `is neither a fixture, which has lists such as "features", nor a scenario, which has "name", "title" and "promise"${looks}`
  throw new FileError(file, [{ path: '$', message }], EXAMPLE)
}

/** The flags that a value contains, in words: those of a map, or the body in a stub of another mock. Empty without any. */
function flagsIn(given: unknown): string {
  const parts = [{ path: '$', value: given }]
  // The parts of parts come last, so the highest one is found first.
  for (const { path, value } of parts) {
    const format = formatOf(value)
    if (format !== undefined) return `. ${path} is ${FORMATS[format]}: save it as a separate file`
    for (const [key, item] of isObject(value) || Array.isArray(value) ? Object.entries(value) : []) {
      const place = Array.isArray(value) ? `[${key}]` : `.${key}`
      if (parts.length < PARTS_READ) parts.push({ path: `${path}${place}`, value: item })
    }
  }
  const [first] = isObject(given) ? Object.entries(given) : []
  if (first === undefined || typeof first[1] !== 'boolean') return ''
  return `. Write a flag as { ${show(first[0])}: { "enabled": ${first[1]} } }`
}

const PARTS_READ = 200

/** The list whose records have this shape. Features are the most likely. */
function listFor(given: unknown): string | undefined {
  const fits = (name: string) => tables[name as TableName].fixture.safeParse(given).success
  return ['features', ...Object.keys(tables)].find(fits)
}
