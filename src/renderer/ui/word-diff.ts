/** A stretch of a text that was there before, that is new, or that both have. */
export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string }

/** Texts that differ in more pairs of words than this are shown as one that went and one that came. */
const MOST_PAIRS = 4_000_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const wordsOf = (text: string) => Array.from(words.segment(text), part => part.segment)

/** What changed between two texts, word by word, in reading order; what went stands before what came. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  // What is added at an end stays in one piece when the table finds it; only for long texts the end is cut off as well.
  const isShort = (old.length - start) * (now.length - start) <= MOST_PAIRS
  const most = isShort ? 0 : Math.min(old.length, now.length) - start
  let end = 0
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end++

  const parts: DiffPart[] = []
  const say = (kind: DiffPart['kind'], texts: readonly string[]) => {
    const text = texts.join('')
    const last = parts.at(-1)
    if (text === '') return
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }
  say('same', old.slice(0, start))
  const [oldMiddle, newMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  for (const part of middle(oldMiddle, newMiddle)) say(part.kind, [part.text])
  say('same', old.slice(old.length - end))
  return parts
}

/** The longest common row of words stays; everything else went or came. */
function middle(old: readonly string[], now: readonly string[]): DiffPart[] {
  const removed = (words: readonly string[]) => words.map((text): DiffPart => ({ kind: 'removed', text }))
  const added = (words: readonly string[]) => words.map((text): DiffPart => ({ kind: 'added', text }))
  if (old.length * now.length > MOST_PAIRS) return [...removed(old), ...added(now)]

  const width = now.length + 1
  // At `i * width + j`: the length of the longest common row of `old` from i and `now` from j.
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)

  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      parts.push({ kind: 'same', text: old[i]! })
      i++
      j++
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) {
      parts.push({ kind: 'removed', text: old[i++]! })
    } else {
      parts.push({ kind: 'added', text: now[j++]! })
    }
  }
  return [...parts, ...removed(old.slice(i)), ...added(now.slice(j))]
}
