import * as z from 'zod'

export const healthCheckSchema = z.object({ health: z.enum(['GOOD', 'BAD']) }).meta({ id: 'healthCheckSchema' })
