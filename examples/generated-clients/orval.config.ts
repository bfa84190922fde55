import { defineConfig } from 'orval'

export default defineConfig({
  flags: {
    input: { target: `${process.env.FLAGDOUBLE_URL}/docs/openapi.json` },
    output: { target: 'generated/orval.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
})
