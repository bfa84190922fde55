import { createFlagList } from './flag-list.js'
import { createSdkList } from './sdk-list.js'

export default { title: 'Flag list', render: createFlagList }

export const Flags = {}
export const NoFlags = { parameters: { scenario: 'empty' } }
export const NotAllowed = { parameters: { scenario: 'missing-permission' } }
// A state of a flag is what SDKs are told; the admin API still has the flag.
export const OneFlagOn = { render: createSdkList, parameters: { scenario: 'checkout-redesign:on' } }
export const OneFlagGone = { render: createSdkList, parameters: { scenario: 'checkout-redesign:gone' } }
