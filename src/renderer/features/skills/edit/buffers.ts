import type { HostClient } from '../../../../shared/contract/index.ts'

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md'

/**
 * The text in the editor (`text`), on disk (`saved`, null if there is no file), and when editing started
 * (`original`).
 */
export type Buffer = { text: string; saved: string | null; original: string }

/** The open files of a skill, by path. */
export type Buffers = Readonly<Record<string, Buffer>>

/** Whether a buffer has unsaved changes. */
export const isUnsaved = ({ text, saved, original }: Buffer): boolean => text !== (saved ?? original)

/** Paths of the files with unsaved changes. */
export const unsavedIn = (buffers: Buffers): string[] =>
  Object.keys(buffers).filter(path => isUnsaved(buffers[path]!))

type Kept = { buffers: Buffers; category: string }

/** Unsaved drafts of editors that were left by navigation, kept while the window is open. */
const drafts = new WeakMap<HostClient, Map<string, Kept>>()

/** The unsaved draft of a skill, by its id or by the key of a new skill. */
export const keptDraft = (client: HostClient, id: string): Kept | undefined => drafts.get(client)?.get(id)

/** Keep a draft until the skill is edited again. */
export function keepDraft(client: HostClient, id: string, kept: Kept): void {
  const ofClient = drafts.get(client) ?? new Map<string, Kept>()
  drafts.set(client, ofClient.set(id, kept))
}

/** Remove a draft that was saved or discarded. */
export const forgetDraft = (client: HostClient, id: string): void => void drafts.get(client)?.delete(id)

/**
 * The template of a new skill: its useful sections, each with a short explanation. The name and the
 * description are generic placeholders, so that a user does not save a real-looking example.
 */
export const newSkill = `---
name: my-skill
description: >-
  Does one thing, said in a sentence. Use when the user asks for it, with the words they would use.
---

# My skill

One or two sentences on what comes out in the end.

## When to use

- What the user says or has when this helps.
- When it does not fit, and what to do instead.

## Steps

1. Look at what is there before changing anything.
2. Do the work, in small steps that can each be checked.
3. Tell the user what was done, in a sentence.

## Pitfalls

- What went wrong before, and how to avoid it.

## Check

- How to see that it worked.
`
