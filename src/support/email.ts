const LONGEST = { address: 254, label: 63 } as const

/** Every character beyond ASCII counts as a letter. */
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~\u{80}-\u{10FFFF}]+$/u
const LABEL = /^[a-z\d\u{80}-\u{10FFFF}](?:[a-z\d\-\u{80}-\u{10FFFF}]*[a-z\d\u{80}-\u{10FFFF}])?$/iu
const TOP_LEVEL = /^[a-z\u{80}-\u{10FFFF}]./iu

/** Whether the service accepts a text as an e-mail address: no quotes, no comments, at least two labels in the domain. */
export function isEmailAddress(text: string): boolean {
  const [local = '', domain, ...more] = text.split('@')
  if (domain === undefined || more.length > 0) return false
  if (text.length > LONGEST.address) return false
  const labels = domain.split('.')
  return (
    local.split('.').every((atom) => ATOM.test(atom)) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= LONGEST.label && LABEL.test(label)) &&
    TOP_LEVEL.test(labels.at(-1) ?? '')
  )
}
