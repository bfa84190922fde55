// Nothing runs this file: `npm run types` fails if it does not compile. It compares `mock.client` with the class of the SDK.
import type { UnleashClient } from 'unleash-proxy-client'
import { createMock, type FlagClient } from '../../src/index.js'

const mock = createMock()

/** Without an expected type, it has its own. */
const own: FlagClient = mock.client({ userId: '7', properties: { plan: 'gold' } })

/** Each member can take the place of the SDK's. These return the client itself, or have private members. */
type Emitter = 'on' | 'once' | 'off' | 'emit'
export const members: Omit<UnleashClient, Emitter | 'impactMetrics'> = own
export const impact: Omit<UnleashClient['impactMetrics'], Emitter> = own.impactMetrics
own.on('error', (error: Error) => error.message).once('ready', () => undefined)

/** It has no other members. */
export const noOthers: Exclude<keyof FlagClient, keyof UnleashClient> extends never ? true : false = true

/** Where the SDK's class is expected, as in React, it has that type. */
function FlagProvider(props: { unleashClient?: UnleashClient }) {
  return props
}
export const provider = FlagProvider({ unleashClient: mock.client({ userId: '7' }) })
export const variable: UnleashClient = mock.client()
export const part: Pick<UnleashClient, 'isEnabled' | 'getVariant'> = mock.client()

// @ts-expect-error: it isn't anything else
export const other: string = mock.client()

// @ts-expect-error: other fields are properties
mock.client({ plan: 'gold' })
