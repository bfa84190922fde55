// The files about bundled libraries: their licences, and a bill of materials.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'

/** The sorted packages that these files belong to, without our own. */
export function bundledPackages(files) {
  const folders = files.map((file) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0])
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, license, folder }
  })
}

/** The licences, which must accompany the code. `mit` is the text of the MIT licence, with any notice. */
export function licensesOf(packages, mit) {
  const texts = packages.map(({ name, version, license, folder }) => {
    return `${name} ${version} (${license})\n\n${licenseIn(folder) ?? fromReadme(folder, license, mit)}\n`
  })
  return `dist/ contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function licenseIn(folder) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').trim()
}

/** A package without a licence file has its notice in the README. */
function fromReadme(folder, license, mit) {
  const [notice] = /^Copyright .+$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? []
  if (license !== 'MIT' || notice === undefined) throw new Error(`${folder} has no licence that can go along.`)
  return mit.trim().replace(/^Copyright .+$/m, notice)
}

/** The bill of materials as CycloneDX, without times or random numbers: the same packages give the same text. */
export function billOf(packages, { name, version }) {
  const ours = component({ name, version, license: 'MIT' })
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: ours }) })
  for (const one of packages.map(component)) {
    bom.components.add(one)
    ours.dependencies.add(one.bomRef)
  }
  const normalize = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(normalize).serialize(bom, { sortLists: true, space: 2 })}\n`
}

function component({ name, version, license }) {
  const [base, group] = name.split('/').reverse()
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const licenses = new Models.LicenseRepository([new Models.SpdxLicense(license)])
  return new Models.Component(Enums.ComponentType.Library, base, { group, version, purl, bomRef: purl, licenses })
}
