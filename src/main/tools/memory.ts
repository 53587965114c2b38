import { z } from 'zod'
import type { MemoryEntry } from '../../shared/contract/memory.ts'
import { type MemoryStep } from '../memory/plan-change.ts'
import { isIn } from '../memory/note-files.ts'
import type { Place } from '../memory/note-files.ts'
import { locateEntry } from '../memory/locate-entry.ts'
import type { Memory } from '../memory/open-memory.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { defineTool, type ToolContext, type ToolResult } from './tool.ts'

/** Refusals in one turn after which the model is instructed to stop trying. */
const MOST_FAILURES = 3
const GIVE_UP =
  'This has failed three times. Do not try again now; tell the user what could not be saved and why.'

const change = {
  action: z.enum(['add', 'replace', 'remove']),
  content: z.string().optional().describe('the whole new entry, as a statement of fact'),
  old_text: z.string().optional().describe('a part of the entry that is meant'),
}

/** The tool that lets a model write to the notebook. */
export function memoryTool(memory: Memory, isAllowed: () => boolean = () => true) {
  const failures = new Map<string, { askedId: number; count: number }>()

  /** Count refusals per turn. */
  function refuse(reason: string, { sessionId, askedId }: ToolContext): ToolResult {
    const known = failures.get(sessionId)
    const count = known?.askedId === askedId ? known.count + 1 : 1
    failures.set(sessionId, { askedId, count })
    return { ok: false, reason: count >= MOST_FAILURES ? `${reason}\n${GIVE_UP}` : reason }
  }

  return defineTool({
    name: 'memory',
    says: 'Save, correct or forget a lasting fact. target user: about the person; memory: your own notes; project: notes of this folder. Several changes at once go into operations.',
    input: z.object({
      target: z.enum(['user', 'memory', 'project']),
      ...change,
      action: change.action.optional(),
      operations: z.array(z.object(change)).max(30).optional(),
    }),
    toolset: 'memory',
    risk: 'write',
    unavailable: () => (isAllowed() ? undefined : 'Learning from chats is switched off.'),
    async intent(input, { workspace }) {
      const verbs = { add: 'Remember', replace: 'Correct', remove: 'Forget' }
      const wanted = input.operations ?? [input]
      const [first] = wanted
      if (!first?.action) return { refused: 'action is missing: add, replace or remove.' }
      const what = first.content ?? first.old_text ?? ''
      const title =
        wanted.length > 1
          ? `Make ${wanted.length} changes to memory`
          : `${verbs[first.action]} “${short(what)}”`
      return { title, detail: what, risk: 'write', inWorkspace: true, undoable: true, folder: workspace }
    },
    async run(input, context) {
      const place = placeOf(input.target, context.workspace, memory)
      const entries = memory.view().entries.filter(entry => isIn(entry, place))
      const steps: MemoryStep[] = []
      for (const wanted of input.operations ?? [{ ...input, action: input.action ?? 'add' }]) {
        const step = stepOf(wanted, place, entries)
        if (isRefusal(step)) return refuse(step.refused, context)
        steps.push(step)
      }
      const { sessionId, askedId: messageId } = context
      const outcome = memory.change(steps, { actor: 'agent', sessionId, messageId, reviewId: null })
      if (isRefusal(outcome)) return refuse(outcome.refused, context)
      failures.delete(sessionId)
      const { revisions } = outcome
      if (revisions.length === 0) return { ok: true, text: success('Entry already exists.') }
      return { ok: true, text: success(`${said(steps)}${whenFull(memory, place)}`), revisions }
    },
  })
}

function placeOf(target: 'user' | 'memory' | 'project', workspace: string, memory: Memory): Place {
  if (target !== 'project') return { target, project: null }
  return { target: 'memory', project: memory.project(workspace).id }
}

type Wanted = {
  action: 'add' | 'replace' | 'remove'
  content?: string | undefined
  old_text?: string | undefined
}

function stepOf(wanted: Wanted, place: Place, entries: readonly MemoryEntry[]): MemoryStep | Refusal {
  const { action, content, old_text: old } = wanted
  if (action !== 'remove' && !content?.trim())
    return { refused: `content is missing: ${action} needs the new entry.` }
  if (action === 'add') return { kind: 'add', ...place, text: content! }
  const meant = old ?? (action === 'remove' ? content : undefined)
  if (!meant?.trim())
    return { refused: `old_text is missing: ${action} needs a part of the entry that is meant.` }
  const found = locateEntry(
    entries.map(entry => entry.text),
    meant,
  )
  if (isRefusal(found)) return found
  const { id } = entries[found.at]!
  return action === 'remove' ? { kind: 'remove', id } : { kind: 'edit', id, text: content! }
}

/** Short and final, in the usual form of other agents, which small models were trained on. */
const success = (message: string): string => `{"success": true, "message": ${JSON.stringify(message)}}`

const said = (steps: readonly MemoryStep[]): string => {
  if (steps.length > 1) return `${steps.length} changes saved.`
  return { add: 'Entry added.', edit: 'Entry replaced.', remove: 'Entry removed.' }[
    steps[0]!.kind as 'add' | 'edit' | 'remove'
  ]
}

/** Share of the notebook from which the model is warned that space is running out. */
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
