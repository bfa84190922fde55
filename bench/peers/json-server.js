// Writes json-server's file, with one feature.
import { readFileSync, writeFileSync } from 'node:fs'

const { feature } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
writeFileSync(process.argv[2], JSON.stringify({ features: [{ id: 'first', ...feature }] }))
