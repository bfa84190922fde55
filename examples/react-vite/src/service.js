/** This page's calls to Unleash. Errors are thrown as a ServiceError. */
const KEY = '*:*.mock-admin'

export class ServiceError extends Error {
  constructor(status, message, name) {
    super(message)
    this.status = status
    this.kind = name
  }
}

async function call(method, path, body) {
  const headers = { authorization: KEY, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(`/api/admin${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ServiceError(0, 'The service can’t be reached.', 'Offline')
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new ServiceError(response.status, answer.message ?? response.statusText, answer.name)
  return answer
}

export const listFlags = async (project) => (await call('GET', `/projects/${project}/features`)).features
export const cloneFlag = (project, flag, copy) => call('POST', `/projects/${project}/features/${flag}/clone`, copy)
export const readInvite = (secret) => call('GET', `/invite-link/tokens/${secret}`)
export const updateInvite = (secret, change) => call('PUT', `/invite-link/tokens/${secret}`, change)
