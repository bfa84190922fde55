import { MockError } from '../contract/mock-errors.js'
import { BrokenConnection } from './deliver.js'
import { mockErrorAnswer, toMockError } from './mock-answer.js'
import { answerUnknown } from './not-found.js'
import { answerOperation } from './operation.js'
import { answerProxied } from './proxy.js'
import { type ControlRoute, rawQuery } from './routes.js'
import { selectWorld } from './select.js'
import type { Call, Outcome } from './service.js'
import { unknownControlPath } from './unmodelled.js'

/** What comes of a call. Whatever throws is answered as flagdouble's own error. Not async: most calls wait for nothing. */
export function tryOutcome(call: Call): Outcome | Promise<Outcome> {
  try {
    const outcome = outcomeOf(call)
    return outcome instanceof Promise ? outcome.catch(failedOutcome) : outcome
  } catch (error) {
    return failedOutcome(error)
  }
}

function failedOutcome(error: unknown): Outcome {
  if (error instanceof BrokenConnection) throw error
  return { answer: mockErrorAnswer(toMockError(error)) }
}

function outcomeOf(call: Call): Outcome | Promise<Outcome> {
  const { request, place, found, world, options, relay } = call
  if (found?.target.kind === 'control' && relay === undefined)
    return answerControl(call, found.target.route, found.params)
  if (place === 'control') throw unknownControlPath(request, options.routes.controlCalls)
  const operation = found?.target.kind === 'operation' ? found.target.row : undefined
  if (world instanceof MockError) {
    return { answer: mockErrorAnswer(world), record: { operation: operation?.id ?? null } }
  }
  if (relay !== undefined) return answerProxied(call, world, relay)
  return operation === undefined
    ? answerUnknown({ ...call, world })
    : answerOperation(call, world, operation, found?.params ?? {})
}

async function answerControl(
  { request, session, caller, options }: Call,
  route: ControlRoute,
  params: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const world = () => selectWorld(request, session, caller)
  const query = new URLSearchParams(rawQuery(request.url))
  const asked = { request, params, query, session, caller, options, world }
  return { answer: await (request.method === 'HEAD' && route.head ? route.head(asked) : route.answer(asked)) }
}
