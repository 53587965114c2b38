import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fail, readRows } from '../command-line.ts'

const Call = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** What came of it; in a chat of ours the tool itself says so. */
  ok: z.boolean().default(true),
  text: z.string().default(''),
})

const Wanted = z.strictObject({
  op: z.enum(['add', 'edit', 'remove', 'create', 'delete']),
  /** Words that the text must hold, whatever the case; one of them is enough where they are several, with `|` between. */
  says: z.string(),
  /** It would change what the person wrote, so it must be asked in every mode. */
  theirs: z.boolean().default(false),
  /** Words that the card says of why it is asked. */
  because: z.string().default(''),
})

const Step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('keep') }),
  z.strictObject({ do: z.literal('reword'), text: z.string() }),
  z.strictObject({ do: z.literal('reject'), notAgain: z.boolean().default(false) }),
  z.strictObject({ do: z.literal('undo'), by: z.enum(['items', 'review', 'chat', 'since']) }),
  /** The person rewrites an entry of the notebook, or removes it. */
  z.strictObject({ do: z.literal('edit'), from: z.string(), to: z.string() }),
  z.strictObject({ do: z.literal('forget'), text: z.string() }),
  /** Keeping is refused because the target has changed. */
  z.strictObject({ do: z.literal('conflict') }),
  z.strictObject({ do: z.literal('compare') }),
  /** Review the same chat once more: what the script found, it finds again. */
  z.strictObject({ do: z.literal('review') }),
])

/** One recorded conversation with what is to come of it; see README.md. */
export const Case = z.strictObject({
  id: z.string(),
  kind: z.string().default('other'),
  /** Why the case expects what it does, where that is not plain. */
  why: z.string().optional(),
  /** What it expects comes from its script, so a real model is not measured with it. */
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
  /** Where it is run: as a chat of ours, as the events of another agent, or both. */
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
    /** What sets the review off; null when there must be none. */
    trigger: z.enum(['memory_nudge', 'skill_nudge', 'session_end', 'you']).nullable(),
    kinds: z.array(z.enum(['memory', 'skills'])).optional(),
    /** Questions to the model that look back. */
    questions: z.int().optional(),
    proposed: z.array(Wanted).default([]),
    /** Texts that were saved without a question. */
    saved: z.array(z.string()).default([]),
    /** Must be nowhere: in no proposal, no entry, no skill. */
    never: z.array(z.string()).default([]),
    /** Must not be in the home folder, in no byte of any file. */
    nowhere: z.array(z.string()).default([]),
    outcome: z.string().optional(),
  }),
  /** What the person does about it. */
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

/** The cases of JSON-lines files whose id holds `part`. Ends the program where a file, a row or the choice is not usable. */
export function readCases(paths: readonly string[], part = ''): Case[] {
  const all = paths.flatMap(path => readRows(path, Case))
  const twice = all.find(({ id }, index) => all.findIndex(other => other.id === id) !== index)
  if (twice) fail(`Two cases are called ${twice.id}.`)
  const cases = all.filter(({ id }) => id.includes(part))
  if (cases.length === 0) fail(`There are no cases${part === '' ? '' : ` whose id holds “${part}”`}.`)
  return cases
}

/** Whether a text holds one of the words that are wanted. */
export const says = (text: string, wanted: string): boolean =>
  wanted.split('|').some(each => text.toLowerCase().includes(each.trim().toLowerCase()))
