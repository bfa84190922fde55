import { createMock } from 'flagdouble'
import { mountPanel } from 'flagdouble/browser'
import { createHandlers } from 'flagdouble/msw'
import { mswLoader } from 'msw-storybook-addon/csf3'

const choices = createMock().scenarios.map(({ name, title }) => ({ value: name, title: `${name}: ${title}` }))

export default {
  loaders: [mswLoader()],
  // The toolbar: a scenario other than the story's own, and the control panel below the story.
  initialGlobals: { scenario: '', panel: 'hidden' },
  globalTypes: {
    scenario: {
      description: 'Scenario of the service',
      toolbar: {
        icon: 'database',
        dynamicTitle: true,
        items: [{ value: '', title: 'Scenario of the story' }, ...choices],
      },
    },
    panel: {
      description: 'Control panel of the service',
      toolbar: {
        icon: 'bottombar',
        items: [
          { value: 'hidden', title: 'Panel hidden' },
          { value: 'shown', title: 'Panel shown' },
        ],
      },
    },
  },
  // Each story has its own mock, fresh each time it is shown, in the scenario of the story or the toolbar.
  async beforeEach({ msw, parameters, globals }) {
    const mock = createMock({ scenario: globals.scenario || parameters.scenario })
    msw.use(...createHandlers(mock))
    if (globals.panel !== 'shown') return undefined
    const shelf = document.body.appendChild(document.createElement('div'))
    const panel = await mountPanel(shelf, mock)
    return () => {
      panel.remove()
      shelf.remove()
    }
  },
}
