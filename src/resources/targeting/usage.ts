import * as z from 'zod'

/** The strategies that use a segment or a context field, and where they are. */
export const usingStrategiesSchema = z
  .object({
    strategies: z.array(
      z.object({
        id: z.string(),
        featureName: z.string(),
        projectId: z.string(),
        environment: z.string(),
        strategyName: z.string(),
      }),
    ),
  })
  .meta({ id: 'contextFieldStrategiesSchema' })
