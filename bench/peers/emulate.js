// emulate, with a service of two routes over a map.
import { readFileSync } from 'node:fs'
import { createEmulator, defineEmulator } from 'emulate'

const { feature } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
const service = defineEmulator({
  name: 'bench',
  state: () => ({ features: { first: feature } }),
  setup({ app, state }) {
    app.get('/features/:name', (c) => c.json(state.features[c.req.param('name')]))
    app.post('/features', async (c) => {
      const given = await c.req.json()
      state.features[given.key] = { ...feature, name: given.key }
      return c.json(state.features[given.key], 201)
    })
  },
})
await createEmulator({ service, port: Number(process.env.PORT) })
