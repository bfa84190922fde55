// Our end-to-end tests ask the server in FLAGDOUBLE_URL.
const headers = { authorization: '*:development.mock-frontend' }
const response = await fetch(`${process.env.FLAGDOUBLE_URL}/api/frontend`, { headers })
const { toggles } = await response.json()
process.stdout.write(`${toggles.map(({ name }) => name).join() || 'no flag is on'}\n`)
