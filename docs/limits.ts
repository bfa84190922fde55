// The table of docs/limits.md, from the constants themselves.
import { BACKLOG } from '../src/control/events.js'
import { SCREENS_KEPT } from '../src/resources/instance/feedback/rules.js'
import { LINK_LASTS, LINKS_KEPT, LOGIN_LASTS, LOGINS_KEPT } from '../src/resources/people/login/rules.js'
import { INSTANCE_KEPT_FOR, INSTANCES_KEPT } from '../src/resources/sdk/client-instances/rules.js'
import { METRICS_KEPT, VARIANTS_COUNTED } from '../src/resources/sdk/client-metrics/rules.js'
import { RULES_KEPT } from '../src/scenarios/force-rule.js'
import { CHARACTERS_KEPT, ENTRIES_KEPT } from '../src/sessions/journal.js'
import { BODY_KEPT } from '../src/sessions/journal-entry.js'
import { WORLDS_KEPT } from '../src/sessions/session.js'
import { SESSIONS_KEPT } from '../src/sessions/sessions.js'
import { EVENTS_KEPT } from '../src/store/event-log.js'
import { ITEMS_KEPT, RECORDS_KEPT } from '../src/store/limits.js'
import { DAY } from '../src/support/duration.js'
import { table } from './table.js'

const days = (milliseconds: number) => `${milliseconds / DAY} ${milliseconds === DAY ? 'day' : 'days'}`
const oldest = 'the oldest are dropped'

const rows: readonly [what: string, most: number, beyond: string][] = [
  ['sessions of a mock', SESSIONS_KEPT, 'the longest idle one is dropped; the unnamed session always stays'],
  ['worlds of a session', WORLDS_KEPT, 'the least recently used one is dropped, but not the active one'],
  [
    'journal: entries of a session',
    ENTRIES_KEPT,
    `${oldest}; \`journalSize\` and \`--journal-size\` change the number`,
  ],
  ['journal: characters of a session, in paths and bodies', CHARACTERS_KEPT, oldest],
  ['journal: characters of one body', BODY_KEPT, 'the rest is cut off'],
  [
    'events that wait for a reader of `/__mock/events`',
    BACKLOG,
    'the reader is cut off, and catches up when it reconnects',
  ],
  ['force rules of a world', RULES_KEPT, 'rejected with `INVALID_RULE`'],
  ['events of a world', EVENTS_KEPT, oldest],
  ['logins of a world', LOGINS_KEPT, `${oldest}; each lasts ${days(LOGIN_LASTS)}`],
  ['links to choose a password', LINKS_KEPT, `${oldest}; each lasts ${days(LINK_LASTS)}, and a user has one`],
  [
    'SDK instances of a world',
    INSTANCES_KEPT,
    `those not seen for longest are dropped; each is kept for ${days(INSTANCE_KEPT_FOR)} after it was last seen`,
  ],
  ['metrics of a world: one record per feature, application, environment and hour', METRICS_KEPT, oldest],
  ['variants counted in such a record', VARIANTS_COUNTED, 'further ones are ignored'],
  ['feedback prompts, and screens, of a user', SCREENS_KEPT, oldest],
  ['all other records, of each kind', RECORDS_KEPT, 'rejected with `TOO_MUCH_DATA`'],
  ['items of a list in a record, such as links, tags or legal values', ITEMS_KEPT, 'rejected with `TOO_MUCH_DATA`'],
]

export const limitsTable = table(
  ['what', 'at most', 'beyond that'],
  rows.map(([what, most, beyond]) => [what, most.toLocaleString('en'), beyond]),
)
