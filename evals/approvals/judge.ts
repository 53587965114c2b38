import { sayGround } from '../../src/shared/words/call-words.ts'
import { decideCall } from '../../src/main/agent/approvals/decide.ts'
import type { Confinement } from '../../src/main/confinement/profile.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { terminalTool } from '../../src/main/tools/terminal/terminal.ts'
import type { Row } from './row.ts'

const DECISIONS = { allow: 'run', ask: 'ask', deny: 'refuse' } as const
const MODES = { none: 'chat_only', ask: 'ask', reads: 'reads', full: 'full' } as const

/** Where a row is judged and runs. `fill` puts what is on the stage in the place of `{HOME}` and its like. */
export type Place = { folder: string; home: string; userHome: string; fill(text: string): string }

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

/** The terminal as the product has it; the full form hands what it runs to it. */
export const terminal = terminalTool({ timeout_s: 20 })

/** The call that a model would make of a row. */
export const callOf = ({ command, cwd, timeout_s }: Row, { fill }: Place) =>
  terminal.input.parse({ command: fill(command), cwd, timeout_s })

/**
 * What a chat in this mode decides about a command, without running it: what `run-calls.ts` asks of the terminal and the policy,
 * for a person without standing rules, grants and background processes.
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
    // The product's is that of its process.
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
