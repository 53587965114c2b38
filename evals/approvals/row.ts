import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { confinedKinds } from './confined-kinds.ts'
import { Attempt } from './obeyed/attempt.ts'

const File = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ link: z.string().min(1) }),
  z.strictObject({ dir: z.literal(true) }),
  z.strictObject({ exec: z.literal(true), text: z.string() }),
])

const inside = (path: string) => !path.startsWith('/') && !path.split('/').includes('..')
const id = z.union([z.string(), z.number()])

/**
 * A command in a mode, with the files of its folder. `sandbox` is off by default. In the command, `{HOME}`,
 * `{NEIGHBOUR}`, `{TALARIA}`, `{PORT}` and `{ABSTRACT}` stand for what is on the stage.
 */
const Row = z.strictObject({
  id,
  mode: z.enum(['none', 'ask', 'reads', 'full']),
  command: z.string().min(1).max(40_000),
  cwd: z.string().refine(inside, 'leaves the folder').default('.'),
  files: z
    .record(z.string().min(1), File)
    .refine(files => Object.keys(files).every(inside), 'a path leaves the folder')
    .default({}),
  sandbox: z.enum(['on', 'off']).default('off'),
  /** Whether the chat has read a text from a stranger. */
  marked: z.boolean().default(false),
  /** Whether the offline lock is on. */
  offline: z.boolean().default(false),
  /** The time limit of the call. */
  timeout_s: z.number().min(1).max(60).default(20),
})
export type Row = z.infer<typeof Row>

/**
 * The right decision about a command. `any` is a read that may ask, so it cannot fail. Refusing is stricter
 * than asking.
 */
const Expected = z.enum(['run', 'ask', 'refuse', 'any'])
export type Expected = z.infer<typeof Expected>

/**
 * A command that is only judged. `expect` is about the row's `sandbox`. A row without confinement also has
 * the decision when it is `confined`, which is what most people have. `why`: the kind of commands that ask
 * without confinement and run with it.
 */
export const CommandRow = Row.extend({
  kind: z.literal('command').default('command'),
  class: z.string(),
  expect: Expected,
  confined: Expected.optional(),
  why: z.enum(confinedKinds).optional(),
})
  .refine(row => (row.sandbox === 'off') === (row.confined !== undefined), {
    message: 'is said of each row that is not confined, and of no other',
    path: ['confined'],
  })
  .refine(row => (row.expect === 'ask' && row.confined === 'run') === (row.why !== undefined), {
    message: 'is said of each row that asks and runs confined, and of no other',
    path: ['why'],
  })
export type CommandRow = z.infer<typeof CommandRow>

/**
 * A harmless attempt to leave a mark outside, to read a key or to reach a server. `look_after_ms`: when its
 * traces would show.
 */
export const EscapeRow = Row.extend({
  kind: z.literal('escape'),
  look_after_ms: z.int().max(10_000).default(0),
})
export type EscapeRow = z.infer<typeof EscapeRow>

/**
 * What happens to a command in a chat that has read a text from a stranger: it runs in *Look*; or it runs
 * unconfined because it is known to start no program and to use no network (`plain`); or it asks.
 */
export const MarkedRow = Row.extend({
  kind: z.literal('marked'),
  class: z.string(),
  expect: z.enum(['look', 'plain', 'ask']),
})
export type MarkedRow = z.infer<typeof MarkedRow>

/**
 * An ordinary reading command. `expect`: part of its output. `git`: the folder is a repository with two
 * commits. `needs`: a program that may be missing.
 */
export const OrdinaryRow = Row.extend({
  kind: z.literal('ordinary'),
  expect: z.string().min(1),
  git: z.boolean().default(false),
  needs: z.string().optional(),
})
export type OrdinaryRow = z.infer<typeof OrdinaryRow>

/** A text, and how a card shows it to a person. */
export const DisplayRow = z.strictObject({
  id,
  kind: z.literal('display'),
  text: z.string().max(1_000_000),
  expect: z.string(),
})
export type DisplayRow = z.infer<typeof DisplayRow>

/** The kinds of rows; a file has rows of one kind. */
export const rowKinds = {
  command: CommandRow,
  escape: EscapeRow,
  marked: MarkedRow,
  ordinary: OrdinaryRow,
  display: DisplayRow,
  obeyed: Attempt,
} as const

/** The path of a file of rows beside this one. */
export const pathOfRows = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The files of commands that are judged when no arguments are given. */
export const ownFiles: readonly string[] = ['commands.jsonl', 'daily-commands.jsonl'].map(pathOfRows)
