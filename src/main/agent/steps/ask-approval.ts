import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { Approval, StrangersText } from '../../../shared/contract/runs/run.ts'
import type { CallGround, CallRecord } from '../../../shared/contract/runs/call-record.ts'
import { OBEYED_FILES } from '../../../shared/contract/runs/permissions.ts'
import { ruleName } from '../../../shared/words/permission-words.ts'
import { newId } from '../../lib/ids.ts'
import { NOBODY, REFUSED_BY_USER, STOPPED_BEFORE } from '../../tools/registry/call-failures.ts'
import { accessOf, type Verdict } from '../approvals/decide.ts'
import { shownReason } from '../approvals/verdict.ts'
import { grantFor } from '../approvals/grants.ts'
import type { ApprovalAnswer, CallAt, Failure, Permission, Permits, TurnPorts } from '../turn-types.ts'

const STOPPED: Failure = { ok: false, reason: STOPPED_BEFORE }
/** The permission of a call if the turn was stopped before the call ran. */
export const STOPPED_CALL: Permission = { refusal: STOPPED, record: { decision: 'stopped' } }

/** Maximum number of questions of a model in one turn. A model that only asks would otherwise ask sixty. */
const MOST_QUESTIONS = 8
const ENOUGH_ASKED: Failure = {
  ok: false,
  reason: `You have asked ${MOST_QUESTIONS} questions in this turn, which is the most. Decide as well as you can, and say in your answer what you assumed.`,
}
/** How many questions were asked, by the ports of the turn. */
const questionsOf = new WeakMap<TurnPorts, number>()

/** A question for the user: a verdict that asks. */
export type Question = Omit<Extract<Verdict, { verdict: 'ask' }>, 'verdict'>

/** Ask the user about a call. Store what the answer allows, and end the marks of texts they have read. */
export async function askUser(at: CallAt, question: Question): Promise<Permission> {
  const { turn, ports, signal, call, tool, intent, rights, keys } = at
  const { permits } = turn
  if (intent.question) {
    const before = questionsOf.get(ports) ?? 0
    if (before >= MOST_QUESTIONS)
      return { refusal: ENOUGH_ASKED, record: { decision: 'not_run', how: 'enough_asked' } }
    questionsOf.set(ports, before + 1)
  }
  const folderRules = question.folderRules ?? []
  const alwaysPin = pinOf(at, question)
  const texts = textsOf(permits, question)
  const beyond = beyondOf(at, question)
  const approval = {
    id: newId('ask'),
    callId: call.id,
    tool: tool.name,
    title: intent.title,
    detail: intent.detail,
    folder: intent.folder,
    reason: shownReason(question.reason),
    risk: intent.risk,
    mayAllowInChat: question.mayAllowInChat,
    ...(question.inEveryMode && { inEveryMode: true as const }),
    ...(beyond.length > 0 && { beyond }),
    ...(permits.allowed && { trial: question.mayAllowInChat ? GRANTED_TOO : GRANTED_ONCE }),
    ...(question.sends && { sends: question.sends }),
    ...(texts.length > 0 && { texts }),
    ...(intent.question && {
      question: { text: intent.question.text, choices: [...intent.question.choices] },
    }),
    ...(intent.mcp && { uses: intent.mcp.shown }),
    ...(alwaysPin !== undefined && { always: intent.mcp?.shown }),
    ...(question.parts?.length && {
      parts: question.parts.map(({ command, reasons }) => ({ command, reasons: [...reasons] })),
    }),
    ...(permits.rules && folderRules.length > 0 && { folderRules: folderRules.map(ruleName) }),
    ...(intent.command !== undefined && {
      command: {
        whyNot: rights.whyNot,
        offline: rights.offline,
        obeyed: question.obeyed,
        ...(question.obeyedFiles?.length && { obeyedFiles: [...question.obeyedFiles] }),
        keys: [...keys],
      },
    }),
  }
  ports.emit({ type: 'approval_request', approval })
  const answer = await ports.ask(approval, signal)
  // Only texts that the question listed count: a text that arrived while it was open was not shown.
  const read = readIn(answer, texts)
  const { decision, note } = answer
  ports.emit({
    type: 'approval_resolved',
    approvalId: approval.id,
    callId: call.id,
    decision,
    note,
    ...(answer.from !== undefined && { from: answer.from }),
    ...(read.length > 0 && { read }),
  })
  if (signal.aborted) return STOPPED_CALL
  if (read.length === 0) return permissionFor(at, question, answer)
  permits.strangers?.end(read.map(({ id }) => id))
  const once = { ...answer, decision: 'once' as const }
  return { ...permissionFor(at, question, once), read }
}

/** The reasons why a call is more than a normal call in the chat's folder. */
function beyondOf({ intent }: CallAt, { obeyed, byRule }: Question): NonNullable<Approval['beyond']> {
  return [
    ...(intent.inWorkspace ? [] : (['outside'] as const)),
    ...(obeyed === 'nothing' ? [] : (['obeyed'] as const)),
    ...(byRule ? (['rule'] as const) : []),
    ...(intent.mustAsk === undefined ? [] : (['tool'] as const)),
  ]
}

/** The texts behind a question, as it shows them. */
function textsOf({ textsOf: beginnings }: Permits, { texts = [] }: Question): StrangersText[] {
  if (texts.length === 0) return []
  return beginnings?.(texts) ?? texts.map(mark => ({ ...mark, beginning: '' }))
}

/** The texts that the user confirmed to have read, among those that the question listed. */
export const readIn = (
  { read, unanswered, decision }: ApprovalAnswer,
  texts: readonly StrangersMark[] = [],
): StrangersMark[] =>
  read && !unanswered && decision !== 'deny'
    ? texts.map(({ id, source, described }) => ({ id, source, ...(described && { described }) }))
    : []

const pinOf = ({ tool, intent }: CallAt, { mayAllowInChat }: Question) =>
  mayAllowInChat && tool.allowAlways ? intent.mcp?.pin : undefined

/** The permission that an answer gives, after its lasting part was stored. */
function permissionFor(at: CallAt, question: Question, answer: ApprovalAnswer): Permission {
  const { turn, ports, tool, intent, rights } = at
  const { permits } = turn
  const folderRules = question.folderRules ?? []
  const alwaysPin = pinOf(at, question)
  const { decision } = answer
  if (intent.question) return answerFor(answer)
  if (decision === 'deny') return denialFor(answer)
  const choice = rights.confined ? (answer.access ?? 'confined') : 'unconfined'
  const access = accessOf(choice, question.obeyed, rights)
  const isLasting = decision === 'folder' && folderRules.length > 0
  if (isLasting && !(choice === 'unconfined' && rights.confined)) {
    const lasting = { network: choice === 'network', unconfined: !rights.confined }
    const rules = folderRules.map(each =>
      // How a command runs says nothing about the files it may change.
      each.tool === OBEYED_FILES ? { ...each, network: false, unconfined: false } : { ...each, ...lasting },
    )
    permits.allowed?.({ rules })
    const refused = permits.allowed ? undefined : permits.rules?.add(rules)
    if (!refused)
      return {
        record: ran({ by: 'rule', rules: folderRules.map(ruleName) }),
        access,
        byUser: true,
      }
    ports.emit({ type: 'warning', text: `It ran once, but your rule was not saved. ${refused.refused}` })
  }
  if (decision === 'always' && alwaysPin !== undefined) {
    const refused = tool.allowAlways?.(alwaysPin)
    if (!refused) return { record: ran({ by: 'user', how: 'always' }), access, byUser: true }
    ports.emit({ type: 'warning', text: `It ran once, but it will ask again. ${refused.refused}` })
  }
  const rule = question.grant ?? grantFor(tool.name, intent, choice, question.obeyed)
  // In a trial run, store the grant as well, or the run would ask about each page.
  if (question.grant !== undefined && permits.allowed) permits.grant(question.grant)
  if (rule !== undefined && question.mayAllowInChat) permits.allowed?.({ grant: rule })
  if (decision !== 'chat' || !question.mayAllowInChat || rule === undefined)
    return { record: ran({ by: 'user', how: 'once', ...by(answer) }), access, byUser: true }
  permits.grant(rule)
  return { record: ran({ by: 'grant' }), access, byUser: true }
}

const GRANTED_TOO =
  'This is a trial run. From now on the schedule may do what you allow here, even when nobody is there.'
const GRANTED_ONCE =
  'This is a trial run, and this can only be allowed for now: without you, the schedule is denied it.'

const ran = (ground: CallGround): CallRecord => ({ decision: 'ran', ...ground })
const deniedBy = (by: 'user' | 'nobody', why?: string, from?: string): CallRecord => ({
  decision: 'denied',
  by,
  ...(why !== undefined && { why }),
  ...(from !== undefined && { from }),
})
const by = ({ from }: ApprovalAnswer) => from !== undefined && { from }

/** The permission for a call that asks the user a question. */
function answerFor({ decision, note, unanswered, from }: ApprovalAnswer): Permission {
  const said = note.trim()
  if (unanswered)
    return { refusal: { ok: false, reason: `${said} ${GO_ON}` }, record: deniedBy('nobody', said) }
  if (decision !== 'deny' && said !== '')
    return {
      record: ran({ by: 'user', how: 'answer', ...(from !== undefined && { from }) }),
      access: 'unconfined',
      byUser: true,
      answer: said,
    }
  const reason =
    said === ''
      ? `The user does not want to answer. ${GO_ON}`
      : `The user does not choose, and says: “${said}”`
  return { refusal: { ok: false, reason }, record: deniedBy('user', said || undefined, from) }
}

const GO_ON = 'Go on without it as well as you can, and say in your answer what you assumed.'

function denialFor({ note, unanswered, from }: ApprovalAnswer): Permission {
  if (unanswered)
    return { refusal: { ok: false, reason: `${NOBODY}${note}` }, record: deniedBy('nobody', note) }
  const said = note.trim()
  const reason =
    said === ''
      ? `${REFUSED_BY_USER}. Do not try it again in another way; go on without it or ask.`
      : `${REFUSED_BY_USER} and says: “${said}”`
  return { refusal: { ok: false, reason }, record: deniedBy('user', said || undefined, from) }
}
