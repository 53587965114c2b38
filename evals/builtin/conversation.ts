import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { findMarks } from '../../src/main/models/formats/marked-text.ts'
import { formats } from '../../src/main/models/formats/format-table.ts'
import type { WireMessage } from '../../src/main/models/interface/engine.ts'
import { openProduct, strategy } from '../../training/generate/product.ts'
import { readRows } from '../command-line.ts'

const Check = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('call'), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  z.strictObject({ kind: z.literal('fact'), facts: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('unknown') }),
  z.strictObject({ kind: z.literal('text') }),
])
/** What a reply must contain. */
export type Check = z.infer<typeof Check>

const Said = z.looseObject({
  role: z.enum(['system', 'user', 'assistant']),
  text: z.string(),
  target: z.boolean().optional(),
  check: Check.optional(),
})
/** One message as the generator writes it. `target` marks the replies that the model must give. */
export type Said = Pick<z.infer<typeof Said>, 'role' | 'text' | 'target' | 'check'>

const Conversation = z.looseObject({
  id: z.string(),
  task: z.string(),
  messages: z
    .array(Said)
    .refine(messages => messages.some(({ target }) => target === true), 'no reply is to be given'),
})
/** A conversation of the generator. Every reply in it is right. */
export type Conversation = z.infer<typeof Conversation>

export type Split = 'id' | 'test'

/** Seeds that training never uses, so that scores are always for the same conversations. */
const seeds: Record<Split, number> = { id: 900_001, test: 900_002 }

/** Read a file of the generator. Ends the program if it cannot be read, or if a line is no conversation. */
export const readConversations = (path: string): Conversation[] => readRows(path, Conversation)

/** Have the generator write the conversations of a split. If it fails, throws an error with its output. */
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

/** The strategy knows the section of tools in a system prompt once it has presented them. */
const section = strategy.present(openProduct().tools)
const CALL_TAG = /^<\/?tool_call>$/
const ofCalls = (text: string) =>
  findMarks(formats.hermes, text).filter(([from, to]) => CALL_TAG.test(text.slice(from, to)))

/**
 * Messages as the product passes them to the engine. Markup becomes special tokens in the section of tools
 * and in the model's own texts. The words of a person or of their memory never become marks.
 */
export const wireOf = (messages: readonly Said[]): WireMessage[] =>
  messages.flatMap(({ role, text }): WireMessage[] => {
    if (role === 'system') return [systemOf(text)]
    if (role === 'user') return [{ role, text }]
    return [{ role, text, generated: true, markup: findMarks(formats.hermes, text) }]
  })

/**
 * Find the section of tools in a prompt. The generator misspells some, unlike the product; then it starts at
 * the first marks for calls.
 */
function systemOf(text: string): WireMessage {
  const [system] = strategy.render(text, [])
  if (system?.markup?.length) return system
  return { role: 'system', text, markup: ofCalls(text).slice(0, ofCalls(section).length) }
}

/** The replies that the model must give, each with the messages before it. */
export const turnsOf = ({ messages }: Conversation): { before: Said[]; wanted: Said }[] =>
  messages.flatMap((wanted, at) =>
    wanted.target === true ? [{ before: messages.slice(0, at), wanted }] : [],
  )
