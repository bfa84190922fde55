/**
 * The edits that turn a text into each prefix of another; at index `n`, into its first `n` characters. Edits are
 * insertions, deletions, replacements, swaps of two neighbours.
 */
function editDistances(one: string, other: string): readonly number[] {
  let before: readonly number[] = []
  let previous: readonly number[] = []
  let current = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    before = previous
    previous = current
    current = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const replaced = (previous[j - 1] ?? 0) + (isSame ? 0 : 1)
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced
      current.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
  }
  return current
}

/** The nearest known name, however distant: by edit distance to the whole name or to a prefix. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return rank(name, known)[0]?.candidate
}

/** The nearest known name, if it is close enough to be meant. No hint is better than a wrong hint. */
export function nearOf(name: string, known: readonly string[]): string | undefined {
  const [best] = rank(name, known)
  return best !== undefined && isNear(name, best) ? best.candidate : undefined
}

/** The known name that differs in at most one of three letters, counted over the whole name. */
export function nearWholeOf(name: string, known: readonly string[]): string | undefined {
  const isMeant = ({ candidate, whole }: Pick<Ranked, 'candidate' | 'whole'>) =>
    whole <= Math.floor(Math.max(name.length, candidate.length) / LETTERS_PER_EDIT)
  // Comparing letters takes longer than comparing lengths.
  const alike = known.filter((candidate) => isMeant({ candidate, whole: Math.abs(candidate.length - name.length) }))
  const [best] = rank(name, alike)
    .filter(isMeant)
    .toSorted((one, other) => one.whole - other.whole)
  return best?.candidate
}

/** Everyday names and those of other tools, in small letters, each with the names for the same here. The first known one counts. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    flag: ['feature'],
    flags: ['features'],
    toggles: ['features'],
    featureflags: ['features'],
    on: ['enabled'],
    active: ['enabled'],
    isenabled: ['enabled'],
    value: ['enabled', 'payload'],
    key: ['name', 'secret'],
    token: ['secret'],
    username: ['user'],
    percentage: ['rollout'],
    op: ['operator'],
    field: ['contextName'],
    delay: ['latency'],
    clock: ['now'],
    date: ['now'],
    time: ['now'],
    data: ['fixtures'],
    file: ['fixtures'],
    mock: ['fixtures'],
    cors: ['allowOrigins', 'allow-origin'],
    origin: ['allowOrigins', 'allow-origin'],
    https: ['cert'],
    path: ['operation'],
    url: ['operation'],
    statuscode: ['status'],
    once: ['times'],
    hostname: ['host', 'HOST'],
    onunhandledrequest: ['unhandled'],
  }),
)

/** ` Did you mean "x"?`, or an empty string if no name is near, and more than two end with the name. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = SAME.get(name.toLowerCase())?.find((one) => known.includes(one)) ?? nearOf(name, known)
  const meant = near === undefined ? longerNames(name, known) : [near]
  return meant.length === 0 || meant.length > 2 ? '' : ` Did you mean ${meant.map((one) => `"${one}"`).join(' or ')}?`
}

/** The known names whose last word is the name: `rootRole` for `role`. */
function longerNames(name: string, known: readonly string[]): string[] {
  const lastWord = name.charAt(0).toUpperCase() + name.slice(1)
  return name.length < SHORTEST ? [] : known.filter((candidate) => candidate.endsWith(lastWord))
}

/** The cost of a missing end: half a name means the whole name. */
const MISSING_END_COST = 0.5

/** Shorter names resemble too many others. */
const SHORTEST = 3

/** One in this many letters can be wrong. */
const LETTERS_PER_EDIT = 3

/** The maximum number of compared characters: the cost grows with the product of the lengths. */
const COMPARED = 100

interface Ranked {
  candidate: string
  /** Edits to the whole name. */
  whole: number
  /** Edits to a prefix, or to the whole name if that is nearer. */
  distance: number
}

/** Nearest first; ties are broken by the distance to the whole name. */
function rank(name: string, known: readonly string[]): Ranked[] {
  const wanted = normalised(name)
  return known
    .map((candidate) => {
      const compared = normalised(candidate)
      const distances = editDistances(wanted, compared)
      const whole = distances[compared.length] ?? 0
      const beginning = (distances[Math.min(wanted.length, compared.length)] ?? 0) + MISSING_END_COST
      return { candidate, whole, distance: Math.min(whole, beginning) }
    })
    .toSorted((one, other) => one.distance - other.distance || one.whole - other.whole)
}

/** Compares from the first word that differs: the common beginning of two paths says nothing. */
function isNear(name: string, { candidate, distance, whole }: Ranked): boolean {
  const wanted = normalised(name)
  if (whole === 0) return true
  if (wanted.length < SHORTEST) return false
  if (distance < 1) return true
  const compared = normalised(candidate)
  const start = wordStart(wanted, compared)
  const letters = Math.max(wanted.length, whole === distance ? compared.length : 0) - start
  return wanted.length - start >= SHORTEST && distance < 1 + Math.max(1, Math.floor(letters / LETTERS_PER_EDIT))
}

/** The start of the first word in which two names differ. */
function wordStart(one: string, other: string): number {
  const same = [...one].findIndex((letter, i) => letter !== other[i])
  const common = same === -1 ? one : one.slice(0, same)
  return 1 + Math.max(...['/', ' ', '-'].map((separator) => common.lastIndexOf(separator)))
}

function normalised(name: string): string {
  return name.slice(0, COMPARED).toLowerCase()
}
