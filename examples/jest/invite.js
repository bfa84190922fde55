/** The code under test. */
const TOKENS = 'http://flags.example.com/api/admin/invite-link/tokens'
const headers = { authorization: '*:*.mock-admin', 'content-type': 'application/json' }

export async function readInvite(secret) {
  return (await fetch(`${TOKENS}/${secret}`, { headers })).json()
}

export async function switchInvite(secret, enabled) {
  return (await fetch(`${TOKENS}/${secret}`, { method: 'PUT', headers, body: JSON.stringify({ enabled }) })).json()
}
