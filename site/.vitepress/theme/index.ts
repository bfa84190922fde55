import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import LiveRequest from '../../LiveRequest.vue'
import './site.css'

/** The default theme, with the live request of the home page. */
const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('LiveRequest', LiveRequest),
}

export default theme
