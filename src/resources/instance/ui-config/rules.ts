/** Whether a text is an origin such as `https://app.example.com`, or `*` for all of them. */
export function isOrigin(text: string): boolean {
  return text === '*' || (!text.includes('*') && URL.canParse(text) && new URL(text).origin === text)
}
