import { createRoot } from 'react-dom/client'
import { App } from './app.jsx'
import './style.css'

// During development, the mock runs in the page. A production build contains none of it.
if (import.meta.env.MODE === 'development') {
  const { startWorker } = await import('flagdouble/browser')
  await startWorker({ badge: true, quiet: true })
}

createRoot(document.getElementById('root')).render(<App />)
