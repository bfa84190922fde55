import type { Scenario } from '../src/scenarios/scenario.js'
import { defaultScenario } from './default.js'
import { disabledToken } from './disabled-token.js'
import { empty } from './empty.js'
import { expiredToken } from './expired-token.js'
import { flaky } from './flaky.js'
import { freshServer } from './fresh-server.js'
import { largeProject } from './large-project.js'
import { missingPermission } from './missing-permission.js'
import { nameTaken } from './name-taken.js'
import { offline } from './offline.js'
import { rateLimited } from './rate-limited.js'
import { serverError } from './server-error.js'
import { slow } from './slow.js'
import { unauthenticated } from './unauthenticated.js'
import { unknownFeature } from './unknown-feature.js'
import { unsupportedContentType } from './unsupported-content-type.js'

/** The built-in scenarios, listed by hand so that they bundle for a browser. */
export const scenarios: readonly Scenario[] = [
  defaultScenario,
  empty,
  expiredToken,
  missingPermission,
  unsupportedContentType,
  disabledToken,
  unauthenticated,
  unknownFeature,
  nameTaken,
  slow,
  flaky,
  rateLimited,
  serverError,
  offline,
  largeProject,
  freshServer,
]
