/** Ends the text with a full stop, unless it already ends with punctuation. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
