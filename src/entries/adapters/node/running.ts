import { channel } from 'node:diagnostics_channel'
import type { Server } from 'node:http'

/**
 * Servers of all copies of the package respond to questions here. Each copy keeps the channel: when Node 20 collects an
 * unused channel, it also forgets a newer channel of the same name, with its subscribers.
 */
const questions = channel('flagdouble:running-servers')

interface Question {
  url: URL
  isServed: boolean
}

/** Whether a server of this process listens at the address of a URL. */
export function isServedHere(url: string): boolean {
  const question: Question = { url: new URL(url), isServed: false }
  questions.publish(question)
  return question.isServed
}

/** Lets `isServedHere` find a server until it closes. */
export function announce(server: Server, address: string): void {
  const { hostname, port } = new URL(address)
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', hostname])
  const tell = (message: unknown) => {
    const question = message as Question
    question.isServed ||= question.url.port === port && hosts.has(question.url.hostname)
  }
  questions.subscribe(tell)
  server.once('close', () => questions.unsubscribe(tell))
}
