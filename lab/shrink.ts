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

/**
 * Parts of a list that end with its last item and probably still fail: with the latest change, with the changes that share a
 * telling word with it or with the last item, with all changes, and the whole list.
 */
export function likelyParts<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  isChange: (item: Item) => boolean,
): readonly (readonly Item[])[] {
  const [earlier, last] = [items.slice(0, -1), items.slice(-1)]
  const changes = earlier.filter(isChange)
  const wordsIn = (item: Item) => new Set(textOf(item).match(/[\w-]{2,}/gu))
  const all = changes.map(wordsIn)
  const isTelling = (word: string) => all.filter((words) => words.has(word)).length * 2 < all.length
  const wanted = [...changes.slice(-1), ...last].flatMap((item) => [...wordsIn(item)].filter(isTelling))
  const related = changes.filter((_, index) => wanted.some((word) => all[index]?.has(word)))
  const parts = [[], changes.slice(-1), changes.slice(-3), related, changes, earlier]
  return parts.map((part) => [...part, ...last])
}
