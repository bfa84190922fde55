// The table of docs/limits.md, from the constants themselves.

import { RULES_KEPT } from '../src/engine/scenarios/force-rules.js'
import { SCENARIOS_SAVED } from '../src/engine/scenarios/saved-scenarios.js'
import { LONGEST_STATES, MOST_SCENARIOS } from '../src/engine/scenarios/selection.js'
import { READERS_KEPT } from '../src/engine/sessions/event-readers.js'
import { MISSING_KEPT, VARIANTS_KEPT } from '../src/engine/sessions/flag-coverage.js'
import { ALL_CHANGES_KEPT, CHANGES_KEPT, STEPS_KEPT } from '../src/engine/sessions/history.js'
import { ALL_CHARACTERS_KEPT, CHARACTERS_KEPT, ENTRIES_KEPT } from '../src/engine/sessions/journal.js'
import { LOGINS_KEPT } from '../src/engine/sessions/logins.js'
import { SESSIONS_KEPT } from '../src/engine/sessions/sessions.js'
import { WORLDS_KEPT } from '../src/engine/sessions/worlds.js'
import { FRAMES_KEPT } from '../src/entries/adapters/browser/kept-page.js'

import { BODY_LIMIT } from '../src/service/contract/operation.js'
import { EVALUATION_STEPS } from '../src/service/evaluation/budget.js'
import { CHANGED_TAGS } from '../src/service/resources/flags/feature-tags.js'
import { MOST_LINKS } from '../src/service/resources/flags/links.js'
import { LOGIN_LASTS, LOGINS_ALLOWED } from '../src/service/resources/people/login.js'
import { LONGEST_APPLICATION } from '../src/service/resources/sdk/client-metrics.js'
import { BUCKETS_KEPT } from '../src/service/resources/sdk/impact-metrics.js'
import { APPLICATIONS_KEPT } from '../src/service/resources/sdk/unknown-flags.js'
import { TEXTS_SEARCHED } from '../src/service/resources/shared/schema.js'
import { EVENTS_KEPT, ITEMS_KEPT, RECORDS_KEPT } from '../src/service/store/collection.js'
import { DAY } from '../src/support/calendar.js'
import { LARGEST_EXPRESSION } from '../src/support/linear-expression.js'
import { table } from './table.js'

const days = (milliseconds: number) => `${milliseconds / DAY} ${milliseconds === DAY ? 'day' : 'days'}`
const oldest = 'the oldest are dropped'
const counted = 'further ones are counted together'

const rows: readonly [what: string, most: number, beyond: string][] = [
  ['sessions of a mock', SESSIONS_KEPT, 'the longest idle one is dropped; the shared session always stays'],
  ["scenarios' states in a session", WORLDS_KEPT, 'the least recently used one is dropped, but not the active one'],
  [
    'journal: entries of a session, with 100 kB of each body',
    ENTRIES_KEPT,
    `${oldest}; \`journalSize\` and \`--journal-size\` change the number`,
  ],
  ['journal: characters of a session', CHARACTERS_KEPT, `${oldest}, even if they are fewer than 1,000 entries`],
  [
    'journals: characters in all sessions of a mock',
    ALL_CHARACTERS_KEPT,
    `${oldest}, first those of the longest idle session`,
  ],
  ['history: entries of a session', STEPS_KEPT, `${oldest}, and can no longer be undone`],
  [
    'history: entries of a session, with their changed records and rules',
    CHANGES_KEPT,
    `${oldest}; the newest always stays`,
  ],
  [
    'histories: entries of all sessions of a mock, with their changed records and rules',
    ALL_CHANGES_KEPT,
    `${oldest}, first those of the longest idle session`,
  ],
  ['closed tabs and frames whose changes `startWorker` stores', FRAMES_KEPT, oldest],
  ["events of a scenario's state", EVENTS_KEPT, oldest],
  ['event subscribers of a mock', READERS_KEPT, 'rejected with 503 `TOO_MANY_READERS` until one leaves'],
  ['logins of a session', LOGINS_KEPT, `${oldest}; each lasts ${days(LOGIN_LASTS)} of real time`],
  ['logins of a user in a session', LOGINS_ALLOWED, 'the oldest ends'],
  ['saved scenarios of a mock', SCENARIOS_SAVED, 'saving another is 507 `TOO_MUCH_DATA`'],
  ['combined scenarios', MOST_SCENARIOS, 'rejected with `TOO_MANY_SCENARIOS`'],
  ['states of flags: characters, percent-encoded', LONGEST_STATES, 'rejected with `TOO_MANY_SCENARIOS`'],
  ["rules of a scenario's state", RULES_KEPT, 'rejected with `INVALID_RULE`'],
  [
    'characters in the regular expressions of a strategy or segment, with repetitions written out: `(ab){3}` counts 9',
    LARGEST_EXPRESSION,
    'rejected with 400 `ExceedsLimitError`',
  ],
  [
    'steps of all evaluations of a request: a compared value counts one, a step of a regular expression ten',
    EVALUATION_STEPS,
    'rejected with 400',
  ],
  ['links of a feature, and link templates of a project', MOST_LINKS, 'rejected'],
  ['changed tags of a call: the number of features times the number of tags', CHANGED_TAGS, 'rejected with 400'],
  ['terms in a search', TEXTS_SEARCHED, 'rejected with 400'],
  ['buckets of a histogram', BUCKETS_KEPT, 'further ones are ignored'],
  ['characters of the name of an application with metrics', LONGEST_APPLICATION, 'its metrics are ignored'],
  ['applications that reported an unknown flag', APPLICATIONS_KEPT, oldest],
  ["flag coverage: names that don't exist", MISSING_KEPT, counted],
  ['flag coverage: variants of a flag', VARIANTS_KEPT, counted],
  ['bytes of a request body of the mocked API', BODY_LIMIT, 'rejected with 413'],
  ['records of each kind', RECORDS_KEPT, 'rejected with `TOO_MUCH_DATA`'],
  ['items of a list in a record', ITEMS_KEPT, 'rejected with `TOO_MUCH_DATA`'],
]

export const limitsTable = table(
  ['item', 'limit', 'beyond the limit'],
  rows.map(([what, most, beyond]) => [what, most.toLocaleString('en'), beyond]),
)
