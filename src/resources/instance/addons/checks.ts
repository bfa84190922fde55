import { badData, type Failure } from '../../../contract/errors.js'
import { isInSubnet } from '../../../evaluation/subnet.js'
import { providers } from './providers.js'
import { MASK } from './rules.js'
import type { UpsertAddon } from './schema.js'

/** Fails for an unknown provider, a missing parameter, or a URL that the service does not call. */
export function checkAddon({ provider, parameters }: UpsertAddon): Failure | undefined {
  const definition = providers.find(({ name }) => name === provider)
  if (definition === undefined) {
    const known = providers.map(({ name }) => name).join(', ')
    return badData(`There is no provider ${JSON.stringify(provider)}. The providers are ${known}.`, '/body/provider')
  }
  const required = (definition.parameters ?? []).filter((parameter) => parameter.required)
  const missing = required.filter(({ name }) => !Object.hasOwn(parameters, name)).map(({ name }) => name)
  return missing.length > 0
    ? badData(`The provider "${provider}" needs the parameters ${missing.join(', ')}.`, '/body/parameters')
    : checkUrl(parameters.url)
}

/** Fails for a provider that can no longer be chosen. */
export function checkNotDeprecated(provider: string): Failure | undefined {
  const deprecated = providers.find(({ name }) => name === provider)?.deprecated
  return deprecated === undefined ? undefined : badData(deprecated, '/body/provider')
}

/** Names can't be looked up here, so only addresses are recognized as private. The URL may hold a secret: it is not quoted. */
function checkUrl(sent: unknown): Failure | undefined {
  if (!sent || sent === MASK) return undefined
  const at = '/body/parameters/url'
  if (!URL.canParse(String(sent))) return badData('The parameter "url" is not a URL.', at)
  const { protocol, hostname } = new URL(String(sent))
  if (!/^https?:$/.test(protocol)) return badData('The parameter "url" must begin with http:// or https://.', at)
  return isPrivate(hostname) ? badData('The parameter "url" must lead to a public address.', at) : undefined
}

const PRIVATE_RANGES =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/)

const PRIVATE_V6 = /^\[(?:::|f[cdf]|fe[89ab]|2002:|2001:db8:)/

function isPrivate(host: string): boolean {
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || PRIVATE_V6.test(host)
  return isLocal || PRIVATE_RANGES.some((range) => isInSubnet(host, range))
}
