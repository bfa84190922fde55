import { serve } from './serve.js'

export default { fetch: serve }
