import type { RunningServer } from '../doors/node.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'

/** Tells that the server is ready: to people by a banner, to programs by one line of JSON. */
export async function announce(server: RunningServer, flags: StartFlags, io: Io): Promise<void> {
  if (flags.json) {
    io.stdout.write(readyLine(server, io))
  } else if (!flags.quiet) {
    const { banner } = await import('./banner.js')
    io.stdout.write(banner(server, flags, io))
  }
}

/** `{"url":…,"port":…,"scenario":…,"pid":…}` */
export function readyLine({ url, port, mock }: RunningServer, { pid }: Io): string {
  return `${JSON.stringify({ url, port, scenario: mock.activeScenarios.join(','), pid })}\n`
}
