// The table of docs/limits.md, from the constants themselves.

import { TABS_KEPT } from '../src/adapters/browser/page-log.js'
import { profiles } from '../src/contract/profiles.js'
import { LARGEST_UNPACKED, LONGEST_FRAGMENT } from '../src/control/fragment.js'
import { MESSAGES_KEPT, MOST_FILLED } from '../src/resources/instance/addons.js'
import { SCREENS_KEPT } from '../src/resources/instance/feedback.js'
import { LINK_LASTS, LINKS_KEPT, LOGIN_LASTS, LOGINS_KEPT } from '../src/resources/people/login.js'
import { INSTANCE_KEPT_FOR, INSTANCES_KEPT } from '../src/resources/sdk/client-instances.js'
import { METRICS_KEPT, VARIANTS_COUNTED } from '../src/resources/sdk/client-metrics.js'
import { MOST_COPIED } from '../src/resources/shared/json-patch.js'
import { LONGEST_LINEAGE, MOST_SCENARIOS } from '../src/scenarios/catalogue.js'
import { RULES_KEPT } from '../src/scenarios/force-rules.js'
import { SCENARIOS_SAVED } from '../src/scenarios/saved-scenarios.js'
import { ALL_CHARACTERS_KEPT, PAST_RECORDS_KEPT } from '../src/sessions/budget.js'
import { READERS_KEPT } from '../src/sessions/event-readers.js'
import { STEPS_KEPT } from '../src/sessions/history.js'
import { CHARACTERS_KEPT, ENTRIES_KEPT } from '../src/sessions/journal.js'
import { BODY_KEPT } from '../src/sessions/journal-entry.js'
import { WORLDS_KEPT } from '../src/sessions/session.js'
import { SESSIONS_KEPT } from '../src/sessions/sessions.js'
import { CHARACTERS_CACHED } from '../src/store/cache.js'
import { EVENTS_KEPT } from '../src/store/event-log.js'
import { ITEMS_KEPT, RECORDS_KEPT } from '../src/store/limits.js'
import { DAY } from '../src/support/calendar.js'
import { DEEPEST, WIDEST } from '../src/support/json.js'
import { LARGEST_EXPRESSION, MOST_STEPS } from '../src/support/linear-expression.js'
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
  ['journal: characters of a session, in paths, headers and bodies', CHARACTERS_KEPT, oldest],
  [
    'journals: characters of all sessions of a mock together',
    ALL_CHARACTERS_KEPT,
    'the session that has been idle for longest loses its oldest entries',
  ],
  ['journal: characters of one body', BODY_KEPT, 'the rest is cut off'],
  ['history: steps of a world', STEPS_KEPT, `${oldest}, so there is no way back beyond them`],
  [
    'histories: records of all sessions of a mock together, where each world that was given up counts as 500 more',
    PAST_RECORDS_KEPT,
    'the history that has been idle for longest loses its oldest steps',
  ],
  ['readers of `/__mock/events`, of all sessions of a mock', READERS_KEPT, 'rejected with `TOO_MANY_READERS`'],
  ['tabs that were closed, of which `startWorker` keeps what was done', TABS_KEPT, oldest],
  ['force rules of a world', RULES_KEPT, 'rejected with `INVALID_RULE`'],
  ['events of a world', EVENTS_KEPT, oldest],
  ['characters of answers that a mock holds, to give them again', CHARACTERS_CACHED, 'they are made anew'],
  ['messages of integrations in a world, and in an entry of the journal', MESSAGES_KEPT, oldest],
  ['characters that are filled into the template of an integration', MOST_FILLED, 'further ones are left out'],
  ['logins of a world', LOGINS_KEPT, `${oldest}; each lasts ${days(LOGIN_LASTS)} of real time`],
  ['links to choose a password', LINKS_KEPT, `${oldest}; each lasts ${days(LINK_LASTS)}, and a user has one`],
  [
    'SDK instances of a world',
    INSTANCES_KEPT,
    `those not seen for longest are dropped; each is kept for ${days(INSTANCE_KEPT_FOR)} after it was last seen`,
  ],
  ['metrics of a world: one record per feature, application, environment and hour', METRICS_KEPT, oldest],
  ['variants counted in such a record', VARIANTS_COUNTED, 'further ones are ignored'],
  ['feedback prompts, and screens, of a user', SCREENS_KEPT, oldest],
  [
    'scenarios that are saved in a mock, or that links brought',
    SCENARIOS_SAVED,
    'the oldest one that no world needs is dropped; if all are needed, rejected with `TOO_MUCH_DATA`',
  ],
  ['scenarios that are combined', MOST_SCENARIOS, 'rejected with `TOO_MANY_SCENARIOS`'],
  ['scenarios in a chain of `extends`', LONGEST_LINEAGE, 'rejected with `INVALID_SCENARIO`'],
  [
    'characters in the regular expressions of a strategy or segment, with repetitions written out: `(ab){3}` counts 9',
    LARGEST_EXPRESSION,
    'rejected with 400 `ExceedsLimitError`',
  ],
  [
    'steps of matching a regular expression: its compiled size times the length of the text',
    MOST_STEPS,
    'it does not match',
  ],
  ['values that a JSON Patch may copy', MOST_COPIED, 'rejected with 400 `BadDataError`'],
  [
    "bytes of a body of the service's API, over HTTP/1, HTTP/2 and in process",
    profiles.documented.body.limit,
    'rejected with 413 before the rest is read',
  ],
  ['characters after `#` in a link to a world', LONGEST_FRAGMENT, 'rejected with `TOO_LARGE_TO_SHARE`'],
  ['bytes of JSON in such a link', LARGEST_UNPACKED, 'rejected likewise; its page reads no further'],
  ['levels of nesting in the body of a control call', DEEPEST, 'rejected with `INVALID_REQUEST`'],
  ['properties of an object in such a body', WIDEST, 'rejected with `INVALID_REQUEST`'],
  ['all other records, of each kind', RECORDS_KEPT, 'rejected with `TOO_MUCH_DATA`'],
  ['items of a list in a record, such as links, tags or legal values', ITEMS_KEPT, 'rejected with `TOO_MUCH_DATA`'],
]

export const limitsTable = table(
  ['what', 'at most', 'beyond that'],
  rows.map(([what, most, beyond]) => [what, most.toLocaleString('en'), beyond]),
)
