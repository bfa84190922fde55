/** A request that visitors can send with one click. */
export interface Example {
  title: string
  method: string
  path: string
  key: string
  body?: object
}

const ADMIN = '*:*.mock-admin'
const FRONTEND = '*:development.mock-frontend'
const FEATURE = '/api/admin/projects/default/features/checkout-redesign'
const INVITE = '/api/admin/invite-link/tokens/live-invite'

export const KEYS = [
  ADMIN,
  'user:mock-admin',
  'user:mock-editor',
  'user:mock-viewer',
  '*:development.mock-client',
  FRONTEND,
]

/** The first four are also on the home page. */
export const EXAMPLES: readonly Example[] = [
  { title: 'Turn a flag on', method: 'GET', path: '/api/frontend?scenario=checkout-redesign:on', key: FRONTEND },
  { title: 'Turn it off', method: 'GET', path: '/api/frontend?scenario=checkout-redesign:off', key: FRONTEND },
  { title: 'Clone a flag', method: 'POST', path: `${FEATURE}/clone`, key: ADMIN, body: { name: 'my-copy' } },
  {
    title: 'Clone it without the permission',
    method: 'POST',
    path: `${FEATURE}/clone?scenario=missing-permission`,
    key: 'user:mock-editor',
    body: { name: 'my-copy' },
  },
  { title: 'Update an invite', method: 'PUT', path: INVITE, key: 'user:mock-admin', body: { enabled: false } },
  { title: 'Read an expired invite', method: 'GET', path: `${INVITE}?scenario=expired-token`, key: 'user:mock-admin' },
  { title: 'List the flags', method: 'GET', path: '/api/admin/projects/default/features', key: 'user:mock-viewer' },
  { title: 'Read the flags as an SDK', method: 'GET', path: '/api/client/features', key: '*:development.mock-client' },
]
