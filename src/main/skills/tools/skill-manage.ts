import { z } from 'zod'
import { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { writeMetadata } from '../files/write-fields.ts'
import { oneLine } from '../prompt-index.ts'
import type { SkillBy, SkillEditor, SkillRefusal } from '../skill-types.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { diffTexts } from '../../files/diff-texts.ts'
import { dangersOf, keyOf, planChange, type SkillPlan } from './skill-manage-plan.ts'
import { keepMeanwhile, refuseUnseenDeletion } from './skill-meanwhile.ts'
import type { SkillToolParts, Seen } from './skill-tool-parts.ts'
import { defineTool, type Intent, type ToolContext, type ToolResult } from '../../tools/registry/tool.ts'
import { byCount } from '../../../shared/text/amounts.ts'
import { tellSkillChange } from './tell-skills.ts'

/** Maximum number of refusals per turn before the model is told to stop trying. */
const MOST_FAILURES = 3
const GIVE_UP =
  'This has failed three times. Do not try again now; tell the user what could not be saved and why.'
/** Maximum number of dangerous changes awaiting approval, and of dangers to name in the question. */
const MOST_ASKED = 100
const MOST_TOLD = 3

const Input = z.looseObject({
  action: z.enum(['create', 'edit', 'patch', 'delete', 'write_file', 'remove_file']),
  name: z.string(),
  description: z.string().optional().describe('what it does and when to use it'),
  content: z.string().optional().describe('all steps in Markdown, or the text of the file'),
  category: z.string().optional(),
  file_path: z.string().optional().describe('below references/, templates/, scripts/ or assets/'),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().optional(),
})

/** The tool that lets a model write and improve skills. */
export function skillManageTool(parts: SkillToolParts, seen: Seen) {
  const { library, editor, learns, mustRead = false } = parts
  const failures = new Map<string, { askedId: number; count: number }>()
  /** Dangerous changes that run only after the user's approval. */
  const asked = new Set<string>()

  /** Count refusals per turn. */
  function refuse(reason: string, { sessionId, askedId }: ToolContext): ToolResult {
    const known = failures.get(sessionId)
    const count = known?.askedId === askedId ? known.count + 1 : 1
    failures.set(sessionId, { askedId, count })
    return { ok: false, reason: count >= MOST_FAILURES ? `${reason}\n${GIVE_UP}` : reason }
  }

  async function confirm(plan: SkillPlan): Promise<Intent['confirm']> {
    // The editor of a review turns a forbidden change into a proposal.
    if (mustRead) return undefined
    const dangers = await dangersOf(library, plan)
    if (dangers.length > 0) {
      if (asked.size >= MOST_ASKED) asked.delete(asked.values().next().value!)
      asked.add(keyOf(plan))
      const more = dangers.length > MOST_TOLD ? ` And ${dangers.length - MOST_TOLD} more.` : ''
      const told = dangers.slice(0, MOST_TOLD).join(' ')
      return { reason: `The security scan calls this dangerous. ${told}${more}` }
    }
    if (plan.kind === 'create') return { reason: 'A new skill guides the agent in later chats as well.' }
    if (plan.kind === 'delete')
      return {
        reason: `The agent would do without this skill from now on. ${plan.into === undefined ? '' : `It says that “${oneLine(plan.into, 80)}” has these steps now. `}It can be restored.`,
      }
    return undefined
  }

  /** The plan of a call. A new skill records in its metadata how it was made. */
  function planOf(
    input: z.output<typeof Input>,
    workspace: string,
    sessionId: string | undefined,
  ): SkillPlan | Refusal {
    const plan = asSeen(planChange(library, input, workspace), input, sessionId)
    const work = sessionId === undefined ? undefined : parts.workOf?.(sessionId)
    if (isRefusal(plan) || plan.kind !== 'create' || !work) return plan
    return { ...plan, text: writeMetadata(plan.text, 'generated', workInWords(parts.now(), work)) }
  }

  /** A rewrite starts from what the session saw. A review must have seen the current version anyway. */
  function asSeen(
    plan: SkillPlan | Refusal,
    { action, content }: z.output<typeof Input>,
    sessionId: string | undefined,
  ): SkillPlan | Refusal {
    if (!isRefusal(plan) && plan.kind === 'delete' && sessionId !== undefined)
      return refuseUnseenDeletion(plan, seen.sawIn(sessionId, plan.of.found, 'SKILL.md'))
    const isRewrite = action === 'write_file' || (action === 'edit' && (content ?? '').trim() !== '')
    if (isRefusal(plan) || plan.kind !== 'write' || !isRewrite || mustRead || sessionId === undefined)
      return plan
    return keepMeanwhile(plan, seen.sawIn(sessionId, plan.of.found, plan.path))
  }

  return defineTool({
    name: 'skill_manage',
    tell: tellSkillChange,
    says: 'Write a skill (create), improve one (patch; edit rewrites it) or delete it; write_file and remove_file are for its other files.',
    input: Input,
    toolset: 'skills',
    risk: 'write',
    unavailable: () => (learns() ? undefined : SWITCHED_OFF),
    async intent(input, { workspace: folder, sessionId }) {
      const plan = planOf(input, folder, sessionId)
      const about = { risk: 'write', inWorkspace: true, undoable: true, folder } as const
      // A change that will be refused needs no approval. The run gives the reason and counts the refusal.
      if (isRefusal(plan))
        return { ...about, title: `Change the skill “${oneLine(input.name, 80)}”`, detail: '' }
      const asks = await confirm(plan)
      return { ...about, title: titleOf(plan), detail: detailOf(plan), ...(asks && { confirm: asks }) }
    },
    async run(input, context) {
      if (!learns()) return { ok: false, reason: SWITCHED_OFF }
      const plan = planOf(input, context.workspace, context.sessionId)
      if (isRefusal(plan)) return refuse(plan.refused, context)
      const unread = mustRead ? unreadReason(plan, context) : undefined
      if (unread !== undefined) return refuse(unread, context)
      // A dangerous change is saved only if it is exactly the one that the user approved.
      const wasAsked = asked.delete(keyOf(plan))
      const despite = wasAsked && context.byUser === true
      if (wasAsked && !despite && parts.proposing) return propose(plan, context, parts.proposing(context))
      // Saving scans the whole skill synchronously, so scan long texts before.
      await dangersOf(library, plan)
      const outcome = apply(plan, byOf(context, noteOf(plan)), despite)
      if (isRefusal(outcome)) return refuse(outcome.refused, context)
      failures.delete(context.sessionId)
      note(plan, outcome, context)
      const { notes = [] } = plan as { notes?: string[] }
      const more = outcome.note === undefined ? notes : [...notes, outcome.note]
      const text = success([saidOf(plan, input.action), ...more].join(' '))
      // Drop the fields that only the store knows.
      return { ok: true, text, skillRevisions: outcome.revisions.map(each => SkillRevision.parse(each)) }
    },
  })

  /** Propose a dangerous change, because the user was not asked for approval. */
  function propose(
    plan: SkillPlan,
    context: ToolContext,
    to: Pick<SkillEditor, 'create' | 'save'>,
  ): ToolResult {
    const outcome = apply(plan, byOf(context, noteOf(plan)), false, { ...editor, ...to })
    return isRefusal(outcome) ? refuse(outcome.refused, context) : { ok: false, reason: WAITS }
  }

  function unreadReason(plan: SkillPlan, { sessionId }: ToolContext): string | undefined {
    if (plan.kind === 'create') return undefined
    const { found, skill } = plan.of
    const text = library.read(skill.id) ?? ''
    return seen.knows(sessionId, found, text)
      ? undefined
      : `Read the skill first, as it is now: skill_view with name ${skill.name}. Then change what it says.`
  }

  function apply(
    plan: SkillPlan,
    by: SkillBy,
    despite: boolean,
    to: SkillToolParts['editor'] = editor,
  ): { revisions: SkillRevision[]; id?: string; note?: string } | SkillRefusal {
    switch (plan.kind) {
      case 'create':
        return to.create(plan, by, { despite })
      case 'write': {
        const { of, path, after: text, before: expected } = plan
        return to.save({ id: of.skill.id, path, text, expected }, by, { despite })
      }
      case 'remove':
        return to.removeFile({ id: plan.of.skill.id, path: plan.path }, by)
      case 'delete':
        return to.remove([plan.of.skill.id], by)
    }
  }

  /** The session that made a change knows the new version. */
  function note(plan: SkillPlan, { id }: { id?: string }, { sessionId }: ToolContext): void {
    const known = id === undefined ? undefined : library.get(id)
    const text = known && library.read(known.skill.id)
    if (known && text !== undefined) seen.look(sessionId, known.found, text)
    if (known && plan.kind === 'write' && plan.path !== 'SKILL.md')
      seen.lookAt(sessionId, known.found, plan.path, plan.after)
  }
}

/** The work behind a skill, such as `2026-11-23, 5 calls (terminal 3, read_file 2), 1 error`. */
function workInWords(now: number, work: readonly { name: string; ok: boolean }[]): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const tools = [...Map.groupBy(work, ({ name }) => name)].toSorted(([, a], [, b]) => b.length - a.length)
  const named = tools.slice(0, MOST_TOOLS).map(([name, calls]) => `${name} ${calls.length}`)
  const count = (number: number, one: string) => `${number} ${one}${byCount(number, '', 's')}`
  const calls = count(work.length, 'call') + (named.length > 0 ? ` (${named.join(', ')})` : '')
  return `${day}, ${calls}, ${count(work.filter(({ ok }) => !ok).length, 'error')}`
}

const MOST_TOOLS = 8

const WAITS =
  'Not written: the security scan calls this dangerous, so it waits for the user as a proposal on the Activity page. Tell them so, and do not write it again.'

const SWITCHED_OFF = 'The user has switched off learning skills from chats.'

/** A note that quotes the first added line. */
function noteOf(plan: SkillPlan): string {
  if (plan.kind === 'delete' && plan.into !== undefined)
    return `“${oneLine(plan.into, 80)}” is said to have its steps now.`
  if (plan.kind !== 'write') return ''
  const known = new Set(plan.before?.split('\n').map(line => line.trim()))
  const line = plan.after.split('\n').find(each => each.trim() !== '' && !known.has(each.trim()))
  const words = (line ?? '').replace(/^[\s#>*-]+|^\s*\d+[.)]\s+/g, '').trim()
  return words.length <= 120 ? words : `${words.slice(0, 119).toWellFormed()}…`
}

const byOf = ({ sessionId, askedId: messageId }: ToolContext, note: string): SkillBy => ({
  actor: 'agent',
  note,
  sessionId,
  messageId,
  reviewId: null,
})

function titleOf(plan: SkillPlan): string {
  if (plan.kind === 'create') return `Write the new skill “${plan.name}”${inCategory(plan.category)}`
  const skill = `the skill “${oneLine(plan.of.skill.name, 80)}”`
  if (plan.kind === 'delete') return `Delete ${skill}`
  if (plan.kind === 'remove') return `Remove ${plan.path} from ${skill}`
  if (plan.path === 'SKILL.md') return `Change ${skill}`
  return plan.before === null ? `Add ${plan.path} to ${skill}` : `Change ${plan.path} of ${skill}`
}

const inCategory = (category: string) => (category === '' ? '' : ` in ${category}`)

/** New files in full, and changed files as a diff. */
function detailOf(plan: SkillPlan): string {
  switch (plan.kind) {
    case 'create':
      return plan.text
    case 'write':
      return plan.before === null ? plan.after : diffTexts(plan.before, plan.after)
    case 'remove':
      return plan.before === null ? plan.path : diffTexts(plan.before, '')
    case 'delete':
      return [...plan.of.found.parts.map(part => part.path), '', plan.text].join('\n')
  }
}

function saidOf(plan: SkillPlan, action: string): string {
  if (plan.kind === 'create') return 'Skill created.'
  if (plan.kind === 'delete') return 'Skill deleted.'
  if (plan.kind === 'remove') return 'File removed.'
  if (action === 'write_file') return 'File written.'
  return action === 'edit' ? 'Skill rewritten.' : 'Skill patched.'
}

/** A short success message in the usual form of other agents, which small models were trained on. */
const success = (message: string): string => `{"success": true, "message": ${JSON.stringify(message)}}`
