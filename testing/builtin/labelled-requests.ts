import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Known } from '../../src/main/builtin/answers/known-facts.ts'

const requestRow = z.object({
  text: z.string(),
  /** The kind of direct answer; null if there is none. */
  kind: z.enum(['sum', 'measure', 'day', 'person', 'social', 'foreign']).nullable(),
  /** Text that the answer contains. */
  says: z.string().optional(),
  /** Whether the request needs a tool: then it must never be answered directly. */
  tool: z.boolean().optional(),
})
type RequestRow = z.infer<typeof requestRow>

/**
 * The parts of the labelled requests: the first was written with the rules, each later part after all earlier
 * parts passed.
 */
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

/** The facts known when the labelled requests are asked. */
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
