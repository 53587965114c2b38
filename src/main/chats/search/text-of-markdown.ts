/** Signs without which no text is Markdown. */
const MARKED = /[*_`~[\]#>|\\]/u

/**
 * A Markdown text about as it is shown: without the marks of emphasis, code, headings, quotes, tables and links. It is read line by line
 * and changes nothing inside code, so what a person sees is found, and what they do not see is not.
 */
export function textOfMarkdown(text: string): string {
  if (!MARKED.test(text)) return text
  let inCode = false
  const lines = text.split('\n').flatMap(line => {
    if (/^\s*(?:```|~~~)/u.test(line)) {
      inCode = !inCode
      return []
    }
    return [inCode ? line : shownLine(line)]
  })
  return lines.join('\n')
}

function shownLine(line: string): string {
  // What stands in backticks stays as it is.
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?)+/u, '')
    .split(/(`+[^`]+`+)/u)
    .map((part, at) => (at % 2 === 1 ? part.replaceAll('`', '') : shownText(part)))
    .join('')
}

const shownText = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/gu, '$1')
    .replaceAll(/(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1/gu, '$2')
    .replaceAll(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')
