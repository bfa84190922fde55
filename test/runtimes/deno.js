import process from 'node:process'
import { serve } from './serve.js'

process.stdin.on('end', () => process.exit()).resume()
const onListen = ({ port }) => process.stdout.write(`ready at http://127.0.0.1:${port}/\n`)
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, serve)
