import { z } from 'zod'
import type { MemoryEntry, MemoryProject } from '../../shared/contract/learned/memory.ts'
import { orderAsStatement } from '../../shared/text/order-as-statement.ts'
import { type MemoryStep } from './plan-change.ts'
import { isIn } from './note-files.ts'
import type { Place } from './note-files.ts'
import { splitKnown, rememberTwins } from './alike/find-alike.ts'
import { isWholeEntry, listEntries, locateEntry } from './locate-entry.ts'
import type { Memory } from './open-memory.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { defineTool, type ToolContext, type ToolResult } from '../tools/registry/tool.ts'
import { byCount } from '../../shared/text/amounts.ts'
import { tellMemory } from './tell-memory.ts'

/** Maximum number of refusals per turn before the model is told to stop. */
const MOST_FAILURES = 3
const STOP =
  'Not saved, as before. Do not call memory again in this turn: answer the user, and say what could not be saved and why.'
const NOTHING_ASKED =
  'Nothing to do: give action (add, replace or remove), or operations with a list of such changes.'

const change = {
  action: z.enum(['add', 'replace', 'remove']),
  content: z.string().optional().describe('the whole new entry, as a statement of fact'),
  old_text: z.string().optional().describe('a part of the entry that is meant'),
}

const input = z.object({
  target: z.enum(['user', 'memory', 'project']),
  ...change,
  action: change.action.optional(),
  operations: z.array(z.object(change)).max(30).optional(),
})
type Input = z.output<typeof input>
type Wanted = Omit<Input, 'target' | 'operations'>

type MemoryToolParts = {
  isAllowed?(this: void): boolean
  /** Where the notes of a chat are, if not with its folder. */
  notesOf?(this: void, sessionId: string, folder: string): string | MemoryProject
  /** Whether a chat's model knows the current text of an entry. */
  hasSeen?(this: void, entry: MemoryEntry, sessionId: string): boolean
}

/**
 * The tool with which a model writes to the notebook. It reports replaced texts, lists entries where that
 * helps, and after too many refusals only says to stop.
 */
export function memoryTool(
  memory: Memory,
  { isAllowed = () => true, notesOf = (_, folder) => folder, hasSeen = () => true }: MemoryToolParts = {},
) {
  const failures = new Map<string, { askedId: number; count: number }>()
  const told = rememberTwins()

  /** Count refusals per turn. */
  function refuse(reason: string, { sessionId, askedId }: ToolContext): ToolResult {
    const known = failures.get(sessionId)
    const count = known?.askedId === askedId ? known.count + 1 : 1
    failures.set(sessionId, { askedId, count })
    return { ok: false, reason: count > MOST_FAILURES ? STOP : reason }
  }

  return defineTool({
    name: 'memory',
    tell: tellMemory,
    says: 'Save, correct or forget a lasting fact. target user: about the person; memory: your own notes; project: notes of this folder. Several changes at once go into operations.',
    input,
    toolset: 'memory',
    risk: 'write',
    unavailable: () => (isAllowed() ? undefined : 'Learning from chats is switched off.'),
    async intent(given, { workspace }) {
      const verbs = { add: 'Remember', replace: 'Correct', remove: 'Forget' }
      const wanted = changesIn(given)
      const [first] = wanted
      if (!first?.action) return { refused: NOTHING_ASKED }
      const what = first.content ?? first.old_text ?? ''
      const title =
        wanted.length > 1
          ? `Make ${wanted.length} changes to memory`
          : `${verbs[first.action]} “${short(what)}”`
      return { title, detail: what, risk: 'write', inWorkspace: true, undoable: true, folder: workspace }
    },
    async run(given, context) {
      const place = placeOf(given.target, notesOf(context.sessionId, context.workspace), memory)
      const all = memory.view().entries
      const entries = all.filter(entry => isIn(entry, place))
      const steps = stepsOf(given, place, entries, entry => hasSeen(entry, context.sessionId))
      if (isRefusal(steps)) return refuse(steps.refused, context)
      const { fresh, twins } = splitKnown(steps, all, told.in(context))
      if (fresh.length === 0) return { ok: true, text: success(`Entry already exists. ${sayTwins(twins)}`) }
      const { sessionId, askedId: messageId } = context
      const outcome = memory.change(fresh, { actor: 'agent', sessionId, messageId, reviewId: null })
      if (isRefusal(outcome)) {
        const more = outcome.more === undefined ? '' : ` ${outcome.more}`
        return refuse(outcome.refused + more, context)
      }
      failures.delete(sessionId)
      const { revisions } = outcome
      const same = outcome.same + twins.length
      if (revisions.length === 0) return { ok: true, text: success('Entry already exists.') }
      const known = same > 0 ? ` ${byCount(same, '1 entry was', `${same} entries were`)} there already.` : ''
      const alike = twins.length > 0 ? ` ${sayTwins(twins)}` : ''
      const message = `${said(revisions)}${known}${alike}${whenFull(memory, place)}`
      return { ok: true, text: success(message, replacedBy(steps, entries, given)), revisions }
    },
  })
}

function placeOf(target: Input['target'], at: string | MemoryProject, memory: Memory): Place {
  if (target !== 'project') return { target, project: null }
  return { target: 'memory', project: memory.project(at).id }
}

/** The changes in a call. Some models send an empty list together with a single change. */
const changesIn = (given: Input): Wanted[] => (given.operations?.length ? given.operations : [given])

/** The steps of a call, or a refusal if one of them is impossible. */
function stepsOf(
  given: Input,
  place: Place,
  entries: readonly MemoryEntry[],
  isKnown: (entry: MemoryEntry) => boolean,
): MemoryStep[] | Refusal {
  const isBatch = (given.operations?.length ?? 0) > 0
  const steps: MemoryStep[] = []
  for (const [at, wanted] of changesIn(given).entries()) {
    const step = stepOf(wanted, place, { entries, isKnown, isBatch })
    if (isRefusal(step))
      return isBatch
        ? { refused: `Nothing was changed, because of operation ${at + 1}: ${step.refused}` }
        : step
    steps.push(step)
  }
  if (isBatch && emptiesFile(steps, entries)) return { refused: EMPTIES }
  return steps
}

const EMPTIES =
  'Nothing was changed: these operations would leave no entry in this file. Keep one, or add what replaces them. To remove the last entry, call remove for it alone.'

const emptiesFile = (steps: readonly MemoryStep[], entries: readonly MemoryEntry[]): boolean =>
  entries.length > 0 &&
  steps.every(step => step.kind === 'remove') &&
  new Set(steps.map(step => step.id)).size === entries.length

function stepOf(
  { action = 'add', content, old_text: old }: Wanted,
  place: Place,
  { entries, isKnown, isBatch }: Surroundings,
): MemoryStep | Refusal {
  if (action !== 'remove' && !content?.trim())
    return { refused: `content is missing: ${action} needs the new entry.` }
  const statement = action === 'remove' ? undefined : orderAsStatement(content!, place.target)
  if (statement !== undefined) return { refused: asStatement(content!, statement) }
  if (action === 'add') return { kind: 'add', ...place, text: content! }
  const texts = entries.map(entry => entry.text)
  const meant = old ?? (action === 'remove' ? content : undefined)
  if (!meant?.trim()) {
    const refused = `old_text is missing: ${action} needs a part of the entry that is meant.`
    return { refused: `${refused} Call again with it.${listEntries(texts)}` }
  }
  const found = locateEntry(texts, meant, { lists: !isBatch })
  if (isRefusal(found)) return found
  const entry = entries[found.at]!
  // Someone may have changed the entry, so the part may no longer identify what the model means.
  if (!isWholeEntry(entry.text, meant) && !isKnown(entry)) return { refused: changedSince(entry, meant) }
  const { id, text: expected } = entry
  return action === 'remove' ? { kind: 'remove', id } : { kind: 'edit', id, text: content!, expected }
}

type Surroundings = {
  entries: readonly MemoryEntry[]
  /** Whether the model knows the text of an entry. */
  isKnown: (entry: MemoryEntry) => boolean
  isBatch: boolean
}

function changedSince({ text, blocked }: MemoryEntry, meant: string): string {
  const now =
    blocked === null
      ? `It is now: “${text}” If all of that is to go, call again with that whole text as old_text; else add what is new.`
      : 'It is kept from you. Tell the user, who can change it on the Memory page.'
  return `Nothing was changed: the entry that holds “${short(meant)}” was changed by somebody else since this chat began. ${now}`
}

const asStatement = (content: string, statement: string): string =>
  `“${short(content)}” is an order, which would be obeyed again in every chat. Save what it says about the user, as a statement: “${statement}”`

const sayTwins = (twins: readonly string[]): string =>
  `${twins.map(text => `“${short(text)}”`).join(' and ')} ${byCount(twins.length, 'says', 'say')} the same. To change its words, use replace; if yours says something else, make the same call again.`

/** A short success message in the usual form of other agents, which small models were trained on. */
const success = (message: string, replaced?: unknown): string =>
  `{"success": true, "message": ${JSON.stringify(message)}${replaced === undefined ? '' : `, "replaced": ${JSON.stringify(replaced)}`}}`

/** The replaced texts: a single text for a single change, otherwise by position, counted from 1. */
function replacedBy(steps: readonly MemoryStep[], entries: readonly MemoryEntry[], given: Input): unknown {
  const pairs = steps.flatMap((step, at) => {
    const old = step.kind === 'edit' ? entries.find(entry => entry.id === step.id) : undefined
    return old ? [[String(at + 1), old.text] as const] : []
  })
  if (pairs.length === 0) return undefined
  return given.operations?.length ? Object.fromEntries(pairs) : pairs[0]![1]
}

const said = (revisions: readonly { op: string }[]): string => {
  const [first, ...others] = revisions
  if (others.length > 0) return `${revisions.length} changes saved.`
  return first?.op === 'add' ? 'Entry added.' : first?.op === 'remove' ? 'Entry removed.' : 'Entry replaced.'
}

/** Share of the notebook above which the model is warned that space is running out. */
const NEARLY_FULL = 0.8

function whenFull(memory: Memory, place: Place): string {
  const room = memory.view().capacity.find(each => isIn(each, place))
  if (!room || room.used < room.limit * NEARLY_FULL) return ''
  return ` ${room.used} of ${room.limit} characters are in use; make room soon.`
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 60 ? line : `${line.slice(0, 59).toWellFormed()}…`
}
