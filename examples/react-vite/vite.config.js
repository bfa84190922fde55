import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// In the mode "server" the page talks to a running flagdouble. /__mock too: so QA links work at the page's own address,
// http://localhost:5173/__mock/use/expired-token?redirect=/
const target = process.env.FLAGDOUBLE_URL ?? 'http://127.0.0.1:4242'

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  server: { proxy: mode === 'server' ? { '/api': target, '/__mock': target } : {} },
}))
