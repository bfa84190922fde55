import { operationsDocument } from '../api/openapi.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import type { KitCall } from '../http/routes.js'
import { version } from '../version.js'
import { examplesOf } from './examples.js'

/** The OpenAPI document of the service as it is running: of its profile, at its address. */
export async function answerDocument({ options }: KitCall): Promise<Answer> {
  const examples = await examplesOf(options)
  const { profile, baseUrl } = options
  return jsonAnswer(200, await operationsDocument({ profile, version, server: baseUrl(), examples }))
}
