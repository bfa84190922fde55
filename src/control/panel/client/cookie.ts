import { parse } from 'hono/utils/cookie'

const NAME = 'mock-scenario'

/** The scenarios named by this browser's QA cookie, or an empty string. */
export function scenarioCookie(): string {
  return parse(document.cookie, NAME)[NAME] ?? ''
}

export function dropScenarioCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${NAME}=; path=/; max-age=0`
}
