/** A line of a change, as shown: with a + or - if it was added or removed. */
export type ChangeLine = { kind: 'added' | 'removed' | 'same' | 'gap' | 'note'; text: string }

const HEAD = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@$/

/** Whether a unified diff creates a text: it has one hunk, and every line is new. */
export function isNewText(diff: string): boolean {
  const [head = '', ...lines] = diff.split('\n')
  const notes = lines.findIndex(line => !line.startsWith('+'))
  const rest = notes < 0 ? [] : lines.slice(notes)
  return /^@@ -0,0 \+\d+(?:,\d+)? @@$/.test(head) && notes !== 0 && rest.every(line => !isOfDiff(line))
}

/**
 * The lines of a unified diff without its `@@` lines: where lines are omitted, a gap names the next line.
 * Lines of a new text have no + signs. Every file line in a diff starts with a sign, so a line without one is
 * a note by Talaria.
 */
export function readChange(diff: string, isNew: boolean): ChangeLine[] {
  return diff.split('\n').flatMap((line): ChangeLine[] => {
    const start = HEAD.exec(line)?.[1]
    if (start !== undefined) return Number(start) > 1 ? [{ kind: 'gap', text: `Line ${start}` }] : []
    if (line.startsWith('+')) return [{ kind: 'added', text: isNew ? line.slice(1) : line }]
    if (line.startsWith('-')) return [{ kind: 'removed', text: line }]
    return [{ kind: line.startsWith(' ') ? 'same' : 'note', text: line }]
  })
}

const isOfDiff = (line: string) => /^[-+ ]/.test(line) || HEAD.test(line)
