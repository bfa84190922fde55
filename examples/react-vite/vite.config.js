import react from '@vitejs/plugin-react'
import flagdouble from 'flagdouble/vite'
import { defineConfig } from 'vite'

// In the mode "server", Vite's own server serves the mock. QA links then work at the page's own address:
// http://localhost:5173/__mock/use/expired-token?redirect=/
export default defineConfig(({ mode }) => ({
  plugins: [react(), mode === 'server' && flagdouble()],
}))
