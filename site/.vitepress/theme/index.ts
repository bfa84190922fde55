import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { defineComponent, h } from 'vue'
import LiveRequest from '../../LiveRequest.vue'
import './site.css'

/** The default layout, with a live request at the top of the home page. */
const Layout = defineComponent(() => {
  const route = useRoute()
  const isHome = () => route.data.relativePath === 'index.md'
  return () => h(DefaultTheme.Layout, null, { 'doc-before': () => (isHome() ? h(LiveRequest) : null) })
})

export default { extends: DefaultTheme, Layout }
