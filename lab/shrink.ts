/**
 * The smallest part of a list that still fails, by removing halves, quarters and so on (delta debugging). The last item always
 * stays. `fails` is asked once for each part.
 */
export async function shrunk<Item>(
  items: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  const last = items.at(-1)
  if (last === undefined) return items
  let kept = items.slice(0, -1)
  let size = Math.ceil(kept.length / 2)
  while (size >= 1) {
    let removed = false
    for (let from = kept.length - size; from > -size; from -= size) {
      const rest = [...kept.slice(0, Math.max(from, 0)), ...kept.slice(from + size)]
      if (rest.length < kept.length && (await fails([...rest, last]))) {
        kept = rest
        removed = true
      }
    }
    if (size === 1 && !removed) break
    size = size === 1 ? 1 : Math.ceil(size / 2)
  }
  return [...kept, last]
}
