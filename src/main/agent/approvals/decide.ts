import { homedir } from 'node:os'
import type { ApprovalMode } from '../../../shared/contract/session.ts'
import { isEnvironmentFile } from '../../tools/credential-paths.ts'
import type { Intent } from '../../tools/tool.ts'
import { hardlineRefusalOf, hardlinePathRefusal, windowsDanger } from '../../shell-safety/hardline.ts'
import { riskOf } from './risks.ts'
import { onlyReads } from '../../shell-safety/safe-commands.ts'
import { parseShell } from '../../shell-safety/parse-shell.ts'
import { dirname } from 'node:path'

export type Question = {
  tool: string
  intent: Intent
  mode: ApprovalMode
  /** Rules that the user allowed for this chat: the `rule` of earlier verdicts. */
  grants: Iterable<string>
  /** Home folder and platform; default: those of this process. */
  userHome?: string
  platform?: NodeJS.Platform
}

/**
 * `rule` is what to remember if the user allows the call for this chat. It is absent when every call must be
 * approved.
 */
export type Verdict =
  | { verdict: 'allow'; because: string }
  | { verdict: 'ask'; reason: string; mayAllowInChat: boolean; rule?: string }
  | { verdict: 'deny'; reason: string }

/**
 * Decide whether a call may run. The order: hard limits that no mode lifts, the mode of the chat, grants of the
 * chat, and otherwise a question. A pure function.
 */
export function decideCall(question: Question): Verdict {
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

/** An undoable change runs without asking, unless the tool demands confirmation. */
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

/**
 * `never`: a hard limit. `risk`: why each call must be approved. `unreadable`: why the hard limits could not be
 * checked.
 */
type Seen = { never?: string | undefined; risk?: string | undefined; reads?: boolean; unreadable?: boolean }

function inspect({ intent, userHome = homedir(), platform = process.platform }: Question): Seen {
  if (intent.command !== undefined) {
    if (platform === 'win32') return { never: windowsDanger(intent.command) }
    const parsed = parseShell(intent.command, intent.folder, userHome)
    return {
      never: hardlineRefusalOf(parsed, userHome),
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
    return { never: hardlinePathRefusal(path, userHome), risk: 'Files in .git decide what git runs later.' }
  return { never: hardlinePathRefusal(path, userHome) }
}

function plainReason({ command, risk, inWorkspace }: Intent): string {
  if (risk === 'network') return 'It may use the network, and can change what you can change.'
  if (command !== undefined) return 'A command can change whatever you can change.'
  if (risk === 'write') return 'It changes a file.'
  return inWorkspace
    ? 'It is not covered by the mode of this chat.'
    : 'It reads outside the folder that this chat works in.'
}

/**
 * The rule that “allow in this chat” stores, readable by the user: the exact command in its folder, changes to
 * one file, or reading in one folder and below.
 */
function grantFor(tool: string, intent: Intent): string | undefined {
  // JSON quotes keep the folder apart from the command, even if its name contains a colon.
  if (intent.command !== undefined) return `${tool} in ${JSON.stringify(intent.folder)}: ${intent.command}`
  if (intent.path === undefined) return undefined
  if (intent.risk === 'write') return `change ${JSON.stringify(intent.path)}`
  return `read in ${JSON.stringify(intent.folder)}`
}

/** Whether a grant of the chat covers this call. */
function isGranted(tool: string, intent: Intent, grants: Iterable<string>): boolean {
  const granted = new Set(grants)
  const wanted = grantFor(tool, intent)
  if (wanted === undefined) return false
  if (granted.has(wanted)) return true
  if (intent.command !== undefined || intent.risk !== 'read') return false
  for (let folder = intent.folder; folder !== dirname(folder); folder = dirname(folder)) {
    if (granted.has(`read in ${JSON.stringify(folder)}`)) return true
  }
  return false
}
