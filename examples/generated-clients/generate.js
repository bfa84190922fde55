// Generates the types of openapi-typescript from the running mock's document.
import { mkdirSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const types = await openapiTS(new URL(`${process.env.FLAGDOUBLE_URL}/docs/openapi.json`))
mkdirSync('generated', { recursive: true })
writeFileSync('generated/openapi-typescript.d.ts', astToString(types))
