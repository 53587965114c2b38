import { z } from 'zod'
import { judgeSummary } from '../../src/main/agent/compaction/judge-summary.ts'
import type { Figures } from '../records.ts'

/** A chat of the set, oldest message first. */
export const ChatRow = z.strictObject({
  chat: z.string(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), text: z.string().min(1) })).min(2),
})
export type ChatRow = z.infer<typeof ChatRow>

/** A summary of a chat that a model wrote or might have written. */
export const SummaryRow = z.strictObject({
  id: z.string(),
  chat: z.string(),
  summary: z.string(),
  expect: z.enum(['good', 'junk']),
})
export type SummaryRow = z.infer<typeof SummaryRow>

/** A judged summary. `refused` is why it would not be used. */
export type JudgedSummary = {
  id: string
  expect: SummaryRow['expect']
  refused: string | null
  right: boolean
}

/** Judge summaries as the product does. A row about a missing chat counts, and is never right. */
export function measureSummaries(
  chats: readonly ChatRow[],
  summaries: readonly SummaryRow[],
): { rows: JudgedSummary[]; figures: Figures } {
  const texts = new Map(chats.map(({ chat, messages }) => [chat, messages.map(({ text }) => text)]))
  const known = summaries.filter(({ chat }) => texts.has(chat))
  const rows = known.map(({ id, chat, summary, expect }) => {
    const refused = judgeSummary(summary, texts.get(chat) ?? []) ?? null
    return { id, expect, refused, right: (refused === null) === (expect === 'good') }
  })
  const count = (expect: SummaryRow['expect'], right: boolean) =>
    rows.filter(each => each.expect === expect && each.right === right).length
  return {
    rows,
    figures: {
      chats: chats.length,
      good: count('good', true) + count('good', false),
      junk: count('junk', true) + count('junk', false),
      goodRefused: count('good', false),
      junkKept: count('junk', false),
      noChat: summaries.length - known.length,
    },
  }
}
