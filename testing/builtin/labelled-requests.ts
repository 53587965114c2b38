import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Known } from '../../src/main/builtin/answers/known-facts.ts'

const requestRow = z.object({
  text: z.string(),
  /** What answers it at once; null where nothing does. */
  kind: z.enum(['sum', 'measure', 'day', 'person', 'social', 'foreign']).nullable(),
  /** What the answer holds. */
  says: z.string().optional(),
  /** Whether a tool is asked for: such a request must never be answered at once. */
  tool: z.boolean().optional(),
})
type RequestRow = z.infer<typeof requestRow>

/** The parts of the labelled requests: the first was written with the rules, each other one after all before it were right. */
export const PARTS = ['first', 'second', 'third', 'fourth'] as const

/** The labelled requests of a part. */
export const readRequests = (part: (typeof PARTS)[number]): RequestRow[] =>
  readFileSync(
    join(import.meta.dirname, '../../src/main/builtin/answers/test', `requests-${part}.jsonl`),
    'utf8',
  )
    .trim()
    .split('\n')
    .map(line => requestRow.parse(JSON.parse(line)))

/** What is known where the labelled requests are asked. */
export const knownToTests = (changed: Partial<Known> = {}): Known => ({
  now: new Date('2026-11-29T13:05:00Z'),
  zone: 'Europe/Vienna',
  folder: '/home/vera/notes',
  entries: [
    'My name is Vera.',
    'Lives in Graz and works as a nurse',
    'Drives an Audi',
    'I prefer green tea over coffee',
    'My sister Ada lives in Linz',
    'Allergic to nuts',
    'The project uses pnpm',
    'The dog is called Rex',
  ],
  said: ['list the files here', 'My brother Tom plays chess.'],
  tools: [
    'list_files',
    'read_file',
    'write_file',
    'patch_file',
    'search_files',
    'terminal',
    'memory',
    'session_search',
  ],
  ...changed,
})
