import * as z from 'zod'
import { type SettingRecord, settingRecordSchema } from './schema.js'

/** A setting as a fixture gives it. */
export const settingFixtureSchema = z.strictObject(settingRecordSchema.shape)

/** The record that a fixture means: itself. */
export function completeSetting(given: z.infer<typeof settingFixtureSchema>): SettingRecord {
  return given
}
