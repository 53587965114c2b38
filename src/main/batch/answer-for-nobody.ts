import type { BatchApproval } from '../../shared/contract/runs/batch.ts'
import type { Approval } from '../../shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'
import type { ApprovalAnswer } from '../agent/turn-types.ts'

/** The approval mode for turns of a batch. Its requests are answered by `answerForNobody`. */
export const modeFor = (approve: BatchApproval): ApprovalMode => (approve === 'all' ? 'full' : 'reads')

/**
 * Answer an approval request in place of a user. `work` allows a command in *Work* without network, and
 * changes of files in the folder. Everything else is denied: leaving the folder, files that programs obey,
 * standing rules that ask, servers, the web, questions, and anything that an outside text may have caused.
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
  // A confined command can only do what *Work* allows.
  if (command) return command.whyNot === '' && command.obeyed === 'nothing'
  return risk === 'write' && mayAllowInChat
}
