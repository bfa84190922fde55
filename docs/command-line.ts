// The tables of docs/command-line.md, from the command line itself.
import type { Command } from 'commander'
import { type Flag, flagTable } from '../src/entries/cli/flags.js'
import type { Io } from '../src/entries/cli/io.js'
import { createProgram, exitCodes } from '../src/entries/cli/program.js'
import { table } from './table.js'

/** Commands with the options of `start`. */
const SERVING = ['start', 'exec', 'health']

const SHARED: readonly string[] = Object.values(flagTable).map(({ usage }) => usage)

export function commandLineTables(): Record<string, string> {
  const { commands } = createProgram({} as Io, () => undefined)
  const others = commands.filter((command) => ownOptions(command).length > 0)
  return {
    commands: table(['command', 'purpose'], commands.map(commandRow)),
    options: table(['option', 'environment variable', 'meaning'], Object.values(flagTable).map(optionRow)),
    'other-options': others.map(optionsOf).join('\n\n'),
    'exit-codes': table(
      ['exit code', 'meaning'],
      exitCodes.map(([code, meaning]) => [code, meaning]),
    ),
  }
}

function commandRow(command: Command): string[] {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`
    return argument.required ? name : `[${name}]`
  })
  return [`\`flagdouble ${[command.name(), ...args].join(' ')}\``, command.description()]
}

function optionRow({ usage, help }: Flag): string[] {
  const variable = /--([a-z-]+)/.exec(usage)?.[1]?.replaceAll('-', '_').toUpperCase()
  return [`\`${usage}\``, `\`FLAGDOUBLE_${variable}\``, help]
}

function ownOptions(command: Command): Command['options'] {
  const isShared = SERVING.includes(command.name())
  return command.options.filter(({ flags }) => !isShared || !SHARED.includes(flags))
}

function optionsOf(command: Command): string {
  const rows = ownOptions(command).map(({ flags, description }) => [`\`${flags}\``, description])
  return `### \`${command.name()}\`\n\n${table(['option', 'meaning'], rows)}`
}
