import { styleText } from 'node:util'
import type { RecallHit, RecallPassage } from '../../shared/contract/recall.ts'
import { Fault } from '../../shared/rpc.ts'
import { TWICE, withClient } from './open-client.ts'
import { stripControls, dayOf, startOfDay } from './terminal-text.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'

export type SearchOptions = {
  home?: string
  json?: true
  from?: string
  to?: string
  role?: 'user' | 'assistant' | 'tool'
  limit: number
}

/** Search all chats and print the best matches. Resolves to whether anything was found. */
export async function searchCommand(words: string[], options: SearchOptions): Promise<boolean> {
  const { home, json, role, limit } = options
  const query = words.join(' ').trim()
  if (query === '') throw new Fault('bad_input', 'Enter words to search for.')
  const from = momentNamed(options.from, 0)
  // The last day is included in full.
  const to = momentNamed(options.to, 1)
  return withClient(
    home,
    async client => {
      const { hits } = await client['recall.search']({
        query,
        limit,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(role !== undefined && { role }),
      })
      if (json) process.stdout.write(`${jsonLine({ hits })}\n`)
      else if (hits.length === 0) process.stderr.write('Nothing found.\n')
      else process.stdout.write(`${hits.map(showHit).join('\n\n')}\n`)
      return hits.length > 0
    },
    TWICE,
  )
}

function momentNamed(given: string | undefined, daysLater: number): number | undefined {
  if (given === undefined) return undefined
  const start = startOfDay(given)
  if (start === undefined) throw new Fault('bad_input', `“${given}” is not a date. Write it like 2026-11-21.`)
  const date = new Date(start)
  date.setDate(date.getDate() + daysLater)
  return date.getTime()
}

function showHit({ sessionId, title, titleMarks, updatedAt, passages }: RecallHit): string {
  const about = styleText('dim', `${dayOf(updatedAt)}  ${sessionId}`, { stream: process.stdout })
  return [`${marked(title, titleMarks)}  ${about}`, ...passages.map(showPassage)].join('\n')
}

const WHO: Record<RecallPassage['role'], string> = { user: 'you', assistant: 'agent', tool: 'tool' }

const showPassage = ({ role, text, marks }: RecallPassage) => `  ${WHO[role]}: ${marked(text, marks)}`

/** One line of text with its matches highlighted, if the screen supports it. */
function marked(text: string, marks: RecallPassage['marks']): string {
  const pieces: string[] = []
  const line = (from: number, to: number) => stripControls(text.slice(from, to)).replaceAll(/\s+/g, ' ')
  let at = 0
  for (const [from, to] of marks) {
    pieces.push(line(at, from), styleText(['bold', 'underline'], line(from, to), { stream: process.stdout }))
    at = to
  }
  return [...pieces, line(at, text.length)].join('')
}
