import { serve } from './serve.js'

process.stdin.on('end', () => process.exit()).resume()
const { url } = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: serve })
process.stdout.write(`ready at ${url}\n`)
