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
    ['a flag that is like no other', ['--open'], /'--open'/, /^hint: `flagdouble start --help` lists all\.$/],
    ['a flag of other tools', ['--cors'], /'--cors'/, /Did you mean --allow-origin\?/],
    ['the end of a flag', ['exec', '--coverage', '--', 'true'], /'--coverage'/, /Did you mean --flag-coverage\?/],
    ['a flag for a flag', ['--enable', 'beta'], /'--enable'/, /--scenario new-checkout:off/],
    ['a flag for the session', ['--session', 'nora'], /'--session'/, /x-mock-session/],
    [
      'the environment of a start',
      ['--environment', 'production'],
      /isn't an option of start/,
      /\*:production\.SECRET/,
    ],
    ['a negated switch', ['--no-watch'], /'--no-watch'/, /Leave --watch out/],
    ['a long flag with one dash', ['scenarios', '-json'], /'-json'/, /Did you mean --json\?/],
    ['a short flag in the other case', ['-V'], /'-V'/, /Did you mean -v\?/],
    ['a short flag of another command', ['validate', '-f', 'a.json'], /-f isn't an option of validate/, /--help/],
    ['a port as a command', ['4242'], /"4242"/, /Did you mean flagdouble --port 4242\?/],
    ['a file as a command', ['mine.json'], /"mine.json"/, /Did you mean flagdouble --fixtures mine.json\?/],
    ['a command of other tools', ['serve'], /"serve"/, /Did you mean "start"\?/],
    ['a command that changes a mock', ['enable', 'beta'], /"enable"/, /docs\/control-api\.md/],
    ['a command to import', ['import', 'a.json'], /"import"/, /--fixtures FILE.*flagdouble pull URL/],
    ["Edge's command", ['offline'], /"offline"/, /BOOTSTRAP_FILE/],
    ['a command after a flag', ['-p', '0', 'exec'], /but "exec"/, /Write the command first: flagdouble exec/],
    ['a port after health', ['health', '4242'], /but "4242"/, /Did you mean --port 4242\?/],
    ['a file to export', ['export', 'a.json'], /but "a.json"/, /Did you mean --fixtures a.json\?/],
    ['a folder of scenarios', ['scenarios', 'mine'], /but "mine"/, /Did you mean --scenarios mine\?/],
    ['an argument after the last', ['init', 'a.json', 'b'], /init takes 1 argument, but "b" follows it/, /--help/],
    ['a file after a URL', ['pull', 'http://x', 'a.json'], /but "a.json" follows it/, /Did you mean --out a.json\?/],
    ['a short flag in place of a value', ['--scenario', '-p', '0'], /--scenario needs a value, but -p/, /VALUE/],
    ['paths as JSON', ['--paths', '{"/proxy":"/api/frontend"}'], /--paths/, /without one\. Write it as \/proxy=/],
    ['a kind of keys', ['--auth', 'none'], /"none"/, /--no-auth/],
    ['a host with a port', ['--host', 'localhost:4242'], /"localhost:4242"/, /without scheme, port/],
    ['a file as a scenario', ['-s', 'x/slow.json'], /"x\/slow.json"/, /--scenarios, and write the name in the file\.$/],
    ['an instance without a scheme', ['pull', 'flags.example.com'], /not the URL/, /https:\/\//],
    ['a fixture in YAML from init', ['init', 'a.yaml'], /init writes JSON/, /flagdouble init flagdouble\.json/],
    ['a name of every object', ['constructor'], /"constructor"/, /Commands: start/],
    ['an unknown flag of another command', ['scenarios', '--jsno'], /'--jsno'/, /Did you mean --json\?/],
    ['an unknown flag with a value', ['--scenaro=empty'], /'--scenaro'/, /Did you mean --scenario\?/],
    ['help for an unknown command', ['help', 'strat'], /"strat"/, /Did you mean "start"\?/],
    ['a command that is like no other', ['deploy'], /"deploy"/, /^hint: Commands: start/],
    ['a date that does not exist', ['--now', '2030-02-30'], /"2030-02-30"/, /2026-11-20T12:00:00Z/],
    ['a flag without its value', ['--port'], /--port needs a value/, /Write --port <number>\.$/],
    ['an argument too few', ['pull'], /pull needs the argument url/, /flagdouble pull URL/],
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

  it('a file that is missing has a hint with the file that was meant', async () => {
    const { path, put } = scratchFolder()
    for (const name of ['flags.json', 'more.json']) put(name, {})
    const at = (name: string) => ['--fixtures', `${path}/${name}`]
    await expectRefusal(at('flag.json'), /no such file/, /Did you mean "flags\.json"\?/)
    await expectRefusal(at('flags'), /no such file/, /Did you mean "flags\.json"\?/)
    await expectRefusal(at('more-of-mine.json'), /no such file/, /current folder\.$/)
    await expectRefusal(at('flo.json'), /no such file/, /current folder\.$/)
    await expectRefusal(at(`flags.json,${path}/more.json`), /no such file/, /repeat the option/)
    await expectRefusal(['--fixtures', 'http://x/a.json'], /^flagdouble: http:\/\/x\/a\.json: /, /URLs are not read/)
  })

  it('a packed file ends with exit code 2, and is named as such', async () => {
    const file = scratchFolder().put('mine.json', new Uint8Array([0x1f, 0x8b, 8, 0xff]))
    await expectRefusal(['--fixtures', file], /mine\.json: is compressed/, /gunzip /)
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
