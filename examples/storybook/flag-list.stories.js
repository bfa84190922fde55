import { createFlagList } from './flag-list.js'

export default { title: 'Flag list', render: createFlagList }

export const Flags = {}
export const NoFlags = { parameters: { scenario: 'empty' } }
export const NotAllowed = { parameters: { scenario: 'missing-permission' } }
export const OneFlagGone = { parameters: { scenario: 'checkout-redesign:gone' } }
