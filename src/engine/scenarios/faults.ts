/** Connection faults of a response, each with its effect on the client. */
export const faults = {
  reset: 'the connection breaks',
  hang: 'no response arrives',
  truncate: 'the response breaks off',
  malformed: 'the response is not valid JSON',
} as const

export type ConnectionFault = keyof typeof faults
