/** Whether one of the comma-separated texts of a query occurs in one of the places, whatever its case. */
export function mentions(query: string, places: readonly (string | null)[]): boolean {
  const texts = query.split(',').map((text) => text.trim().toLowerCase())
  return texts.some((text) => places.some((place) => place?.toLowerCase().includes(text)))
}
