/** Ways in which delivering an answer can fail, each with what the client sees. */
export const faults = {
  reset: 'the connection breaks',
  hang: 'no answer comes',
  truncate: 'the answer breaks off',
  malformed: 'the answer is not well-formed JSON',
} as const

export type ConnectionFault = keyof typeof faults
