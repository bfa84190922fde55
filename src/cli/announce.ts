import type { RunningServer } from '../doors/node.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'

/** Announces that the server is ready: a banner for people, or one line of JSON for programs. */
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
