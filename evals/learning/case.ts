import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fail, readRows } from '../command-line.ts'

const Call = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** Whether the call succeeded. In a chat of Talaria, the tool itself says so. */
  ok: z.boolean().default(true),
  text: z.string().default(''),
})

const Wanted = z.strictObject({
  op: z.enum(['add', 'edit', 'remove', 'create', 'delete']),
  /**
   * Words that the text must contain, in upper or lower case. One of several is enough if they are separated
   * by `|`.
   */
  says: z.string(),
  /** Whether it would change the person's own text, so that every mode must ask. */
  theirs: z.boolean().default(false),
  /** Words on the card that say why it asks. */
  because: z.string().default(''),
})

const Step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('keep') }),
  z.strictObject({ do: z.literal('reword'), text: z.string() }),
  z.strictObject({ do: z.literal('reject'), notAgain: z.boolean().default(false) }),
  z.strictObject({ do: z.literal('undo'), by: z.enum(['items', 'review', 'chat', 'since']) }),
  /** The person rewrites or removes an entry of the notebook. */
  z.strictObject({ do: z.literal('edit'), from: z.string(), to: z.string() }),
  z.strictObject({ do: z.literal('forget'), text: z.string() }),
  /** Keeping is refused because the target changed. */
  z.strictObject({ do: z.literal('conflict') }),
  z.strictObject({ do: z.literal('compare') }),
  /** Review the same chat once more. It finds again what the script found. */
  z.strictObject({ do: z.literal('review') }),
])

/** One recorded conversation and the expected results; see README.md. */
export const Case = z.strictObject({
  id: z.string(),
  kind: z.string().default('other'),
  /** Why the case expects this, if it is not obvious. */
  why: z.string().optional(),
  /** Whether its expectations come from its script, so that it cannot measure a real model. */
  scriptAlone: z.boolean().default(false),
  mode: z.enum(['ask', 'save', 'off']).default('ask'),
  settings: z
    .strictObject({ memory_nudge: z.int(), skill_nudge: z.int(), end_turns: z.int() })
    .partial()
    .default({}),
  given: z
    .strictObject({
      you: z.array(z.string()).default([]),
      agent: z.array(z.string()).default([]),
      skills: z
        .array(
          z.strictObject({ name: z.string(), text: z.string(), by: z.enum(['you', 'agent']).default('you') }),
        )
        .default([]),
      files: z.record(z.string(), z.string()).default({}),
      rules: z.array(z.string()).default([]),
      rejected: z.array(z.string()).default([]),
    })
    .prefault({}),
  turns: z
    .array(
      z.strictObject({
        user: z.string(),
        reply: z.string().default('All right.'),
        calls: z.array(Call).default([]),
      }),
    )
    .min(1),
  /** What happens after the last turn. */
  ends: z.enum(['open', 'new_chat', 'review']).default('open'),
  /** How it runs: as a chat of Talaria, as the events of another agent, or both. */
  ways: z.array(z.enum(['chat', 'events'])).default(['chat']),
  first: z
    .union([
      z.string(),
      z.strictObject({
        worth: z.boolean(),
        facts: z.array(z.string()).default([]),
        procedure: z.string().default(''),
      }),
    ])
    .default('{"worth": false, "facts": [], "procedure": ""}'),
  review: z
    .array(z.array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })))
    .default([]),
  expect: z.strictObject({
    /** What must start the review; null if there must be none. */
    trigger: z.enum(['memory_nudge', 'skill_nudge', 'session_end', 'you']).nullable(),
    kinds: z.array(z.enum(['memory', 'skills'])).optional(),
    /** The number of requests to the model that look back. */
    questions: z.int().optional(),
    proposed: z.array(Wanted).default([]),
    /** Texts that must be saved without asking. */
    saved: z.array(z.string()).default([]),
    /** Texts that must be in no proposal, no entry and no skill. */
    never: z.array(z.string()).default([]),
    /** Texts that must be in no file of the home folder. */
    nowhere: z.array(z.string()).default([]),
    outcome: z.string().optional(),
  }),
  /** What the person does about the results. */
  person: z.array(Step).default([]),
  after: z
    .strictObject({
      knows: z.array(z.string()).default([]),
      not: z.array(z.string()).default([]),
      waiting: z.int().optional(),
      left: z.int().optional(),
      rules: z.int().optional(),
      hits: z.int().optional(),
    })
    .prefault({}),
})
export type Case = z.infer<typeof Case>

/** The files with the cases that come with Talaria. */
export const ownFiles = (): string[] =>
  readdirSync(import.meta.dirname)
    .filter(name => name.endsWith('.jsonl'))
    .toSorted()
    .map(name => join(import.meta.dirname, name))

/**
 * The cases in JSON-lines files whose id contains `part`. Ends the program if a file, a row or the choice is
 * unusable.
 */
export function readCases(paths: readonly string[], part = ''): Case[] {
  const all = paths.flatMap(path => readRows(path, Case))
  const twice = all.find(({ id }, index) => all.findIndex(other => other.id === id) !== index)
  if (twice) fail(`Two cases are called ${twice.id}.`)
  const cases = all.filter(({ id }) => id.includes(part))
  if (cases.length === 0) fail(`There are no cases${part === '' ? '' : ` whose id holds “${part}”`}.`)
  return cases
}

/** Whether a text contains one of the wanted words. */
export const says = (text: string, wanted: string): boolean =>
  wanted.split('|').some(each => text.toLowerCase().includes(each.trim().toLowerCase()))
