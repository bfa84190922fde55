import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { apiTokenRecordSchema } from '../../people/api-tokens/schema.js'

export const tokenStringListSchema = z
  .looseObject({ tokens: z.array(secret(z.string())) })
  .meta({ id: 'tokenStringListSchema' })

const edgeTokenSchema = apiTokenRecordSchema
  .pick({ projects: true, environment: true })
  .extend({ token: secret(z.string()), type: z.enum(['client', 'admin', 'frontend', 'backend']) })
  .meta({ id: 'edgeTokenSchema' })

export const validatedEdgeTokensSchema = z
  .object({ tokens: z.array(edgeTokenSchema) })
  .meta({ id: 'validatedEdgeTokensSchema' })

export const edgeEnvironmentProjectsListSchema = z
  .looseObject({ tokens: z.array(z.strictObject({ environment: z.string(), projects: z.array(z.string()) })) })
  .meta({ id: 'edgeEnvironmentProjectsListSchema' })
