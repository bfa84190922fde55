import { view } from '../../shared/operation.js'
import { changedFeatureView } from '../features/present.js'

/** The copy of a feature. */
export const clonedFeatureView: typeof changedFeatureView = view({
  documented: { ...changedFeatureView.documented, status: 200 },
  'unleash-8': changedFeatureView['unleash-8'],
})
