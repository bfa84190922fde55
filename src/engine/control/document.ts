import { OPENAPI_VERSIONS, operationsDocument } from '../../service/api/openapi.js'
import { version } from '../../version.js'
import { MockError } from '../errors/mock-errors.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import type { ControlCall } from './row.js'

type DocumentOptions = ControlCall['options']
type OpenApi = keyof typeof OPENAPI_VERSIONS

/** The documents of each mock, by OpenAPI version and address: generating a document takes a while. */
const made = new WeakMap<DocumentOptions, Map<string, Promise<unknown>>>()

/** The OpenAPI document of the running mock: of its profile, at its address. */
export async function answerDocument({ options, query }: ControlCall): Promise<Answer> {
  const openapi = openApiIn(query)
  const server = options.baseUrl
  const key = `${openapi} ${server}`
  const documents = made.get(options) ?? new Map<string, Promise<unknown>>()
  const document = documents.get(key) ?? makeDocument(options, server, openapi)
  made.set(options, documents.set(key, document))
  return jsonAnswer(200, await document)
}

function openApiIn(query: URLSearchParams): OpenApi {
  const sent = query.get('version') ?? '3.1'
  const known = Object.keys(OPENAPI_VERSIONS) as OpenApi[]
  const openapi = known.find((one) => one === sent || OPENAPI_VERSIONS[one] === sent)
  if (openapi !== undefined) return openapi
  const message = `The document is not available in OpenAPI ${JSON.stringify(sent)}.`
  throw new MockError('INVALID_REQUEST', message, `"version" is one of: ${known.join(', ')}.`)
}

async function makeDocument(options: DocumentOptions, server: string, openapi: OpenApi): Promise<unknown> {
  return operationsDocument({ profile: options.profile, openapi, version, server })
}
