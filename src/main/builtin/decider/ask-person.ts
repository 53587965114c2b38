import type { Approval } from '../../../shared/contract/runs/run.ts'
import type { Turn, TurnPorts } from '../../agent/turn-types.ts'
import { newId } from '../../lib/ids.ts'
import { chooseAnswer } from '../guide/ask-back.ts'
import { describeCall, labelOf } from '../guide/describe-call.ts'
import type { Decision } from './decide-message.ts'

const JUST_ANSWER = 'Just answer'
const WHY =
  'Your message may need a look at something here, or something to be done. This model does not call tools by itself, so you choose.'

/** Labels of calls whose arguments are left to the model. */
const BARE: Readonly<Record<string, string>> = {
  list_files: 'List the files',
  read_file: 'Read a file',
  search_files: 'Search the files',
  write_file: 'Write a file',
  patch_file: 'Change a file',
  terminal: 'Run a command',
  memory: 'Save it to memory',
  session_search: 'Search earlier chats',
  skills_list: 'List the skills',
  skill_view: 'Use a skill',
  skill_manage: 'Change a skill',
}

/** The label of a call on a button. */
export const labelChoice = ({ tool, arguments: given }: Decision): string =>
  given === undefined
    ? (BARE[tool] ?? `Use ${tool}`)
    : tool === 'memory' && given['action'] === 'add'
      ? `Save “${describeCall({ name: tool, arguments: given }).replace(/^remember: /, '')}”`
      : labelOf({ name: tool, arguments: given }).replaceAll('`', '').slice(0, 200).toWellFormed()

/**
 * Ask the user which of several calls they mean, or whether the model should just answer. Undefined if nobody
 * answers. An answer in other words goes to the model.
 */
export async function askPerson(
  turn: Turn,
  ports: TurnPorts,
  likely: readonly Decision[],
  signal: AbortSignal,
): Promise<Decision | 'just answer' | undefined> {
  if (ports.approvalMode() === 'none') return undefined
  const choices = likely.map(each => ({ label: labelChoice(each), decided: each }))
  const approval: Approval = {
    id: newId('ask'),
    callId: newId('call'),
    tool: likely[0]?.tool ?? '',
    title: 'What do you want?',
    detail: '',
    folder: turn.workspace,
    reason: WHY,
    risk: 'read',
    mayAllowInChat: false,
    inEveryMode: true,
    question: {
      text: 'What should happen first?',
      choices: [...choices.map(({ label }) => label), JUST_ANSWER],
    },
  }
  ports.emit({ type: 'approval_request', approval })
  const { decision, note, unanswered } = await ports.ask(approval, signal)
  ports.emit({ type: 'approval_resolved', approvalId: approval.id, callId: approval.callId, decision, note })
  const said = note.trim()
  if (unanswered || signal.aborted || decision === 'deny' || said === '') return undefined
  if (said === JUST_ANSWER) return 'just answer'
  const all = [
    ...choices.map(({ label, decided }) => ({ label, call: { name: decided.tool, arguments: {} } })),
    { label: JUST_ANSWER },
  ]
  const at = all.findIndex(each => each === chooseAnswer(said, all).choice)
  const chosen = choices[at]
  if (chosen) return chosen.decided
  if (at === choices.length) return 'just answer'
  const words = {
    role: 'user',
    sessionId: turn.sessionId,
    at: ports.now(),
    text: said,
    steered: true,
  } as const
  ports.emit({ type: 'message', message: ports.append(words) })
  return undefined
}
