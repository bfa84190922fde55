/** The app under test: a server that renders flags from Unleash, and a page that clones one directly. */
import { createServer } from 'node:http'

export function startApp(serviceUrl) {
  const server = createServer(async (request, response) => {
    // The forwarded cookie assigns this server's request to the test's session.
    const headers = { authorization: '*:*.mock-admin', cookie: request.headers.cookie ?? '' }
    const listed = await fetch(`${serviceUrl}/api/admin/projects/default/features`, { headers })
    const { features = [], message } = await listed.json()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page(serviceUrl, features, message))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, url: `http://localhost:${server.address().port}` }))
  })
}

const page = (serviceUrl, features, message) => `<!doctype html>
<html lang="en">
<title>Flags</title>
<h1>Flags</h1>
<ul>${features.map(({ name }) => `<li>${name}</li>`).join('')}</ul>
<button>Clone</button>
<p role="alert">${message ?? ''}</p>
<script type="module">
  document.querySelector('button').onclick = async () => {
    const reply = await fetch('${serviceUrl}/api/admin/projects/default/features/checkout-redesign/clone', {
      method: 'POST',
      headers: { authorization: 'user:mock-editor', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'copy' }),
    })
    if (reply.ok) location.reload()
    else document.querySelector('[role=alert]').textContent = (await reply.json()).message
  }
</script>
</html>`
