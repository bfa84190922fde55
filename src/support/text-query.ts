/** Whether one of the texts of a query, which commas part, stands in one of the places, whatever its case. */
export function mentions(query: string, places: readonly (string | null)[]): boolean {
  const texts = query.split(',').map((text) => text.trim().toLowerCase())
  return texts.some((text) => places.some((place) => place?.toLowerCase().includes(text)))
}
