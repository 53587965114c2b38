import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { ApprovalMode } from '../../../shared/contract/session.ts'
import { isEnvironmentFile, isCredential } from '../../tools/credential-paths.ts'
import type { Intent } from '../../tools/tool.ts'
import { hardlineRefusalOf, hardlinePathRefusal, windowsDanger } from '../../shell-safety/hardline.ts'
import { onlyReads } from '../../shell-safety/safe-commands.ts'
import { parseShell } from '../../shell-safety/parse-shell.ts'
import type { Invocation, ParsedShell } from '../../shell-safety/shell-types.ts'
import { readsScript, SHELLS } from '../../shell-safety/unwrap-command.ts'

type Question = {
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

const FETCHERS = new Set([
  'curl',
  'wget',
  'fetch',
  'http',
  'https',
  'aria2c',
  'nc',
  'ncat',
  'netcat',
  'ftp',
  'scp',
  'sftp',
])
const INTERPRETERS = /^(python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*)$/
const ELEVATES = new Set(['sudo', 'doas', 'pkexec', 'run0'])

/** Why every run of this command needs approval; undefined when one approval may cover the chat. */
export function riskOf(parsed: ParsedShell): string | undefined {
  if (parsed.unparsed !== undefined) return `It cannot be checked: ${parsed.unparsed}.`
  for (const command of parsed.commands) {
    const risk = elevation(command) ?? download(command) ?? credential(command)
    if (risk !== undefined) return risk
  }
  return undefined
}

function elevation({ name, wrappers }: Invocation): string | undefined {
  const elevated =
    wrappers.some(wrapper => ELEVATES.has(wrapper)) || /^(sudo|su|doas|pkexec|run0|runuser)$/.test(name)
  return elevated ? 'It runs with administrator rights.' : undefined
}

/** Code from the network, or code generated while the command runs, cannot be checked in advance. */
function download(command: Invocation): string | undefined {
  const { name, args, before, redirects, program } = command
  const runsCode =
    SHELLS.has(name) || name === 'eval' || name === 'source' || name === '.' || INTERPRETERS.test(name)
  const sources = [
    ...(runsCode ? [...args, ...redirects.map(redirect => redirect.target)] : []),
    ...(program ? [program] : []),
  ].flatMap(word => word.runs)
  if (sources.some(source => FETCHERS.has(source))) return 'It runs a script straight from the network.'
  const reads = readsScript(command) || (INTERPRETERS.test(name) && args.every(word => word.text === '-'))
  if (reads && before.length > 0 && command.input === undefined) {
    const fetched = before.some(each => FETCHERS.has(each.name))
    return fetched
      ? 'It runs a script straight from the network.'
      : 'It runs whatever another command prints.'
  }
  const socket = redirects.some(({ target }) => /^\/dev\/(tcp|udp)\//.test(target.text))
  return socket ? 'It opens a connection of its own to another computer.' : undefined
}

function credential({ args, redirects }: Invocation): string | undefined {
  for (const { text } of [...args, ...redirects.map(redirect => redirect.target)]) {
    // Flag values and `name=value` arguments can name files too.
    const path = text.replace(/^--?[\w-]+=|^[\w-]+=@?|^@/, '')
    if (path.length < 1_000 && (isCredential(path) || isEnvironmentFile(path))) {
      return `It names a file that may hold keys or passwords: ${path}.`
    }
  }
  return undefined
}
