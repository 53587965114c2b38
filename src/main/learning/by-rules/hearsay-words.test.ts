import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aLearning } from '../../../../testing/learning/a-learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { findStatements } from './find-statements.ts'
import { proposeByRules } from './review-by-rules.ts'

const Row = z.strictObject({ half: z.enum(['seen', 'blind']), said: z.string(), keeps: z.boolean() })
const file = fileURLToPath(new URL('../../../../testing/learning/not-theirs.jsonl', import.meta.url))
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map(line => Row.parse(JSON.parse(line)))

test('stories, roles, quotes, what-ifs, jokes, others, and what was taken back or passes give no statement', () => {
  const kept = rows.filter(({ said, keeps }) => !keeps && findStatements(said).length > 0)
  expect(kept).toEqual([])
  expect(rows.length).toBeGreaterThan(75)
})

test('what the person says of themselves beside it stays', () => {
  expect(rows.filter(({ said, keeps }) => keeps && findStatements(said).length !== 1)).toEqual([])
})

test('what the next message takes back is not proposed', async () => {
  await using learning = aLearning()
  const said = (text: string, id: number): Message => ({ role: 'user', id, sessionId: 's', at: id, text })
  const proposed: string[] = []
  const memory = {
    ...learning.memory,
    change: (steps: Parameters<typeof learning.memory.change>[0]) => {
      for (const step of steps) if ('text' in step) proposed.push(step.text)
      return { revisions: [], same: 0 }
    },
  }
  const messages = [said('I am vegan.', 1), said('No, scratch that.', 2), said('I live in Graz.', 3)]
  proposeByRules({ memory, sink: { heldBack: () => {} }, notesAt: '/desk' }, messages)
  expect(proposed).toEqual(['I live in Graz.'])
})
