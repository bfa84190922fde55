import { createMock } from 'flagdouble'
import { createHandlers } from 'flagdouble/msw'
import { mswLoader } from 'msw-storybook-addon/csf3'

export default {
  loaders: [mswLoader()],
  // Each story has a service of its own, fresh each time it is shown, under the scenario that it names.
  beforeEach({ msw, parameters: { scenario } }) {
    msw.use(...createHandlers(createMock({ scenario })))
  },
}
