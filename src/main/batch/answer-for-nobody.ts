import type { BatchApproval } from '../../shared/contract/runs/batch.ts'
import type { Approval } from '../../shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'
import type { ApprovalAnswer } from '../agent/turn-types.ts'

/** The mode in which the turns of a batch run; what asks in it is answered by `answerForNobody`. */
export const modeFor = (approve: BatchApproval): ApprovalMode => (approve === 'all' ? 'full' : 'reads')

/**
 * Answer what the policy would ask a person. With `work` a command runs in *Work* without network, and a file in the folder may be
 * changed. Everything else is denied: what leaves the folder, what programs obey, what a standing rule of the user asks about, servers,
 * the web, questions, and whatever a text from outside may be behind.
 */
export function answerForNobody(approve: BatchApproval, approval: Approval): ApprovalAnswer {
  return approve === 'work' && isWork(approval)
    ? { decision: 'once', note: '', access: 'confined' }
    : { decision: 'deny', note: 'Nobody is here to allow it.', unanswered: true }
}

function isWork({
  command,
  risk,
  beyond,
  question,
  uses,
  sends,
  texts,
  inEveryMode,
  mayAllowInChat,
}: Approval): boolean {
  const isOther = question ?? uses ?? sends ?? texts ?? inEveryMode
  if (isOther !== undefined || (beyond?.length ?? 0) > 0) return false
  // A confined command can do no more than *Work* lets it, whatever it is.
  if (command) return command.whyNot === '' && command.obeyed === 'nothing'
  return risk === 'write' && mayAllowInChat
}
