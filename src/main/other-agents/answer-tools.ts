import { z } from 'zod'
import type { AgentMay } from '../../shared/contract/connections/agents.ts'
import type { MemoryEntry, MemoryTarget } from '../../shared/contract/learned/memory.ts'
import type { RecallHit } from '../../shared/contract/chats/session.ts'
import { many } from '../../shared/text/amounts.ts'
import { ORIGIN_RULES } from '../../shared/origin-rules.ts'
import type { GivenRef } from '../db/connections/agent-tables.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { redactText } from '../untrusted/redact.ts'
import { frameStrangersText } from '../untrusted/strangers-text.ts'
import { findEntries } from '../memory/find-entries.ts'

/** A skill as offered to other programs. */
type SharedSkill = { id: string; name: string; description: string }

/** The data that the tools read, and the receiver of proposals. */
export type SharedThings = {
  entries(): readonly MemoryEntry[]
  search(query: string, limit: number, signal: AbortSignal): Promise<readonly RecallHit[]>
  /** Return the sources of strangers' texts in a message. */
  sourcesOf(messageId: number): readonly string[]
  skills(): Promise<readonly SharedSkill[]>
  /** Return the steps of a skill; undefined if it is no longer readable. */
  stepsOf(id: string): string | undefined
  /** Propose an entry to the user. Returns its id, or why it cannot be kept. `because`: who proposes it. */
  propose(
    target: MemoryTarget,
    text: string,
    by: { agentId: string; because: string },
  ): { id: string } | Refusal
}

/** A tool's answer, and the user's data in it. */
export type ToolAnswer = { text: string; given: GivenRef[] } | Refusal
type Context = { agentId: string; name: string; may: AgentMay; signal: AbortSignal }

/** Maximum size of one answer, in bytes. */
export const MOST_BYTES = 2_000
/** Maximum size of a proposal, in bytes. */
const MOST_PROPOSED = 1_000
const MOST_HITS = 8
const MOST_QUOTE = 400

const place = z.enum(['user', 'notes']).optional()
const query = z.string().max(1_000)
const Inputs = {
  memory_search: z.object({ query: query.default(''), place }),
  session_search: z.object({ query: query.min(1) }),
  skill_list: z.object({ query: query.default('') }),
  skill_view: z.object({ name: z.string().min(1).max(200), page: z.int().min(1).default(1) }),
  memory_propose: z.object({ text: z.string(), place }),
}
type ToolName = keyof typeof Inputs

const NOT_ALLOWED = 'The user has not allowed this program'

/** Answer a tool call of another program, within the rights that the user gave it. */
export async function answerTool(
  things: SharedThings,
  { tool, given }: { tool: string; given: Record<string, unknown> },
  context: Context,
): Promise<ToolAnswer> {
  if (!isTool(tool)) return { refused: `There is no tool ${tool.slice(0, 60)}.` }
  const read = Inputs[tool].safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    return {
      refused:
        `These arguments do not fit ${tool}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
    }
  }
  switch (tool) {
    case 'memory_search':
      return searchMemory(things, Inputs[tool].parse(given), context.may)
    case 'session_search':
      return await searchChats(things, Inputs[tool].parse(given).query, context)
    case 'skill_list':
      return await listSkills(things, Inputs[tool].parse(given).query, context.may)
    case 'skill_view':
      return await viewSkill(things, Inputs[tool].parse(given), context.may)
    case 'memory_propose':
      return proposeEntry(things, Inputs[tool].parse(given), context)
  }
}

const isTool = (tool: string): tool is ToolName => Object.hasOwn(Inputs, tool)

const targetOf = (where: 'user' | 'notes'): MemoryTarget => (where === 'user' ? 'user' : 'memory')

function searchMemory(
  things: SharedThings,
  { query, place }: z.output<typeof Inputs.memory_search>,
  may: AgentMay,
): ToolAnswer {
  const places = (place ? [place] : (['user', 'notes'] as const)).filter(each => may[each])
  if (places.length === 0)
    return {
      refused: `${NOT_ALLOWED} to read ${place === 'user' ? 'About you' : place === 'notes' ? 'Notes' : 'the memory'}.`,
    }
  const targets = places.map(targetOf)
  // Notes of a folder are only for that folder, and a hidden entry is hidden from every model.
  const readable = things
    .entries()
    .filter(entry => entry.project === null && entry.blocked === null && targets.includes(entry.target))
  const { found, nearest } = findEntries(readable, query)
  const listed = query.trim() === '' ? readable.toSorted((a, b) => b.updatedAt - a.updatedAt) : found
  const shown = listed.length > 0 ? listed : nearest
  if (shown.length === 0) return { text: 'Nothing is remembered about that.', given: [] }
  const head = listed.length > 0 ? [] : ['No entry holds all of these words. The nearest ones:']
  const kindOf = ({ target }: MemoryEntry) => (target === 'user' ? 'user' : 'notes')
  return joined(
    head,
    shown.map(entry => ({
      text: `- (${target(entry)}) ${redactText(entry.text)}`,
      ref: { kind: kindOf(entry), id: entry.id },
    })),
    'entries',
  )
}

const target = (entry: MemoryEntry): string => (entry.target === 'user' ? 'about the user' : 'note')

async function searchChats(
  things: SharedThings,
  query: string,
  { may, signal }: Context,
): Promise<ToolAnswer> {
  if (!may.chats) return { refused: `${NOT_ALLOWED} to search chats.` }
  const hits = await things.search(query, MOST_HITS, signal)
  // Others' words on messengers are not the user’s to give away; sub-agents' work is in the parent chat.
  const own = hits.filter(
    ({ origin }) => ORIGIN_RULES[origin].found !== 'never' && origin !== 'messenger_other',
  )
  if (own.length === 0) return { text: 'No chat is about that.', given: [] }
  const parts = own.map(hit => ({
    text: quoteChat(things, hit),
    ref: { kind: 'chat', id: hit.sessionId } as const,
  }))
  return joined([], parts, 'chats')
}

const WHO = { user: 'The user', assistant: 'Talaria', tool: 'A tool' }
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

function quoteChat(things: SharedThings, { title, updatedAt, passages }: RecallHit): string {
  const lines = passages.slice(0, 2).map(({ messageId, role, at, text }) => {
    const said = `${WHO[role]}, ${dayOf(at)}: ${redactText(text).slice(0, MOST_QUOTE).toWellFormed()}`
    const [source] = things.sourcesOf(messageId)
    return source === undefined ? said : frameStrangersText(source, said)
  })
  return [`Chat “${redactText(title) || 'without a title'}”, ${dayOf(updatedAt)}:`, ...lines].join('\n')
}

async function listSkills(things: SharedThings, query: string, may: AgentMay): Promise<ToolAnswer> {
  if (!may.skills) return { refused: `${NOT_ALLOWED} to read skills.` }
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const found = (await things.skills()).filter(({ name, description }) => {
    const text = `${name}\n${description}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  if (found.length === 0) return { text: 'There is no such skill.', given: [] }
  const parts = found.map(({ name, description }) => ({
    text: `- ${name}: ${description.replaceAll(/\s+/g, ' ').slice(0, 160).toWellFormed()}`,
    ref: undefined,
  }))
  return joined([], parts, 'skills')
}

async function viewSkill(
  things: SharedThings,
  { name, page }: z.output<typeof Inputs.skill_view>,
  may: AgentMay,
): Promise<ToolAnswer> {
  if (!may.skills) return { refused: `${NOT_ALLOWED} to read skills.` }
  const skill = (await things.skills()).find(each => each.name === name.trim())
  const steps = skill && things.stepsOf(skill.id)
  if (!skill || steps === undefined) return { refused: `There is no skill “${name}”. skill_list shows them.` }
  const pages = pagesOf(redactText(steps.trim() || 'This skill has no steps, only its description.'))
  const text = pages[page - 1]
  if (text === undefined) return { refused: `This skill has ${many(pages.length, 'page')}.` }
  const more = page < pages.length ? `\n[Page ${page} of ${pages.length}; page ${page + 1} follows.]` : ''
  return { text: `${text}${more}`, given: [{ kind: 'skill', id: skill.id }] }
}

function proposeEntry(
  things: SharedThings,
  { text, place = 'notes' }: z.output<typeof Inputs.memory_propose>,
  { agentId, name, may }: Context,
): ToolAnswer {
  if (!may.propose) return { refused: `${NOT_ALLOWED} to propose entries.` }
  if (text.trim() === '') return { refused: 'There is no text to remember.' }
  if (Buffer.byteLength(text) > MOST_PROPOSED)
    return {
      refused: `A proposal has at most ${MOST_PROPOSED.toLocaleString('en')} bytes. Propose one short fact.`,
    }
  const because = `“${name}” proposed it, another program. It may be what somebody else wrote.`
  const proposed = things.propose(targetOf(place), text, { agentId, because })
  if (isRefusal(proposed)) return proposed
  return {
    text: 'Proposed. The user decides about it in Talaria; nothing is saved before.',
    given: proposed.id === '' ? [] : [{ kind: 'proposal', id: proposed.id }],
  }
}

type Part = { text: string; ref: GivenRef | undefined }

/** Join as many parts as fit into an answer. The last may be cut; the rest is counted. */
function joined(head: readonly string[], parts: readonly Part[], what: string): ToolAnswer {
  const lines = [...head]
  const given: GivenRef[] = []
  const room = MOST_BYTES - 60
  const used = () => Buffer.byteLength(lines.join('\n'))
  let shown = 0
  for (const { text, ref } of parts) {
    const left = room - used() - 1
    if (Buffer.byteLength(text) > left && shown > 0) break
    lines.push(cutTo(text, left))
    if (ref) given.push(ref)
    shown++
  }
  if (shown < parts.length) lines.push(`[${parts.length - shown} more ${what}; ask for rarer words.]`)
  return { text: lines.join('\n'), given }
}

/** Return the beginning of a text, up to so many bytes. */
function cutTo(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let end = Math.min(text.length, bytes)
  while (Buffer.byteLength(text.slice(0, end)) > bytes - 4) end--
  return `${text.slice(0, end).toWellFormed()}…`
}

/** Split a text into pages that each fit into an answer, between lines if possible. */
function pagesOf(text: string): string[] {
  const room = MOST_BYTES - 60
  const pages: string[] = []
  let rest = text
  while (Buffer.byteLength(rest) > room) {
    let end = Math.min(rest.length, room)
    while (Buffer.byteLength(rest.slice(0, end)) > room) end--
    const line = rest.lastIndexOf('\n', end)
    // Do not split a surrogate pair.
    const at = line > end / 2 ? line + 1 : end - (/[\uD800-\uDBFF]/.test(rest[end - 1] ?? '') ? 1 : 0)
    pages.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at)
  }
  return [...pages, rest]
}
