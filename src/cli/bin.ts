#!/usr/bin/env node
import type { Io, StopSignal } from './io.js'
import { run } from './main.js'

const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM']

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  pid: process.pid,
  onSignal(listener) {
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
}

// A reader such as `head` may close the pipe early.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await run(process.argv.slice(2), io)
