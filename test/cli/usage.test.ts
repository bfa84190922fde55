import { describe, expect, it } from 'vitest'
import { runCli, scratchFolder } from '../support/cli.js'

/** Expects one line with the error, one with a hint, exit code 2, and nothing on standard output. */
async function expectRefusal(argv: readonly string[], what: RegExp, hint: RegExp, env = {}): Promise<void> {
  const { done, stdout, stderr } = runCli(argv, { env })
  expect(await done).toBe(2)
  expect(stdout()).toBe('')
  const lines = stderr().trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(what)
  expect(lines[0]).toMatch(/^flagdouble: /)
  expect(lines[1]).toMatch(hint)
  expect(lines[1]).toMatch(/^hint: /)
}

describe('wrong calls', () => {
  it.each([
    ['an unknown command', ['strat'], /"strat"/, /Did you mean "start"\?/],
    ['an unknown flag', ['--prot', '1'], /'--prot'/, /Did you mean --port\?/],
    ['a flag that is like no other', ['--cors'], /'--cors'/, /^hint: `flagdouble --help` lists all\.$/],
    ['an unknown flag of another command', ['scenarios', '--jsno'], /'--jsno'/, /Did you mean --json\?/],
    ['an unknown flag with a value', ['--scenaro=empty'], /'--scenaro'/, /Did you mean --scenario\?/],
    ['help for an unknown command', ['help', 'strat'], /"strat"/, /Did you mean "start"\?/],
    ['a command that is like no other', ['deploy'], /"deploy"/, /^hint: Commands: start/],
    ['a date that does not exist', ['--now', '2030-02-30'], /"2030-02-30"/, /2026-11-20T12:00:00Z/],
    ['a flag without its value', ['--port'], /--port/, /--help/],
    ['an argument too few', ['pull'], /'url'/, /`flagdouble help COMMAND`/],
    ['an argument too many', ['start', 'now'], /start takes no argument, but "now" was given/, /--help/],
    ['a URL after health', ['health', 'http://127.0.0.1:4242'], /health takes no argument/, /flagdouble health --help/],
    ['a second scenario', ['--scenario', 'empty', 'slow'], /but "slow"/, /Did you mean --scenario empty,slow\?/],
    ['a second fixture', ['-p', '0', '-f', 'a.json', 'b.json'], /but "b.json"/, /Did you mean -f a.json -f b.json\?/],
    ['a flag of another command', ['--flag-coverage'], /isn't an option of start/, /one of `flagdouble exec`/],
    ['the version as a command', ['version'], /"version"/, /--version/],
    ['a scenario in place of a flag', ['-s', 'default:empty'], /A comma combines scenarios: default,empty/, /flags/],
    ['a state before its flag', ['-s', 'off:beta'], /no flag "off"\. Did you mean "beta:off"\?/, /flags/],
    ['a flag without a state', ['-s', 'beta'], /no scenario "beta"/, /A flag needs a state, such as beta:off\.$/],
    ['a flag with an equals sign', ['-s', 'beta=on'], /no scenario "beta=on"/, /such as beta:on\.$/],
    ['scenarios without commas', ['-s', 'empty;slow'], /Did you mean "empty,slow"\?/, /Known scenarios/],
    ['a port that is not a number', ['--port', 'abc'], /--port can't be "abc"/, /whole number from 0 to 65535/],
    ['a port out of range', ['--port', '65536'], /"65536"/, /65535/],
    ['an unknown scenario', ['--scenario', 'expired-tokn'], /"expired-tokn".*"expired-token"/, /rate-limited/],
    ['an unknown profile', ['--profile', 'dokumented'], /"dokumented"/, /Did you mean "documented"\?/],
    ['a time that is not a date', ['--now', 'tomorrow'], /"tomorrow"/, /2026-11-20T12:00:00Z/],
    ['a date that no calendar has', ['--now', '2026-13-01'], /"2026-13-01"/, /2026-11-20T12:00:00Z/],
    ['a latency that is not a range', ['--latency', '5-1'], /"5-1"/, /100-500/],
    ['a base path without a slash', ['--base-path', 'flags'], /"flags"/, /begins with a slash/],
    ['an origin that is not one', ['--allow-origin', 'example.com/x'], /"example.com\/x"/, /https:\/\/app.example.com/],
    ['a host with a scheme', ['--allow-host', 'http://x'], /"http:\/\/x"/, /flags.example.com/],
    ['a journal that is too large', ['--journal-size', '1000001'], /"1000001"/, /1000000/],
    ['the address of another machine', ['--port', '0', '--host', '192.0.2.1'], /"192.0.2.1"/, /127\.0\.0\.1/],
    ['no file to validate', ['validate'], /needs a file/, /flagdouble validate my\.json/],
    [
      'a flag without its value',
      ['--seed', '--port', '0'],
      /--seed needs a value, but --port follows it/,
      /--seed VALUE/,
    ],
    ['a value of a switch', ['--port=0', '--json=yes'], /--json takes no value/, /Write --json alone/],
    ['a value of a negated switch', ['--no-auth=false'], /--no-auth takes no value/, /leave it out/],
    ['paths with a colon', ['--paths', '/proxy:/api/frontend'], /--paths/, /Write it as \/proxy=\/api\/frontend\./],
    ['an address without a scheme', ['export', '--url', '127.0.0.1:4242'], /--url can't be/, /http:\/\/localhost:4242/],
    ['no command to run', ['exec'], /needs a command/, /flagdouble exec -- npm test/],
  ])('%s ends with exit code 2, one clear line and a hint', async (_, argv, what, hint) => {
    await expectRefusal(argv, what, hint)
  })

  it('an invalid variable in the environment ends with exit code 2, and is named', async () => {
    await expectRefusal([], /FLAGDOUBLE_PORT can't be "x"/, /65535/, { FLAGDOUBLE_PORT: 'x' })
    await expectRefusal([], /FLAGDOUBLE_JSON can't be "maybe"/, /true or false/, { FLAGDOUBLE_JSON: 'maybe' })
  })
})

describe('files that can’t be used', () => {
  it.each([
    ['not JSON', '{"features": [', /is not well-formed JSON/],
    ['not UTF-8', new Uint8Array([0xff, 0xfe, 0x7b]), /UTF-8/],
    ['not an object', [], /\$: must be an object, but is an array/],
    ['a wrong type', { features: [{ name: 3 }] }, /\$\.features\[0\]\.name \(line 1\): must be a string, but is 3/],
    ['an unknown property', { feature: [] }, /"feature" is unknown/],
    ['a misspelt key', { features: [{ nam: 'a' }] }, /"nam" is unknown\. Did you mean "name"\? \(and 1 more\)/],
    [
      'a dangling reference',
      { features: [{ name: 'a', project: 'defalt' }] },
      /\$\.features\["a"\]\.project \(line 1\): .*"defalt"/,
    ],
  ])('an unusable fixture or state file ends with exit code 2, and is named: %s', async (_, content, what) => {
    const file = scratchFolder().put('mine.json', content)
    await expectRefusal(['--port', '0', '--fixtures', file], new RegExp(`mine\\.json: .*${what.source}`), /./)
    await expectRefusal(['--port', '0', '--state', file], new RegExp(`mine\\.json: .*${what.source}`), /./)
  })

  it('a YAML file ends with exit code 2, and is named as such', async () => {
    const file = scratchFolder().put('mine.yaml', 'features: []')
    await expectRefusal(['--fixtures', file], /mine\.yaml: is YAML, and only JSON is read/, /Convert it: npx js-yaml /)
  })

  it('an empty fixture ends with exit code 2', async () => {
    await expectRefusal(['--fixtures', scratchFolder().put('mine.json', '')], /mine\.json: is empty/, /JSON object/)
  })

  it('a fixture that does not exist ends with exit code 2', async () => {
    await expectRefusal(['--fixtures', 'nowhere.json'], /nowhere\.json: there is no such file/, /path/)
  })

  it('a folder of scenarios that does not exist ends with exit code 2', async () => {
    await expectRefusal(['--scenarios', 'nowhere'], /nowhere: there is no such folder/, /folder/)
  })

  it('a scenario whose seed refers to a record that does not exist ends with exit code 2', async () => {
    const folder = scratchFolder()
    const seed = { features: [{ name: 'a', project: 'no' }] }
    folder.put('mine.json', { name: 'mine', title: 'Mine', promise: 'Mine.', extends: 'default', seed })
    await expectRefusal(['--scenarios', folder.path], /mine\.json: \$\.seed\.features\["\S+"\]\.project/, /./)
  })
})

describe('help and version', () => {
  it.each([[['--help']], [['-h']], [['help']]])('%s lists the commands and the flags of start', async (argv) => {
    const { done, stdout } = runCli(argv)
    expect(await done).toBe(0)
    for (const command of ['start', 'exec', 'health', 'init', 'scenarios', 'validate', 'openapi', 'help'])
      expect(stdout()).toContain(`  ${command}`)
    for (const flag of ['port', 'scenario', 'fixtures', 'state', 'watch', 'quiet'])
      expect(stdout()).toContain(`--${flag}`)
  })

  it('help with a command prints the help of that command', async () => {
    const { done, stdout } = runCli(['help', 'validate'])
    expect(await done).toBe(0)
    expect(stdout()).toMatch(/^Usage: flagdouble validate/)
  })

  it.each(['start', 'exec', 'health'])('%s --help lists every flag', async (command) => {
    const { done, stdout } = runCli([command, '--help'])
    expect(await done).toBe(0)
    const flags = ['port', 'host', 'allow-host', 'allow-origin', 'scenario', 'seed', 'now', 'journal-size', 'fixtures']
    const more = ['scenarios', 'profile', 'base-path', 'latency', 'state', 'watch', 'json', 'quiet']
    for (const flag of [...flags, ...more]) expect(stdout()).toContain(`--${flag}`)
  })

  it.each(['--version', '-v'])('%s prints only the version', async (flag) => {
    const { done, stdout } = runCli([flag])
    expect(await done).toBe(0)
    expect(stdout()).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  })
})
