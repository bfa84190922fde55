import { pageHost } from './host.js'
import { mount } from './mount.js'

const root = document.getElementById('panel')
if (root !== null) {
  root.replaceChildren()
  mount(root, pageHost())
}
