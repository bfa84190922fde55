import type { Server } from 'node:http'

export type Listener = Server

/** Milliseconds that open requests get to finish. */
const GRACE = 5000

/** Stops a server: no new connections, idle ones closed at once, busy ones when they are done or the grace is over. */
export function closeGracefully(listener: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => listener.closeAllConnections(), GRACE)
    listener.close((error) => {
      clearTimeout(cut)
      if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'ERR_SERVER_NOT_RUNNING') reject(error)
      else resolve()
    })
    listener.closeIdleConnections()
  })
}
