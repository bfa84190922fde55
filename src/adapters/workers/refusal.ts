import { MockError } from '../../contract/mock-errors.js'
import { mockErrorAnswer, toResponse } from '../../http/answer.js'
import { ACCESS, ACCESS_HEADER } from './access.js'

export const notSet = new MockError(
  'ACCESS_NOT_SET',
  'This mock has no access key yet, so it serves nothing else.',
  'Set one, a long random text, and deploy again: npx wrangler secret put FLAGDOUBLE_ACCESS. For wrangler dev, put a line FLAGDOUBLE_ACCESS=… into .dev.vars.',
)

export const required = new MockError(
  'ACCESS_REQUIRED',
  'This mock needs its access key.',
  `Send it as the header ${ACCESS_HEADER}, or open this address once with ?${ACCESS}=KEY in a browser, which then keeps a cookie.`,
)

export const wrong = new MockError(
  'ACCESS_REQUIRED',
  'The access key that was sent is not that of this mock.',
  `Check it for missing or additional characters. It is sent as the header ${ACCESS_HEADER}, or opened once as ?${ACCESS}=KEY in a browser.`,
)

export const notBound = new MockError(
  'INVALID_OPTION',
  'The worker has no binding to the class FlagdoubleSession.',
  'Add durable_objects and migrations to wrangler.jsonc, as docs/deploy.md shows.',
)

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Why a request is not answered: a page for people, JSON for programs. Pages of other sites may read it. */
export function refuse(error: MockError, request: Request): Response {
  const origin = request.headers.get('origin')
  const answer = mockErrorAnswer(error)
  Object.assign(answer.headers, headers)
  if (origin !== null) Object.assign(answer.headers, crossOrigin(origin))
  const wantsPage = request.headers.get('accept')?.includes('text/html') === true
  if (!wantsPage) return toResponse(answer)
  return toResponse({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8' },
    body: pageOf(error),
  })
}

function crossOrigin(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'x-mock-error',
    vary: 'origin',
  }
}

/** The texts are constants: there is nothing to escape. */
function pageOf({ fault, hint }: MockError): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>flagdouble</title></head>
<body><h1>flagdouble</h1><p>${fault}</p><p>${hint}</p></body>
</html>
`
}
