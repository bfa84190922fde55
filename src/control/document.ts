import { operationsDocument } from '../api/openapi.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import { version } from '../version.js'
import { examplesOf } from './examples.js'
import type { ControlCall } from './row.js'

type Options = ControlCall['options']

/** The last document of each mock: making one takes a moment. */
const made = new WeakMap<Options, { server: string; document: Promise<unknown> }>()

/** The OpenAPI document of the service as it is running: of its profile, at its address. */
export async function answerDocument({ options }: ControlCall): Promise<Answer> {
  const server = options.baseUrl()
  let last = made.get(options)
  if (last?.server !== server) {
    last = { server, document: makeDocument(options, server) }
    made.set(options, last)
  }
  return jsonAnswer(200, await last.document)
}

async function makeDocument(options: Options, server: string): Promise<unknown> {
  const examples = await examplesOf(options)
  return operationsDocument({ profile: options.profile, version, server, examples })
}
