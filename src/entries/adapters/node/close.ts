import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds that open requests get to finish, unless another grace is given. */
export const GRACE = 5000

/** Milliseconds between looks for connections that are done. */
const SWEEP = 50

/** The connections whose answer never ends: one that hangs, or a stream of events. */
export const endless = new WeakSet<Socket>()

/** The connections of a server, so that it can stop without waiting for those that would never end. */
export class Connections {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #used = new WeakSet<Socket>()

  constructor(server: Server) {
    this.#server = server
    server.on('request', ({ socket }: IncomingMessage) => this.#used.add(socket))
    // With TLS, both come for the same connection: the bare one, and later the one that requests arrive on.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#open.add(socket)
        socket.once('close', () => this.#open.delete(socket))
      })
    }
  }

  /** Browsers open connections before they need them. On a TLS connection, the handshake has been read. */
  #isUnused(socket: Socket): boolean {
    return socket.bytesRead === 0 || ('encrypted' in socket && !this.#used.has(socket))
  }

  /**
   * Stops the server: no new connections; idle and endless ones are cut at once, busy ones when they are done or the
   * grace is over. Can be called again, with a shorter grace.
   */
  close(grace: number = GRACE): Promise<void> {
    return new Promise((resolve) => {
      const sweep = setInterval(() => this.#cutIdle(), SWEEP)
      const cut = setTimeout(() => this.#cutAll(), grace)
      // Its only error says that the server does not run any more.
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
