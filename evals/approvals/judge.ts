import { join } from 'node:path'
import { decideCall } from '../../src/main/agent/approvals/decide.ts'
import type { Confinement } from '../../src/main/confinement/profile.ts'
import type { Row } from './row.ts'

const DECISIONS = { allow: 'run', ask: 'ask', deny: 'refuse' } as const
const MODES = { none: 'chat_only', ask: 'ask', reads: 'reads', full: 'full' } as const

/** Where a row is judged and runs. */
export type Place = { folder: string; userHome: string }

/**
 * `access` is set when the command would run unasked and confined; `agreed` when full access asks only because of what programs obey:
 * how it runs once a person agrees.
 */
export type Judged = {
  id: Row['id']
  decision: 'run' | 'ask' | 'refuse'
  reason: string
  access?: Confinement
  agreed?: Confinement
}

/** What a chat in this mode decides about a command, without running it. */
export function judgeRow({ id, mode, command, cwd, sandbox, offline, marked }: Row, place: Place): Judged {
  const found = decideCall({
    tool: 'terminal',
    mode: MODES[mode],
    grants: [],
    rights: { confined: sandbox === 'on', whyNot: sandbox === 'on' ? '' : 'switched off', offline },
    userHome: place.userHome,
    strangers: marked ? [{ id: 'text_1', source: 'the server notes' }] : [],
    intent: {
      title: 'Run a command',
      detail: command,
      risk: 'execute',
      inWorkspace: true,
      folder: join(place.folder, cwd),
      workspace: place.folder,
      command,
    },
  })
  const reason = found.verdict === 'allow' ? found.because : found.reason
  const isConfined = found.verdict === 'allow' && found.access !== 'unconfined'
  return {
    id,
    decision: DECISIONS[found.verdict],
    reason,
    ...(found.verdict === 'ask' &&
      mode === 'full' &&
      sandbox === 'on' &&
      found.obeyed !== 'nothing' && {
        agreed: { profile: 'work', network: !offline, obeyed: found.obeyed },
      }),
    ...(isConfined && { access: found.access as Confinement }),
  }
}
