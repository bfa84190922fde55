/** What the panel looks at: a session, and the world of some scenarios in it. Empty: the unnamed one, the switched-to. */
export interface View {
  session: string
  world: string
}

/** What the kit refused, with what to do about it. */
export class Refusal extends Error {
  readonly hint: string

  constructor(message: string, hint = '') {
    super(message)
    this.hint = hint
  }
}

/** The address of a control path, wherever the page lies. */
export function controlUrl(path: string): URL {
  return new URL(path, document.baseURI)
}

/** Names the session and the world. An empty header says that no cookie is to choose them. */
export function viewHeaders({ session, world }: View): Record<string, string> {
  return { 'x-mock-session': session, 'x-mock-scenario': world }
}

/** Makes a control call. Rejects with a `Refusal` where the kit says no, or where nobody answers. */
export async function call<Answer>(view: View, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(controlUrl(path), {
    method,
    headers: { ...viewHeaders(view), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal('The server does not answer.', 'Is it still running? The panel connects again by itself.')
  })
  const text = await response.text()
  const answer: unknown = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return answer as Answer
  const { message, hint } = answer as { message: string; hint?: string }
  throw new Refusal(message, hint)
}
