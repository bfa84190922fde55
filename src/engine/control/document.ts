import { OPENAPI_VERSIONS, operationsDocument } from '../../service/api/openapi.js'
import { version } from '../../version.js'
import { MockError } from '../errors/mock-errors.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import type { ServedMock } from '../http/call.js'
import type { ControlCall } from './row.js'

type OpenApi = keyof typeof OPENAPI_VERSIONS

/** The OpenAPI document of the running mock: of its profile, at its address. */
export async function answerDocument({ mock, query }: ControlCall): Promise<Answer> {
  const openapi = openApiIn(query)
  const server = mock.baseUrl
  const key = `${openapi} ${server}`
  const document = mock.documents.get(key) ?? makeDocument(mock, server, openapi)
  mock.documents.set(key, document)
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

async function makeDocument(mock: ServedMock, server: string, openapi: OpenApi): Promise<unknown> {
  return operationsDocument({ profile: mock.profile, openapi, version, server })
}
