import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMarks } from '../../src/main/models/formats/marked-text.ts'
import { formats } from '../../src/main/models/formats/format-table.ts'
import type { WireMessage } from '../../src/main/models/engine.ts'

/** What a reply is compared with. */
export type Check =
  | { kind: 'call'; name: string; arguments: Record<string, unknown> }
  | { kind: 'fact'; facts: readonly string[] }
  | { kind: 'unknown' }
  | { kind: 'text' }

/** One message as the generator writes it; `target` marks replies that the model is to give. */
export type Said = { role: 'system' | 'user' | 'assistant'; text: string; target?: boolean; check?: Check }

/** A conversation of the generator: every reply in it is right. */
export type Conversation = { id: string; task: string; messages: readonly Said[] }

export type Split = 'id' | 'test'

/** Seeds that training never uses, so that a score means the same conversations every time. */
const seeds: Record<Split, number> = { id: 900_001, test: 900_002 }

/** Read a file of the generator. */
export const readConversations = (path: string): Conversation[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Conversation)

/** Have the generator write the conversations of a split; throws with what it said when it cannot. */
export function makeConversations(split: Split, count: number): Conversation[] {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-eval-'))
  try {
    const out = join(folder, `${split}.jsonl`)
    const generator = fileURLToPath(new URL('../../training/generate/index.ts', import.meta.url))
    const options = ['--split', split, '--seed', String(seeds[split]), '--count', String(count), '--out', out]
    const { status, stderr } = spawnSync(process.execPath, [generator, ...options], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The generator ended with ${status}: ${stderr}`)
    return readConversations(out)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Messages as the engine takes them. Markup means tokens where the program or the model itself wrote it. */
export const wireOf = (messages: readonly Said[]): WireMessage[] =>
  messages.map(({ role, text }) =>
    role === 'user' ? { role, text } : { role, text, markup: findMarks(formats.hermes, text) },
  )

/** The replies to be given, each with everything before it. */
export const turnsOf = ({ messages }: Conversation): { before: Said[]; wanted: Said }[] =>
  messages.flatMap((wanted, at) =>
    wanted.target === true ? [{ before: messages.slice(0, at), wanted }] : [],
  )
