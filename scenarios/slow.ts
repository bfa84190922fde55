import type { Scenario } from '../src/scenarios/scenario.js'

export const slow: Scenario = {
  name: 'slow',
  title: 'A slow network',
  promise: 'Every response takes a second and a half.',
  extends: 'default',
  latency: 1500,
}
