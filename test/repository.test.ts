import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/markdown.js'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

describe.each(['package-lock.json', 'bench/package-lock.json', 'site/package-lock.json'])('%s', (file) => {
  const { packages } = JSON.parse(read(file)) as { packages: Record<string, Locked> }
  const entries = Object.entries(packages)

  it('locks the packages of every platform, not only of the one where it was written', () => {
    const optional = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [path, name] as const),
    )
    expect(optional).not.toEqual([])
    expect(optional.filter(([path, name]) => find(packages, path, name) === undefined)).toEqual([])
  })

  it('lists the contents of each package, and not its source', () => {
    const installed = entries.filter(([path]) => path.includes('node_modules/'))
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })
})

it.each(['.ci/packed.sh', 'Dockerfile'])('%s installs from the lock file', (file) => {
  expect(existsSync(join(root, file))).toBe(true)
  expect(read(file)).toMatch(/\bnpm ci\b/)
  expect(read(file)).not.toMatch(/(?:^|&& |RUN )npm install\b(?! --prefer-offline)/m)
})

it('TypeScript that reads no `exports` finds the types of each entry, also in a package that is packed by npm alone', () => {
  const { exports, typesVersions } = JSON.parse(read('package.json')) as {
    exports: Record<string, { require?: object; default: string }>
    typesVersions: { '*': Record<string, string[]> }
  }
  const entries = Object.entries(exports).filter(([name, { require }]) => name !== '.' && require !== undefined)
  expect(entries.length).toBeGreaterThan(5)
  expect(typesVersions['*']).toEqual(
    Object.fromEntries(entries.map(([name, { default: module }]) => [name.slice(2), [module.replace(/js$/, 'd.ts')]])),
  )
})

describe('npm scripts', () => {
  const examples = readdirSync(join(root, 'examples')).filter((name) => !name.includes('.'))
  const manifests = [
    'package.json',
    'bench/package.json',
    'site/package.json',
    ...examples.map((name) => `examples/${name}/package.json`),
  ]
  const programs = [
    ...readdirSync(join(root, 'node_modules/.bin')),
    'bun',
    'jest',
    'orval',
    'storybook',
    'vitepress',
    'wrangler',
  ]
  const known = ['node', 'npm', 'flagdouble', ...programs]

  it.each(manifests)('the scripts of %s work in every shell, including Windows', (file) => {
    const scripts = Object.values((JSON.parse(read(file)) as { scripts: Record<string, string> }).scripts)
    expect(scripts).not.toEqual([])
    for (const script of scripts) {
      for (const command of script.split(' && ')) expect(known, command).toContain(command.split(' ')[0])
      expect(script, 'quotes are double, and nothing is left to the shell').not.toMatch(/['`$;|*?~<>%^]|&(?!& )(?<!&&)/)
    }
  })
})

it('text files are checked out with the same line ends everywhere', () => {
  expect(read('.gitattributes')).toMatch(/^\* text=auto eol=lf$/m)
  const texts = ['fixtures', 'scenarios', 'src', 'test', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const isText = (file: string) => /\.(tsx?|json|md)$/.test(file)
  expect(texts.filter(isText).filter((file) => read(file).includes('\r\n'))).toEqual([])
})

describe('the workflows', () => {
  const folder = '.github/workflows'
  const texts = readdirSync(join(root, folder)).map((file) => read(`${folder}/${file}`))

  it('pin actions to commit hashes', () => {
    const used = texts.flatMap((text) => text.match(/\buses: .*/g) ?? [])
    expect(used).not.toEqual([])
    for (const one of used) expect(one).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('let only jobs publish that run nothing but the publishing, or the build of an image, which doesn’t get the token', () => {
    const jobs = texts.flatMap((text) => (text.split(/^jobs:$/m)[1] ?? '').split(/^ {2}(?=\w+:$)/m))
    const heads = texts.map((text) => text.split(/^jobs:$/m)[0])
    expect(heads.filter((head) => head?.includes(': write'))).toEqual([])
    const publishing = jobs.filter((job) => /^ +(id-token|packages): write$/m.test(job))
    const steps = publishing.map((job) => job.match(/\b(run: .*|uses: [^@]+)/g))
    const tag = (version: string) => `--tag "ghcr.io/\${GITHUB_REPOSITORY,,}:${version}"`
    expect(steps).toEqual([
      [
        'uses: actions/setup-node',
        'uses: actions/download-artifact',
        'run: echo "$DIGEST" | sha256sum --check',
        'run: npm publish ./flagdouble.tgz --ignore-scripts',
      ],
      [
        'uses: actions/checkout',
        'run: docker buildx create --use',
        'run: echo "$TOKEN" | docker login ghcr.io --username "$GITHUB_ACTOR" --password-stdin',
        `run: docker buildx build --platform linux/amd64,linux/arm64 --provenance=true ${tag(`\${GITHUB_REF_NAME#v}`)} ${tag('latest')} --push .`,
      ],
      ['uses: actions/deploy-pages'],
    ])
  })

  it('run the README’s two commands on Linux, macOS and Windows', () => {
    const [, systems = ''] = read(`${folder}/ci.yml`).split(/^ {2}systems:$/m)
    const [job = ''] = systems.split(/^ {2}\w+:$/m)
    expect(job).toContain('os: [ubuntu-latest, macos-latest, windows-latest]')
    const commands = [...read('README.md').matchAll(/^npm install && npm \w+/gm)].map(([command]) => command)
    expect(commands).toEqual(['npm install && npm start', 'npm install && npm test'])
    for (const command of commands) expect(job).toContain(command)
  })
})

/** The resolved version of an imported package, as in Node: from the importing package's folder upwards. */
function find(packages: Record<string, Locked>, from: string, name: string): Locked | undefined {
  const found = packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`]
  if (found !== undefined || from === '') return found
  return find(packages, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}
