import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** The default grace period for open requests in milliseconds. */
export const GRACE = 5000

/** The milliseconds between checks for finished connections. */
const SWEEP = 50

/** The connections with an endless response: hanging, or a stream of events. */
export const endless = new WeakSet<Socket>()

/** The connections of a server, so that it can stop without waiting for endless responses. */
export class Connections {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #used = new WeakSet<Socket>()

  constructor(server: Server) {
    this.#server = server
    server.on('request', ({ socket }: IncomingMessage) => this.#used.add(socket))
    // With TLS, both events come for a connection: first for the bare socket, then for the socket with the requests.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#open.add(socket)
        socket.once('close', () => this.#open.delete(socket))
      })
    }
  }

  /** Browsers open connections in advance. On a TLS connection, the handshake has been read. */
  #isUnused(socket: Socket): boolean {
    return socket.bytesRead === 0 || ('encrypted' in socket && !this.#used.has(socket))
  }

  /**
   * Stops the server: no new connections; idle and endless connections are cut at once, busy connections when they finish
   * or the grace period ends. You can call it again, with a shorter grace period.
   */
  close(grace: number = GRACE): Promise<void> {
    return new Promise((resolve) => {
      const sweep = setInterval(() => this.#cutIdle(), SWEEP)
      const cut = setTimeout(() => this.#cutAll(), grace)
      // The only possible error is that the server isn't running any more.
      this.#server.close(() => {
        clearInterval(sweep)
        clearTimeout(cut)
        resolve()
      })
      this.#cutIdle()
    })
  }

  #cutIdle(): void {
    for (const socket of this.#open) if (endless.has(socket) || this.#isUnused(socket)) socket.destroy()
    this.#server.closeIdleConnections()
  }

  #cutAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
