import type { OperationId } from '../../src/service/api/operations.js'
import { isObject } from '../../src/support/json.js'
import type { Difference } from './compare.js'
import type { FidelityRequest, FidelityResponse } from './exchange.js'

/** A difference in the response to a request. `operation` is undefined if no operation has the path. */
export interface Found {
  operation: string | undefined
  request: FidelityRequest
  /** The response of Unleash. */
  response: FidelityResponse
  /** The response of the mock. */
  actual: FidelityResponse
  difference: Difference
}

/** A known difference between Unleash 8.2.0 and the profile `unleash-8`. */
export interface KnownDifference {
  name: string
  /** Without operations: any operation. */
  operations?: readonly OperationId[]
  explains(found: Found): boolean
  /** For users, on the page about fidelity. */
  sentence: string
  /** `chosen`: the mock is better for its users this way. `not modelled`: nobody needs it. `chance`: Unleash varies by itself. */
  why: 'chosen' | 'not modelled' | 'chance'
}

interface Where {
  place?: RegExp
  kind?: Difference['kind']
  expected?: unknown
}

function at({ place, kind, expected }: Where): KnownDifference['explains'] {
  return ({ difference }) =>
    (place === undefined || place.test(difference.place)) &&
    (kind === undefined || difference.kind === kind) &&
    (expected === undefined || difference.expected === expected)
}

/** The statuses of Unleash and of the mock, such as `404 → 400`. */
function statuses(...pairs: string[]): KnownDifference['explains'] {
  return ({ difference: { kind, expected, actual } }) =>
    kind === 'status' && pairs.includes(`${expected} → ${String(actual).slice(0, 3)}`)
}

/** The places of the faults that an error names. */
function faultyPlaces({ body }: FidelityResponse): unknown[] {
  const details = isObject(body) && Array.isArray(body.details) ? body.details : []
  return details.map((fault: unknown) => (isObject(fault) ? fault.path : undefined))
}

/** The types of events, with those of an import, a clone and a batch sorted. */
function byRequest(events: unknown): string {
  let group: unknown
  const groups: { type: unknown; featureName: unknown }[][] = []
  for (const event of Array.isArray(events) ? events : []) {
    if (event.groupId === undefined || event.groupId === null || event.groupId !== group) groups.push([])
    groups.at(-1)?.push(event)
    group = event.groupId
  }
  return JSON.stringify(
    groups.map((own) => {
      const types = own.map(({ type }) => type)
      const isOfSeveral = new Set(own.map(({ featureName }) => featureName)).size > 1
      return isOfSeveral || types.includes('feature-created') ? types.toSorted() : types
    }),
  )
}

type SentEvent = Readonly<Record<string, unknown>>

/** Whether one of two lists has more odd events, and nothing else differs. A limit can cut either list. */
function onlyDifferBy(
  { request: { path }, response, actual, difference: { place } }: Found,
  isOdd: (event: SentEvent, all: readonly SentEvent[]) => boolean,
): boolean {
  const eventsIn = ({ body }: FidelityResponse): SentEvent[] =>
    isObject(body) && Array.isArray(body.events) ? body.events.filter(isObject) : []
  const split = (all: readonly SentEvent[]) => ({
    all,
    usual: all.filter((event) => !isOdd(event, all)),
  })
  const [there, here] = [split(eventsIn(response)), split(eventsIn(actual))]
  const isLimited = /[?&]limit=/.test(path)
  const shown = isLimited ? Math.min(there.usual.length, here.usual.length) : undefined
  const oddIn = ({ all, usual }: typeof there) => all.length - usual.length
  return (
    (isLimited ? /^\.(events|total)/ : /^\.(events|total(Events)?)$/).test(place) &&
    oddIn(there) !== oddIn(here) &&
    byRequest(there.usual.slice(0, shown)) === byRequest(here.usual.slice(0, shown))
  )
}

/** The IDs in a list. */
function idsOf(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? item.id : undefined)) : []
}

/** The names of users in a list, without those that stand for tokens and the system. */
function peopleIn(list: unknown): string {
  const people = Array.isArray(list) ? list.filter((item: unknown) => isObject(item) && Number(item.id) > 0) : []
  return JSON.stringify(people.map(({ name }) => name))
}

/** The items of a list, each one once. */
function distinctOf(list: unknown): unknown[] {
  return Array.isArray(list) ? [...new Set(list.map((item) => JSON.stringify(item)))] : []
}

const sortOrders = (strategies: unknown) =>
  JSON.stringify(Array.isArray(strategies) ? strategies.map(({ sortOrder }) => sortOrder) : [])

/**
 * Every known difference, in the order of the page. The first row that fits explains a difference. The lab names each row that
 * explained nothing.
 */
export const differences: readonly KnownDifference[] = [
  {
    name: 'errors of Unleash itself',
    explains: ({ difference: { kind, expected, actual } }) =>
      kind === 'status' && Number(expected) >= 500 && /^4\d\d/.test(String(actual)),
    sentence: 'Where Unleash fails with a 500, the mock responds with the nearest 4xx.',
    why: 'chosen',
  },
  {
    name: 'accepted instead of a 500',
    explains: ({ difference: { kind, expected, actual } }) =>
      kind === 'status' && Number(expected) >= 500 && /^[23]\d\d/.test(String(actual)),
    sentence:
      'Some requests succeed in the mock and fail with a 500 in Unleash: an unknown field of a link, a sort order beyond 32 bits, favourites of an admin API token, and lists with an event of a strategy `remoteAddress` that was updated without its list.',
    why: 'chosen',
  },
  {
    name: 'several requests at once',
    explains: ({ difference: { place, actual } }) => place === 'statuses at once' && !/5\d\d/.test(String(actual)),
    sentence:
      'The mock handles requests one after another. When several arrive at once, Unleash can create duplicates, and exceed its limits.',
    why: 'chosen',
  },
  {
    name: 'paths of faults',
    explains: ({ response: { status }, difference: { place, expected, actual } }) =>
      status === 400 &&
      ((place === '.details[].path' && actual === `/body/${expected}`) ||
        (/^\.(id|details\[\]\.path)$/.test(place) && expected === undefined) ||
        (place === '.details[].message' &&
          /"date-time"|must be of type object/.test(String(expected)) &&
          /must be a string|expected object/.test(String(actual)))),
    sentence:
      'Errors of types, dates and large numbers have an ID and the whole path of the fault, such as `/body/type`, as all other errors of a body do. A date of another type, and a patch that makes no object, are errors of the type.',
    why: 'chosen',
  },
  {
    name: 'mails after a restart',
    operations: ['sendResetPasswordEmail', 'resetUserPassword'],
    explains: statuses('200 → 429'),
    sentence: 'The limit of one mail for a new password a minute survives a restart.',
    why: 'chosen',
  },
  {
    name: 'order of faults',
    explains: ({ response, actual, difference: { place } }) => {
      if (response.status !== 400 || !/^\.(id|message|details(\[\]\.\w+)?)$/.test(place)) return false
      const [there, here] = [faultyPlaces(response), faultyPlaces(actual)]
      return there.length !== here.length || there.join() !== here.join()
    },
    sentence: 'A request with several faults gets the same status, but can be told another fault first.',
    why: 'not modelled',
  },
  {
    name: 'first of several faults',
    operations: [
      'updateFeatureStrategy',
      'updateStrategy',
      'createContextFieldForProject',
      'patchEnvironmentsFeatureVariants',
      'createContextField',
      'updateContextFieldForProject',
      'createFeature',
      'setStrategySortOrder',
      'createProjectApiToken',
    ],
    explains: statuses('400 → 404', '409 → 404', '409 → 400', '400 → 403', '403 → 400', '404 → 400'),
    sentence:
      'A request with several faults can get the status of another: an unknown strategy type with a wrong body is a 404, not a 400, and an unknown project with a context field that exists is a 404, not a 409.',
    why: 'not modelled',
  },
  {
    name: 'strategies of another flag',
    operations: ['getFeatureStrategy', 'patchFeatureStrategy', 'updateFeatureStrategySegments'],
    explains: ({ response: { status, body }, actual }) => status === 403 && body === '' && actual.status === 403,
    sentence: 'The 403 for a strategy of another flag, or for its segments, says why. In Unleash, it is empty.',
    why: 'chosen',
  },
  {
    name: 'reserved property names',
    explains: ({ request, difference: { kind, actual } }) =>
      kind === 'status' && String(actual).startsWith('400') && /__proto__/.test(JSON.stringify(request.body ?? '')),
    sentence: 'A body with a property called `__proto__` is rejected.',
    why: 'chosen',
  },
  {
    name: 'order of lists',
    operations: [
      'getAllClientFeatures',
      'getFeatures',
      'getProjectHealthReport',
      'getPlayground',
      'getAdvancedPlayground',
      'getAllApiTokens',
      'getProjectApiTokens',
      'getAllPublicSignupTokens',
      'getUsers',
      'getBaseUsersAndGroups',
      'getMe',
      'getAllFeatureTypes',
      'getFrontendFeatures',
      'getFrontendApiFeaturesWithPost',
      'getTagTypes',
      'searchFeatures',
      'exportFeatures',
    ],
    explains: ({ operation, difference: { kind, place } }) =>
      kind === 'order' &&
      (operation === 'searchFeatures' || operation === 'exportFeatures'
        ? place === '.features[].tags' || place === '.links'
        : /^\.(features|toggles|tokens|users|permissions|types|tagTypes)$/.test(place)),
    sentence:
      'A list without a defined order has the order of creation. In Unleash, its order can change with each update.',
    why: 'chance',
  },
  {
    name: 'order of events',
    operations: [
      'getEvents',
      'searchEvents',
      'getEventsForToggle',
      'getProjectStatus',
      'getPersonalDashboardProjectDetails',
    ],
    explains: ({ difference: { kind, expected, actual } }) =>
      kind === 'order' && byRequest(expected) === byRequest(actual),
    sentence:
      'The events of one request have the order of the request. In Unleash, the events of an import, a clone and a batch mix.',
    why: 'chance',
  },
  {
    name: 'strategies with the same sort order',
    operations: ['getFeatureStrategies'],
    explains: ({ difference: { kind, expected, actual } }) =>
      kind === 'order' && sortOrders(expected) === sortOrders(actual),
    sentence: 'Strategies with the same sort order have the order of their creation. In Unleash, an update changes it.',
    why: 'chance',
  },
  {
    name: 'sort order of imported strategies',
    operations: ['getFeatureStrategies', 'getFeature', 'getFeatureEnvironment', 'exportFeatures'],
    explains: ({ response, difference: { place, expected, actual } }) =>
      /sortOrder$/.test(place) &&
      Number(expected) < Number(actual) &&
      /"constraints":\[\{/.test(JSON.stringify(response.body)),
    sentence:
      'An imported strategy with constraints, but without a sort order, comes behind all others. In Unleash, its sort order is the same as theirs or higher, at random.',
    why: 'chance',
  },
  {
    name: 'events of the start',
    operations: ['getEventCreators', 'getProjectStatus'],
    explains: ({ difference: { place, expected, actual } }) =>
      /^\.activityCountByDate/.test(place) || (place === 'body' && peopleIn(expected) === peopleIn(actual)),
    sentence: 'The mock logs no events for the tokens and the data of its start.',
    why: 'chosen',
  },
  {
    name: 'hash of the query',
    explains: at({ place: /^\.meta\.(queryHash|etag)$/ }),
    sentence: '`meta.queryHash` and `meta.etag` differ, but change at the same changes.',
    why: 'not modelled',
  },
  {
    name: 'compression',
    explains: ({ request, difference: { place } }) =>
      place === 'content-encoding' || (place === 'body' && request.headers?.['accept-encoding'] !== undefined),
    sentence:
      'The Node server compresses with gzip only, not with Brotli or deflate. Other adapters leave responses uncompressed.',
    why: 'not modelled',
  },
  {
    name: 'cookies of older logins',
    explains: ({ request, difference: { place, expected } }) =>
      place === 'cookies' && expected === '' && request.actor.startsWith('cookie:'),
    sentence:
      'Each response renews the cookie of a login. After a restart, Unleash no longer renews the cookies of older logins.',
    why: 'not modelled',
  },
  {
    name: 'paths that Unleash hides',
    explains: ({ operation, request: { path, method }, difference: { kind } }) =>
      operation === undefined &&
      (kind === 'header' || method === 'OPTIONS' || /\/(email\/preview|permissions|docs)\b/.test(path)),
    sentence:
      'Paths that Unleash neither documents nor uses are unknown to the mock: `email/preview`, `user-admin/:id/permissions`, `/docs`, and OPTIONS of `/api/streaming`.',
    why: 'not modelled',
  },
  {
    name: 'headers of missing files',
    explains: ({ operation, response: { status }, difference: { place } }) =>
      (place === 'cache-control' && (status === 304 || status === 404)) ||
      (place === 'etag' && operation === 'setCors'),
    sentence:
      'A missing file has no `cache-control`, a 304 no `no-store`, and the 204 of a change of CORS no entity tag.',
    why: 'not modelled',
  },
  {
    name: 'texts of integrations',
    operations: ['getAddons', 'getAddon'],
    explains: at({
      place: /^\.providers\[\]\.(.*\.(title|text|helpText|description|displayName|placeholder)|howTo|deprecated)$/,
    }),
    sentence: 'The labels, examples and notices of integrations are our own.',
    why: 'not modelled',
  },
  {
    name: 'measurements of the process',
    operations: ['getPrometheusMetrics', 'getFrontendPrometheus', 'getImpactMetrics'],
    explains: ({ operation, difference: { place, expected, actual } }) =>
      place === 'body' && (operation !== 'getImpactMetrics' || String(expected).trim() === String(actual).trim()),
    sentence: 'Prometheus gets no measurements of the process and of requests. Impact metrics end with a blank line.',
    why: 'not modelled',
  },
  {
    name: 'ID of the instance',
    operations: ['getInstanceAdminStats', 'getInstanceAdminStatsCsv', 'getUiConfig'],
    explains: at({
      place:
        /^(content-disposition|body|\.instanceId|\.maxConstraint\w*|\.clientApps.*|\.sum|\.(productionChanges|activeUsers).*)$/,
    }),
    sentence:
      'The ID of the instance is always the same. Unleash counts applications and constraints for its statistics every few minutes, the mock at once. Unleash counts deleted users as active.',
    why: 'not modelled',
  },
  {
    name: 'last use of tokens',
    operations: ['getPats', 'getAllApiTokens', 'getProjectApiTokens', 'getApiTokensByName'],
    explains: ({ difference: { place, actual } }) => /seenAt$/.test(place) && actual === null,
    sentence: 'Tokens don’t note their last use, `seenAt`. In Unleash, a job does, every three minutes.',
    why: 'not modelled',
  },
  {
    name: 'health of projects',
    operations: [
      'getProjects',
      'getProjectHealthReport',
      'getProjectOverview',
      'getProjectStatus',
      'getProjectInsights',
      'getPersonalDashboard',
      'getPersonalDashboardProjectDetails',
    ],
    explains: at({
      place:
        /((health|technicalDebt)(\.rating)?|averageHealth|updatedAt|lastUpdatedAt|\.stats\.\w+|healthOverview.*|insights\..*)$/,
    }),
    sentence:
      'The health of a project and its statistics are always current. In Unleash, jobs rate projects once an hour and count their statistics once a day, which also counts as an update of the project.',
    why: 'chosen',
  },
  {
    name: 'favourites in the health report',
    operations: ['getProjectHealthReport'],
    explains: at({ place: /favorite$/, expected: false }),
    sentence: 'The health report knows the favourites of the caller. In Unleash’s report, `favorite` is always false.',
    why: 'chosen',
  },
  {
    name: 'flag of the onboarding',
    operations: ['getProjects', 'getProjectOverview', 'getPersonalDashboardProjectDetails', 'getPersonalDashboard'],
    explains: at({ place: /onboardingStatus(\.\w+)?$/ }),
    sentence:
      '`onboardingStatus` names the oldest flag. In Unleash, it is any of them, and a report for all projects starts the onboarding anew.',
    why: 'chance',
  },
  {
    name: 'top-level domains',
    operations: ['createUser', 'updateUser', 'addPublicSignupTokenUser', 'validateImport'],
    explains: statuses('400 → 201', '400 → 200'),
    sentence:
      'An e-mail address of a new user is rejected if its top-level domain is reserved, such as `.test`. Unleash rejects all domains that don’t exist.',
    why: 'chosen',
  },
  {
    name: 'tags of an unknown type',
    operations: ['updateTags', 'addTag', 'addTagToFeatures'],
    explains: statuses('200 → 400', '200 → 404', '201 → 400', '201 → 404'),
    sentence:
      'Tags of an unknown type, or for an unknown flag, are rejected without a change. Unleash adds the other tags all the same.',
    why: 'chosen',
  },
  {
    name: 'incomplete metrics in bulk',
    operations: ['clientBulkMetrics'],
    explains: (found) =>
      statuses('400 → 202', '202 → 400')(found) || (found.response.status === 400 && found.response.body === ''),
    sentence:
      'Metrics in bulk with an incomplete application are rejected without a change. Unleash records everything else.',
    why: 'chosen',
  },
  {
    name: 'use by applications',
    operations: ['getApplications', 'getProjectApplications', 'getApplication', 'getApplicationOverview'],
    explains: ({ difference: { place, kind, expected, actual } }) =>
      kind === 'order' ||
      /(usage|environments?|applications\[\]\.project|updatedAt|lastSeen)$/.test(place) ||
      (place === '.featureCount' && expected === Number(actual) + 1) ||
      (/\.createdBy$/.test(place) && expected === null),
    sentence:
      'An application that reports with several tokens keeps its last use; the overview counts its own flags. In Unleash, a note about an application moves its use to the end of the list and can clear `createdBy`, and the overview counts one more flag if there is another application.',
    why: 'not modelled',
  },
  {
    name: 'archived flags that are on',
    operations: ['getProjectEnvironments', 'getAllEnvironments', 'getEnvironment'],
    explains: ({ difference: { place, expected, actual } }) =>
      /(projectE|e)nabledToggleCount$/.test(place) && Number(expected) > Number(actual),
    sentence: '`projectEnabledToggleCount` leaves out archived flags. Unleash counts those that were on.',
    why: 'chosen',
  },
  {
    name: 'delivery of imported flags',
    operations: ['getProjectDora'],
    explains: ({ difference: { place, expected, actual } }) =>
      place === '.projectAverage' ||
      (place === '.features' && JSON.stringify(expected).length < JSON.stringify(actual).length),
    sentence: 'A flag that an import switched on was delivered at once. Unleash has no time of delivery for it.',
    why: 'not modelled',
  },
  {
    name: 'permissions for an import',
    operations: ['validateImport'],
    explains: ({ request: { body }, difference: { place } }) =>
      /^\.permissions/.test(place) && isObject(body) && body.project !== 'default',
    sentence: 'The permissions of a role count for an import into an unknown project. Unleash names them as missing.',
    why: 'chosen',
  },
  {
    name: 'rules of the playground',
    operations: ['getPlayground', 'getAdvancedPlayground'],
    explains: ({ request }) => /"currentTime"|"v\d|"environment":(null|"")/.test(JSON.stringify(request.body)),
    sentence:
      'The playground evaluates constraints as SDKs do. In Unleash, it has further rules: a list can ignore case, a version can begin with `v`, `currentTime` isn’t text, and an empty environment is any.',
    why: 'chosen',
  },
  {
    name: 'inverted constraints of segments in the playground',
    operations: ['getPlayground', 'getAdvancedPlayground'],
    explains: at({ place: /\.segments\[\]\.constraints\[\]\.inverted$/ }),
    sentence:
      'The playground shows `inverted` for each constraint of a segment. Unleash shows it only if it was sent with the segment.',
    why: 'chosen',
  },
  {
    name: 'repeated parents',
    operations: ['getAllClientFeatures', 'getClientFeature'],
    explains: ({ difference: { place, expected, actual } }) =>
      /\.dependencies$/.test(place) && JSON.stringify(distinctOf(expected)) === JSON.stringify(distinctOf(actual)),
    sentence: 'SDKs get each parent of a flag once. Unleash repeats the parents for each strategy.',
    why: 'chosen',
  },
  {
    name: 'current stage and collaborators',
    operations: ['getFeature'],
    explains: ({ difference: { place, expected, actual } }) =>
      /^\.lifecycle/.test(place) ||
      (place === '.collaborators.users' && idsOf(actual).every((id) => idsOf(expected).includes(id))) ||
      (place === '.environments' && Array.isArray(actual) && actual.length === 0),
    sentence:
      'A flag has one current stage: that which it entered last. Its collaborators are the users who changed it, and in no environment, it has none. In Unleash, `getFeature` shows the furthest stage, collaborators of deleted flags with the same name, and a nameless environment.',
    why: 'chosen',
  },
  {
    name: 'records that do not exist',
    operations: [
      'updateTagType',
      'getApplicationOverview',
      'complete',
      'uncomplete',
      'getFeatureStrategies',
      'updateFeatureStrategySegments',
      'changeUserPassword',
      'updateFeatureLink',
      'deleteFeatureLink',
    ],
    explains: (found) =>
      statuses('200 → 404', '201 → 404', '204 → 404')(found) &&
      !/"(id|features?)":/.test(JSON.stringify(found.response.body)),
    sentence:
      'A flag, strategy, link, user, application or tag type that does not exist where the path says is a 404. Unleash lets some changes pass: of an unknown tag type, of the lifecycle of an unknown flag, of the segments of an unknown strategy, of the links of another flag, and of the password of a deleted user.',
    why: 'chosen',
  },
  {
    name: 'events of records that do not exist',
    operations: ['getEvents', 'searchEvents', 'getEventsForToggle'],
    explains: (found) =>
      onlyDifferBy(found, ({ type, featureName }, all) => {
        const hasLink = all.some((other) => other.type === 'feature-link-added' && other.featureName === featureName)
        return (
          /^feature-(un)?completed$/.test(`${type}`) || (/^feature-link-(removed|updated)$/.test(`${type}`) && !hasLink)
        )
      }),
    sentence:
      'The 404 for completing a flag that the path doesn’t have, for undoing it, and for a link of another flag logs nothing. Unleash logs an event for the project in the path.',
    why: 'chosen',
  },
  {
    name: 'projects of a changed API token',
    operations: ['getEvents', 'searchEvents'],
    explains: (found) =>
      at({ place: /^\.events\[\]\.(project|data\.projects?(\[\])?)$/, expected: '*' })(found) ||
      (/[?&]project=/.test(found.request.path) && onlyDifferBy(found, ({ type }) => type === 'api-token-updated')),
    sentence:
      'The event of a changed API token names its projects, and is among the events of each. In Unleash, it names all projects, `*`.',
    why: 'chosen',
  },
  {
    name: 'names of deleted users',
    explains: ({ response, difference: { place } }) =>
      /(name|imageUrl|lagCreators|total|^body)$/.test(place) &&
      /\(Deleted\)"|"name":"unknown"/.test(JSON.stringify(response.body)),
    sentence:
      'Lists of those who caused events or created flags have the last name of a deleted user, or leave the user out. In Unleash, “(Deleted)” stands behind the name, and a user without a name is `unknown`.',
    why: 'not modelled',
  },
  {
    name: 'strategies of a deleted type',
    operations: ['updateFeatureStrategy', 'updateFeatureStrategySegments'],
    explains: (found) =>
      statuses('200 → 400', '200 → 404', '201 → 400', '201 → 404')(found) &&
      /strategy type/.test(JSON.stringify(found.actual.body)),
    sentence: 'A strategy whose type was deleted can’t be changed. Unleash accepts the change.',
    why: 'not modelled',
  },
  {
    name: 'environments that a project lost',
    operations: [
      'getSegmentsByStrategyId',
      'getProjects',
      'getInstanceAdminStats',
      'searchFeatures',
      'getFrontendFeatures',
      'getFrontendApiFeaturesWithPost',
    ],
    explains: ({ difference: { place, expected, actual } }) =>
      (/^\.(segments|toggles|features\[\]\.segments)$/.test(place) && JSON.stringify(actual) === '[]') ||
      (place === '.projects[].lastReportedFlagUsage' && actual === null) ||
      (place === '.maxEnvironmentStrategies' && Number(expected) > Number(actual)),
    sentence:
      'An environment that leaves a project takes the strategies, segments and uses of its flags with it. Unleash keeps and counts them, and its frontend API has these flags until the next change.',
    why: 'not modelled',
  },
  {
    name: 'patches without a value',
    operations: ['patchFeatureStrategy'],
    explains: ({ request: { body }, difference: { place } }) =>
      /^\.(constraints|parameters|variants)$/.test(place) &&
      Array.isArray(body) &&
      body.some((patch) => patch?.op === 'replace' && patch.value === undefined),
    sentence: 'A JSON Patch that replaces a property without a value keeps it. Unleash clears it.',
    why: 'not modelled',
  },
  {
    name: 'new strategies without a state',
    operations: ['addFeatureStrategy'],
    explains: ({ request: { body }, difference: { place, expected, actual } }) =>
      place === '.disabled' && expected === null && actual === false && isObject(body) && body.disabled === null,
    sentence: 'The response for a new strategy with `disabled: null` says false. In Unleash, only later responses do.',
    why: 'not modelled',
  },
  {
    name: 'unknown fields of default strategies',
    operations: [
      'addDefaultStrategyToProjectEnvironment',
      'getProjectEnvironments',
      'getProjectOverview',
      'getProjectHealthReport',
    ],
    explains: ({ operation, difference: { kind, place, actual } }) =>
      kind === 'value' &&
      actual === undefined &&
      (operation === 'addDefaultStrategyToProjectEnvironment' || /defaultStrategy\./.test(place)) &&
      !/\.(name|title|disabled|constraints|variants|parameters|segments|sortOrder)$/.test(place),
    sentence: 'Unknown fields of the default strategy of a project are left out.',
    why: 'not modelled',
  },
  {
    name: 'maintenance mode and errors of the UI',
    operations: ['uiObservability'],
    explains: statuses('503 → 204'),
    sentence: 'In maintenance mode, errors of the user interface are still recorded.',
    why: 'chosen',
  },
  {
    name: 'values that Unleash checks and the mock doesn’t',
    operations: ['getProjects', 'searchFeatures'],
    explains: (found) =>
      statuses('400 → 200')(found) && (found.operation === 'getProjects' || /[?&]status=/.test(found.request.path)),
    sentence:
      'An `archived` other than true or false is ignored in the list of projects. A search can have one `status`; in Unleash, a single one must be `status[]`.',
    why: 'not modelled',
  },
  {
    name: 'encodings',
    explains: ({ request, difference: { kind } }) =>
      kind === 'status' && /utf-32/.test(request.headers?.['content-type'] ?? ''),
    sentence: 'A body in UTF-32 is a 400, not a 415.',
    why: 'not modelled',
  },
  {
    name: 'unknown states in a search',
    operations: ['searchFeatures'],
    explains: ({ request: { path }, difference: { place } }) =>
      /state=(?!\w+:(stale|active)\b)/.test(path) && /^\.(features|total)$/.test(place),
    sentence: 'A search for an unknown state finds nothing. Unleash finds stale flags.',
    why: 'not modelled',
  },
  {
    name: 'numbers beyond 32 bits',
    explains: (found) =>
      statuses('400 → 202', '400 → 200', '400 → 201', '200 → 400')(found) &&
      /e\+\d{2}|\d{11,}/.test(JSON.stringify(found.request.body ?? '')),
    sentence:
      'A number beyond 32 bits is accepted as a sort order of strategies, and as a date in metrics and registrations; it is rejected as a sort order of context fields.',
    why: 'not modelled',
  },
]

/** The first row that explains a difference. */
export function explainedBy(found: Found): KnownDifference | undefined {
  return differences.find(({ operations, explains }) => {
    const isMeant = operations === undefined || operations.some((id) => id === found.operation)
    return isMeant && explains(found)
  })
}

/** Requests with a known fault of Unleash: sending many of them tells nothing. */
const KNOWN_FAULTS: readonly (readonly [operations: RegExp, request: RegExp])[] = [
  [/./, /"__proto__":|e\+\d\d|\d{10}/],
  [/^(create|update)Application$/, /x{300}/],
  [/^(createTag|complete|uncomplete|getAddon|deleteAddon|getApplicationOverview|patchFeatureStrategy)$/, /./],
  [/^(createSegment|updateSegment|createContextField(ForProject)?|updateFeatureStrategySegments)$/, /./],
  // Without the first user, most callers are unknown.
  [/^deleteUser$/, /\/1 /],
  [/^(getFeatureStrategies|addDefaultStrategyToProjectEnvironment|updateUser|resetUserPassword|updateTagType)$/, /./],
]

/** Whether a request with this path and body can meet a fault of Unleash that a row explains. */
export function isKnownFault(id: string, text = ''): boolean {
  return KNOWN_FAULTS.some(([operation, request]) => operation.test(id) && request.test(text))
}
