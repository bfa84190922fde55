/** Ends the text with a full stop, unless it already ends with punctuation. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** The text without a character that it ends with any number of times. An expression such as `/=+$/` takes quadratic time. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** Whether one of the comma-separated texts of a query occurs in one of the places, whatever its case. */
export function mentions(query: string, places: readonly (string | null)[]): boolean {
  const texts = query.split(',').map((text) => text.trim().toLowerCase())
  return texts.some((text) => places.some((place) => place?.toLowerCase().includes(text)))
}
