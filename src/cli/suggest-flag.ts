import { type Command, CommanderError } from 'commander'
import { UsageError } from '../files/usage-error.js'
import { nearOf } from '../support/nearest.js'

/** Turns commander's error for an unknown flag into one with a suggestion, if a flag is near. Returns others unchanged. */
export function suggestFlag(error: unknown, program: Command, [word]: readonly string[]): unknown {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownOption') return error
  const [, flag = ''] = /'([^'=]+)/.exec(error.message) ?? []
  const { commands } = program
  const command = commands.find((one) => one.name() === word) ?? commands.find((one) => one.name() === 'start')
  const known = (command?.options ?? []).flatMap(({ long }) => long?.replace(/^--/, '') ?? [])
  const near = nearOf(flag.replace(/^-+/, ''), known)
  const hint = near === undefined ? '' : `Did you mean --${near}? `
  return new UsageError(`unknown flag '${flag}'.`, `${hint}\`flagdouble --help\` lists all.`)
}
