import { homedir } from 'node:os'
import type { ApprovalMode } from '../../../shared/contract/session.ts'
import { isEnvironmentFile } from '../../tools/credential-paths.ts'
import type { Intent } from '../../tools/tool.ts'
import { grantFor, isGranted } from './grants.ts'
import { hardlineOf, hardlinePath } from './hardline.ts'
import { windowsDanger } from './hardline-windows.ts'
import { riskOf } from './risks.ts'
import { onlyReads } from './safe-commands.ts'
import { parseShell } from './shell-parse.ts'

export type Question = {
  tool: string
  intent: Intent
  mode: ApprovalMode
  /** What the person has allowed in this chat, as `rule` of earlier verdicts. */
  grants: Iterable<string>
  /** The user's home folder and the platform; those of this process by default. */
  userHome?: string
  platform?: NodeJS.Platform
}

/** `rule` is what to remember when the person allows it in this chat; there is none when each call must be asked about. */
export type Verdict =
  | { verdict: 'allow'; because: string }
  | { verdict: 'ask'; reason: string; mayAllowInChat: boolean; rule?: string }
  | { verdict: 'deny'; reason: string }

/**
 * Whether a call may run: first the floor that no mode lifts, then the mode of the chat, then what was allowed in it, and
 * a question when nothing decides. Depends on nothing but its arguments.
 */
export function decide(question: Question): Verdict {
  const { tool, intent, mode, grants } = question
  if (mode === 'chat_only')
    return { verdict: 'deny', reason: 'This chat is set to chat only, so no tool may run in it.' }
  const seen = inspect(question)
  if (seen.never !== undefined)
    return { verdict: 'deny', reason: `This never runs, in any mode. ${seen.never}` }
  if (intent.undoable) return ofUndoable(intent, mode)
  if (mode === 'full' && !seen.unreadable)
    return { verdict: 'allow', because: 'full access is on in this chat' }
  if (
    intent.risk === 'read' &&
    intent.command === undefined &&
    intent.inWorkspace &&
    seen.risk === undefined
  ) {
    return { verdict: 'allow', because: 'reading in the workspace' }
  }
  if (mode === 'reads' && seen.reads && intent.inWorkspace && seen.risk === undefined) {
    return { verdict: 'allow', because: 'a command that only reads' }
  }
  if (seen.risk === undefined && isGranted(tool, intent, grants)) {
    return { verdict: 'allow', because: 'allowed by you for this chat' }
  }
  const reason = seen.risk ?? plainReason(intent)
  if (mode === 'none') {
    return {
      verdict: 'deny',
      reason: `It needs permission, and nobody is here to give it. ${reason} To allow it, run in the window, or start with --approve reads or --approve all.`,
    }
  }
  const rule = seen.risk === undefined ? grantFor(tool, intent) : undefined
  return rule === undefined
    ? { verdict: 'ask', reason, mayAllowInChat: false }
    : { verdict: 'ask', reason, mayAllowInChat: true, rule }
}

/** What can be undone needs no question, unless it is one that a person wants to be asked. */
function ofUndoable({ confirm }: Intent, mode: ApprovalMode): Verdict {
  if (confirm === undefined)
    return { verdict: 'allow', because: 'it only changes what Talaria keeps, and can be undone' }
  if (confirm.when === 'here' && mode === 'full')
    return { verdict: 'allow', because: 'full access is on in this chat' }
  if (mode !== 'none') return { verdict: 'ask', reason: confirm.reason, mayAllowInChat: false }
  return confirm.when === 'here'
    ? { verdict: 'allow', because: 'nobody is here to ask, and it can be undone' }
    : { verdict: 'deny', reason: `It needs permission, and nobody is here to give it. ${confirm.reason}` }
}

/** `never`: the floor. `risk`: why each call must be asked about. `unreadable`: the floor could not be checked. */
type Seen = { never?: string | undefined; risk?: string | undefined; reads?: boolean; unreadable?: boolean }

function inspect({ intent, userHome = homedir(), platform = process.platform }: Question): Seen {
  if (intent.command !== undefined) {
    if (platform === 'win32') return { never: windowsDanger(intent.command) }
    const parsed = parseShell(intent.command, intent.folder, userHome)
    return {
      never: hardlineOf(parsed, userHome),
      risk: riskOf(parsed),
      reads: onlyReads(parsed),
      unreadable: parsed.unparsed !== undefined,
    }
  }
  const { path } = intent
  if (path === undefined) return {}
  if (isEnvironmentFile(path)) return { risk: 'Files like this one often hold keys or passwords.' }
  if (intent.risk === 'read') return {}
  if (/[\\/]\.git[\\/]/.test(path))
    return { never: hardlinePath(path, userHome), risk: 'Files in .git decide what git runs later.' }
  return { never: hardlinePath(path, userHome) }
}

function plainReason({ command, risk, inWorkspace }: Intent): string {
  if (risk === 'network') return 'It may use the network, and can change what you can change.'
  if (command !== undefined) return 'A command can change whatever you can change.'
  if (risk === 'write') return 'It changes a file.'
  return inWorkspace
    ? 'It is not covered by the mode of this chat.'
    : 'It reads outside the folder that this chat works in.'
}
