import type { Rereads } from '../../../../../shared/contract/models/model.ts'
import { splitOpener, type PromptPart, type Role, type Turn } from './fill-chat-template.ts'

type Talk = {
  layOut: (turns: readonly Turn[]) => PromptPart[]
  turns: readonly Turn[]
  /** The lengths at which the conversation is a prompt. */
  lengths: readonly number[]
  opener: string
}

/**
 * Find text that a template changes once a conversation is longer, so that a model has to read it again.
 * Undefined if each prompt is the beginning of the next one.
 */
export function findRewriting({ layOut, turns, lengths, opener }: Talk): Rereads | undefined {
  const prompts = lengths.map(length => layOut(turns.slice(0, length)))
  let first: { at: number; rereads: Rereads } | undefined
  prompts.slice(0, -1).forEach((prompt, index) => {
    const shorter = splitOpener(prompt, opener).parts
    const longer = prompts[index + 1] ?? []
    const at = shorter.findIndex((part, place) => JSON.stringify(part) !== JSON.stringify(longer[place]))
    if (at < 0) return
    const read = turns.slice(0, lengths[index])
    const question = read.findLastIndex(({ role }) => role === 'user')
    const asked = shorter.findIndex(part => 'message' in part && part.message === question)
    const which = at > asked ? 'answer' : 'chat'
    // Report the change that costs most.
    if (first && (first.rereads.part === 'chat' || which === 'answer')) return
    first = { at, rereads: { part: which, ...describeChange(shorter, longer, at, turns) } }
  })
  return first?.rereads
}

function describeChange(
  shorter: readonly PromptPart[],
  longer: readonly PromptPart[],
  at: number,
  turns: readonly Turn[],
): Omit<Rereads, 'part'> {
  const frameOf = (parts: readonly PromptPart[]) => {
    const part = parts[at]
    return part && 'frame' in part ? part.frame : ''
  }
  const [before, after] = [frameOf(shorter), frameOf(longer)]
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  // Show a mark as a whole.
  const open = before.slice(0, same).search(/[<[][^<>[\]]*$/)
  const from = open < 0 ? same : open
  return {
    behind: behindWhat(shorter, at, turns),
    was: shorten(before.slice(from)),
    becomes: shorten(after.slice(from)),
  }
}

/** Return the role of the message before a part of a prompt. */
function behindWhat(parts: readonly PromptPart[], at: number, turns: readonly Turn[]): Role | 'start' {
  const before = parts.slice(0, at).findLast(part => 'message' in part)
  return (before && 'message' in before && turns[before.message]?.role) || 'start'
}

const LONGEST = 40

/** Shorten a piece of a template to one line for display. */
function shorten(text: string): string {
  const line = text.replaceAll('\n', '⏎').replaceAll(/\p{C}/gu, '')
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}
