import { createRoot } from 'react-dom/client'
import { App } from './app.jsx'
import './style.css'

// While developing, the service is answered in the page. In a build for production nothing of this is left.
if (import.meta.env.MODE === 'development') {
  const { startWorker } = await import('flagdouble/browser')
  await startWorker({ badge: true, panel: true, quiet: true })
}

createRoot(document.getElementById('root')).render(<App />)
