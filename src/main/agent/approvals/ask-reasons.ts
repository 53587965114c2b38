import type { ApprovalMode } from '../../../shared/contract/session.ts'
import { sayObeyed } from '../../../shared/obeyed-text.ts'
import type { Intent } from '../../tools/tool.ts'
import type { ObeyedNeed } from './obeyed-by-command.ts'

/** Why a call asks in every mode that would change what programs obey. */
export function heldReason({ command }: Intent, { may, files, why }: ObeyedNeed): string {
  if (command === undefined) return sayObeyed(files[0]?.by ?? 'other programs')
  // The card says which files that are.
  return `It may change what ${may === 'git' ? 'git obeys' : 'programs obey'} without being asked: ${why.join(', and ')}.`
}

/** Why a command that will be confined is asked about; the card says what it can change. */
export const confinedReason = (mode: ApprovalMode): string =>
  mode === 'ask' ? 'In this chat Talaria asks before every command.' : 'It may do more than read.'

/** Said where the offline lock cannot hold for a command. */
export const LOOSE = 'The offline lock is on, and Talaria cannot keep this command off the network.'

/** What a call may do, where nothing more is to say of it. */
export function plainReason({ command, risk, inWorkspace, mcp, models }: Intent): string {
  if (mcp) return `It calls a tool of ${mcp.source}, which can do whatever that server can.`
  if (models) return `It sends the question to ${models.away}.`
  if (risk === 'network') return 'It may use the network, and can change what you can change.'
  if (command !== undefined) return 'A command can change whatever you can change.'
  if (risk === 'write') return 'It changes a file.'
  return inWorkspace
    ? 'It is not covered by the mode of this chat.'
    : 'It reads outside the folder that this chat works in.'
}
