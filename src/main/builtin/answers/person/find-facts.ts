import { contentWords, cutEnding, holdsWord, isMistyped, wordsIn } from './word-stems.ts'

/** Verbs and adjectives of taste. They rank results, but find nothing on their own beside a named thing. */
const SOFT = new Set(
  'like likes love enjoy prefer preferred favourite favorite hate dislike use have need eat drink best age years year take good'.split(
    ' ',
  ),
)

/** The entries that contain what a question names, the best first. Words such as “the” do not count. */
export function findFacts(entries: readonly string[], topic: string): string[] {
  const asked = [...new Set(contentWords(topic))]
  const hard = asked.filter(word => !SOFT.has(word))
  const wanted = hard.length > 0 ? hard : asked
  if (wanted.length === 0) return []
  const read = entries.map(entry => {
    const all = wordsIn(entry)
    return { entry, all, words: new Set(all), stems: new Set(all.map(cutEnding)) }
  })
  const found = read.filter(({ words, stems }) => wanted.every(word => holdsWord(words, stems, word)))
  const mistyped =
    found.length > 0
      ? found
      : read.filter(({ words, stems, all }) =>
          wanted.every(word => holdsWord(words, stems, word) || all.some(other => isMistyped(word, other))),
        )
  const softly = asked.filter(word => SOFT.has(word))
  const score = ({ words, stems }: (typeof read)[number]) =>
    softly.filter(word => holdsWord(words, stems, word)).length
  return [...mistyped].toSorted((a, b) => score(b) - score(a)).map(({ entry }) => entry)
}
