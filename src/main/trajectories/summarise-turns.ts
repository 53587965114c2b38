import { many } from '../../shared/text/amounts.ts'
import type { Turn } from './conversation.ts'

/** Maximum length of a quotation in a summary, in characters. */
const QUOTE = 160
/** How many characters to search for a quotation; a run of white space counts as one. */
const QUOTED_FROM = 1_000
/** Maximum number of tools to name in a summary. */
const MOST_TOOLS = 12

/** Start a rule-based summary of turns: their number, the tools called, the last question and answer. */
export function startSummary() {
  const calls = new Map<string, number>()
  let count = 0
  let asked = ''
  let answered = ''
  return {
    add(turn: Turn): void {
      count++
      if (turn.role === 'user') asked = `The user asked: “${quoted(turn.text)}”`
      if (turn.role !== 'assistant') return
      if (turn.text !== '') answered = `The assistant said: “${quoted(turn.text)}”`
      for (const { name } of turn.calls) calls.set(name, (calls.get(name) ?? 0) + 1)
    },
    count: () => count,
    /** The summary with quotations and tools, and the shortest one, which only says how much is left out. */
    texts(): [long: string, short: string] {
      const left = `Left out here: ${many(count, 'earlier turn')}.`
      const named = [...calls.entries().take(MOST_TOOLS)].map(([name, times]) => `${name} ${times}×`)
      const called = named.length === 0 ? '' : `Tools called: ${named.join(', ')}.`
      return [`[Summary: ${[left, called, asked, answered].filter(Boolean).join(' ')}]`, `[Summary: ${left}]`]
    },
  }
}

function quoted(text: string): string {
  const line = text.slice(0, QUOTED_FROM).replaceAll(/\s+/g, ' ').trim()
  return line.length <= QUOTE && text.length <= QUOTED_FROM ? line : `${line.slice(0, QUOTE).toWellFormed()}…`
}
