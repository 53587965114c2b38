/** A line with only this separates two entries of a memory file. */
const SEPARATOR = /^[ \t]*§[ \t]*$/m

/** The text of a memory file without these entries; unchanged if it has none of them. */
export function withoutEntries(file: string, texts: ReadonlySet<string>): string {
  const entries = file
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split(SEPARATOR)
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  const kept = entries.filter(entry => !texts.has(entry))
  if (kept.length === entries.length) return file
  return kept.length === 0 ? '' : `${kept.join('\n§\n')}\n`
}
