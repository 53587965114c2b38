/** A text that is not Markdown, escaped so that Markdown shows it unchanged. */
export const plainText = (text: string): string => text.replaceAll(/[\\<*[\]`]/g, String.raw`\$&`)

/** The first lines of a generated file. */
export const madeBy = (from: string): string =>
  `<!-- Written by “npm run reference” from ${from}. Do not edit it here. -->`

/** Text on one line as code. */
export const asCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/**
 * A text for the terminal as Markdown. Lines that belong together become a paragraph. Indented lines and JSON
 * become a block of code, which keeps the line breaks.
 */
export function fromTerminal(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap(part => runsOf(part.split('\n')))
    .map(({ isCode, lines }) =>
      isCode
        ? `\`\`\`text\n${lines.map(line => line.replace(/^ {2}/, '')).join('\n')}\n\`\`\``
        : plainText(lines.map(line => line.trim()).join(' ')),
    )
    .join('\n\n')
}

type Run = { isCode: boolean; lines: string[] }

/** The lines of a paragraph in runs of the same kind. */
function runsOf(lines: readonly string[]): Run[] {
  const runs: Run[] = []
  for (const line of lines) {
    const isCode = /^(?: {2}|\{)/.test(line)
    const last = runs.at(-1)
    if (last?.isCode === isCode) last.lines.push(line)
    else runs.push({ isCode, lines: [line] })
  }
  return runs
}
