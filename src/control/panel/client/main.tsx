import { render } from 'hono/jsx/dom'
import { App } from './app.js'
import { Panel } from './panel.js'

const root = document.getElementById('panel')
if (root !== null) {
  const panel = new Panel()
  render(<App panel={panel} />, root)
  panel.open(panel.state.view)
}
