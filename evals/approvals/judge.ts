import { sayGround } from '../../src/shared/words/call-words.ts'
import { decideCall } from '../../src/main/agent/approvals/decide.ts'
import type { Confinement } from '../../src/main/confinement/profile.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { terminalTool } from '../../src/main/tools/terminal/terminal.ts'
import type { Row } from './row.ts'

const DECISIONS = { allow: 'run', ask: 'ask', deny: 'refuse' } as const
const MODES = { none: 'chat_only', ask: 'ask', reads: 'reads', full: 'full' } as const

/** Where a row is judged and runs. `fill` replaces `{HOME}` and similar names with what is on the stage. */
export type Place = { folder: string; home: string; userHome: string; fill(text: string): string }

/**
 * How a command was judged. `access` is set when the command would run confined without asking. `agreed` is
 * set when full access asks only because of files that programs obey; it says how the command runs once a
 * person agrees.
 */
export type Judged = {
  id: Row['id']
  decision: 'run' | 'ask' | 'refuse'
  reason: string
  access?: Confinement
  agreed?: Confinement
}

/** The product's terminal tool. The full form passes its commands on to it. */
export const terminal = terminalTool({ timeout_s: 20 })

/** The call with which a model would run a row. */
export const callOf = ({ command, cwd, timeout_s }: Row, { fill }: Place) =>
  terminal.input.parse({ command: fill(command), cwd, timeout_s })

/**
 * What a chat in this mode decides about a command, without running it. It asks the terminal tool and the
 * policy as `run-calls.ts` does, for a person without rules, permissions and background processes.
 */
export async function judgeRow(
  row: Row,
  place: Place,
  sandbox: Row['sandbox'] = row.sandbox,
): Promise<Judged> {
  const { id, mode, offline, marked } = row
  const { folder: workspace, home, userHome } = place
  const intent = await terminal.intent(callOf(row, place), { workspace, home })
  if (isRefusal(intent)) return { id, decision: 'refuse', reason: intent.refused }
  const found = decideCall({
    tool: terminal.name,
    intent,
    mode: MODES[mode],
    grants: [],
    rules: [],
    strangers: marked ? [{ id: 'text_1', source: 'the server notes' }] : [],
    rights: { confined: sandbox === 'on', whyNot: sandbox === 'on' ? '' : 'switched off', offline },
    home,
    // The product takes it from its process.
    userHome,
  })
  const reason = found.verdict === 'allow' ? sayGround(found.ground) : found.reason
  const access = found.verdict === 'allow' && found.access !== 'unconfined' ? found.access : undefined
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
    ...(access && { access }),
  }
}
