import type { Client } from './adapters.js'

/** Signs in; returns the header for later requests. */
export async function signIn(client: Client, username: string, password = 'flagdouble'): Promise<{ cookie: string }> {
  const { headers } = await client.send('POST', '/auth/simple/login', { username, password }, { key: null })
  return { cookie: String(headers.get('set-cookie')).split(';')[0] ?? '' }
}
