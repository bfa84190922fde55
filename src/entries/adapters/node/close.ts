import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds that open requests get to finish, unless another grace is given. */
export const GRACE = 5000

/** Milliseconds between looks for connections that have become idle. */
const SWEEP = 50

/** The connections of a server, so that it can stop without waiting for those that would never end. */
export class Connections {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #endless = new WeakSet<Socket>()
  readonly #used = new WeakSet<Socket>()
  #closing = false

  constructor(server: Server) {
    this.#server = server
    server.on('request', ({ socket }: IncomingMessage) => this.#used.add(socket))
    // With TLS, both come for the same connection: the bare one, and later the one that requests arrive on.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#open.add(socket)
        socket.once('close', () => this.#open.delete(socket))
        // A handshake that was under way when the server stopped.
        if (this.#closing) socket.destroy()
      })
    }
  }

  /** Browsers open connections before they need them. On a TLS connection, the handshake has been read. */
  #isUnused(socket: Socket): boolean {
    return socket.bytesRead === 0 || ('encrypted' in socket && !this.#used.has(socket))
  }

  /** Marks a connection whose answer never ends: one that hangs, or a stream of events. */
  markEndless(socket: Socket): void {
    this.#endless.add(socket)
    if (this.#closing) socket.destroy()
  }

  /**
   * Stops the server: no new connections; idle and endless ones are cut at once, busy ones when they are done or the
   * grace is over. Can be called again, with a shorter grace.
   */
  close(grace: number = GRACE): Promise<void> {
    this.#closing = true
    return new Promise((resolve) => {
      const sweep = setInterval(() => this.#server.closeIdleConnections(), SWEEP)
      const cut = setTimeout(() => this.#cutAll(), grace)
      // Its only error says that the server does not run any more.
      this.#server.close(() => {
        clearInterval(sweep)
        clearTimeout(cut)
        resolve()
      })
      for (const socket of this.#open) if (this.#endless.has(socket) || this.#isUnused(socket)) socket.destroy()
      this.#server.closeIdleConnections()
    })
  }

  #cutAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
