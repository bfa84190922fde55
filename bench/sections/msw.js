// One call through msw: to the mock's handlers, to a constant handler, and to a handler that reads the body.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMock } from '../../dist/index.js'
import { createHandlers } from '../../dist/msw.js'
import { AUTHORIZATION, fixed, median, table } from '../lib.js'

const path = 'https://flags.example.com/api/admin/invite-link/tokens/live-invite'
const calls = 400

async function microseconds(handlers) {
  const server = setupServer(...handlers)
  server.listen()
  const started = performance.now()
  for (let call = 0; call < calls; call++) {
    const response = await fetch(path, {
      method: 'PUT',
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      body: '{"enabled":true}',
    })
    await response.json()
  }
  const each = ((performance.now() - started) / calls) * 1000
  server.close()
  return each
}

const mock = createMock()
const token = mock.signupTokens.get('live-invite')
const place = '*/api/admin/invite-link/tokens/:token'
const constant = [http.put(place, () => HttpResponse.json(token))]
const reading = [http.put(place, async ({ request }) => HttpResponse.json({ ...token, ...(await request.json()) }))]
const rounds = []
// The first rounds are slower, until the code is compiled.
for (let round = 0; round < 15; round++) {
  const ours = await microseconds(createHandlers(mock))
  rounds.push({ ours, constant: await microseconds(constant), reading: await microseconds(reading) })
}
const of = (figure) => median(rounds.slice(3).map(figure))
table(
  'One call by msw, microseconds',
  ['handlers', 'median', 'ratio of ours to it'],
  [
    [
      "flagdouble's",
      fixed(
        of(({ ours }) => ours),
        0,
      ),
      '',
    ],
    [
      'a constant one',
      fixed(
        of((it) => it.constant),
        0,
      ),
      fixed(of(({ ours, constant }) => ours / constant)),
    ],
    [
      'one that reads the body',
      fixed(
        of((it) => it.reading),
        0,
      ),
      fixed(of(({ ours, reading }) => ours / reading)),
    ],
  ],
)
