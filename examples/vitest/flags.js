/** The code under test: an app's client for Unleash. */
const SERVICE = 'http://flags.example.com'
const headers = { authorization: 'user:mock-editor', 'content-type': 'application/json' }

export async function listFlags(project) {
  const response = await fetch(`${SERVICE}/api/admin/projects/${project}/features`, { headers })
  const { features } = await response.json()
  return features.map(({ name }) => name)
}

export async function cloneFlag(name, copy) {
  const response = await fetch(`${SERVICE}/api/admin/projects/default/features/${name}/clone`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: copy }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${body.name}: ${body.message}`)
  return body
}

export async function signIn(username, password) {
  await fetch(`${SERVICE}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'include',
    body: JSON.stringify({ username, password }),
  })
}

export async function whoAmI() {
  const response = await fetch(`${SERVICE}/api/admin/user`, { credentials: 'include' })
  return (await response.json()).user.name
}
