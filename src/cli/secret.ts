import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks a person at the terminal for a secret, which does not appear. Undefined if nobody is there, or if they stop it. */
export function askSecret(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return Promise.resolve(undefined)
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    const end = (answer: string | undefined) => {
      process.stderr.write('\n')
      lines.close()
      resolve(answer)
    }
    lines.once('line', end)
    lines.once('SIGINT', () => end(undefined))
  })
}
