/** Ways in which delivering an answer can fail, each with what the client sees. */
export const faults = {
  reset: 'the connection breaks',
  hang: 'no response arrives',
  truncate: 'the response breaks off',
  malformed: 'the response is not valid JSON',
} as const

export type ConnectionFault = keyof typeof faults
