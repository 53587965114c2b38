/** Parses a stored summary: `## ` starts a heading, `- ` starts a list line. */
export function partsOf(text: string): { heading: string; lines: string[] }[] {
  const parts: { heading: string; lines: string[] }[] = []
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    if (line.startsWith('## ')) parts.push({ heading: line.slice(3), lines: [] })
    else {
      if (parts.length === 0) parts.push({ heading: '', lines: [] })
      parts.at(-1)!.lines.push(line.replace(/^- /, ''))
    }
  }
  return parts
}
