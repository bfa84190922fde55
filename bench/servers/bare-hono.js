// The minimal server for the three requests: a Hono app over a Map, without checks, journal or scenarios.
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const { feature, token } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
const features = new Map([[feature.name, feature]])
const tokens = new Map([[token.secret, token]])

const app = new Hono()
app.get('/health', (c) => c.json({ health: 'GOOD' }))
app.get('/api/admin/projects/:project/features/:feature', (c) => c.json(features.get(c.req.param('feature'))))
app.post('/api/admin/projects/:project/features/:feature/clone', async (c) => {
  const { name } = await c.req.json()
  const copy = { ...features.get(c.req.param('feature')), name }
  features.set(name, copy)
  return c.json(copy)
})
app.put('/api/admin/invite-link/tokens/:token', async (c) => {
  const updated = { ...tokens.get(c.req.param('token')), ...(await c.req.json()) }
  tokens.set(updated.secret, updated)
  return c.json(updated)
})
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
