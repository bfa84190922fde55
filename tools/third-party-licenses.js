import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences of the bundled packages, whose terms ask that they go along. Takes the paths of all bundled files. */
export function thirdPartyLicenses(files) {
  const folders = files.map((file) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0])
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort()
  const texts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  return `dist/ contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}
