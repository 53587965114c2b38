import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { ApprovalMode } from '../../../shared/contract/session.ts'
import { isEnvironmentFile } from '../../tools/credential-paths.ts'
import type { AccessChoice } from '../../../shared/contract/run.ts'
import type { Access, CommandRights } from '../../confinement/profile.ts'
import type { Intent } from '../../tools/tool.ts'
import { hardlineRefusalOf, hardlinePathRefusal, windowsDanger } from '../../shell-safety/hardline.ts'
import { riskOf, writesGitConfig } from './risks.ts'
import { onlyReads, onlyReadsPlainly } from '../../shell-safety/safe-commands.ts'
import { parseShell } from '../../shell-safety/parse-shell.ts'

type Question = {
  tool: string
  intent: Intent
  mode: ApprovalMode
  /** Rules that the user allowed for this chat, made by `grantFor`. */
  grants: Iterable<string>
  /** How commands can run here. */
  rights: CommandRights
  /** Home folder and platform; default: those of this process. */
  userHome?: string
  platform?: NodeJS.Platform
}

/** `access` says how an allowed command runs; `gitConfig` that the one in question writes settings of git. */
export type Verdict =
  | { verdict: 'allow'; because: string; access: Access }
  | { verdict: 'ask'; reason: string; mayAllowInChat: boolean; gitConfig: boolean }
  | { verdict: 'deny'; reason: string }

/**
 * Decide whether a call may run. The order: hard limits that no mode lifts, the mode of the chat, grants of the
 * chat, and otherwise a question. A pure function.
 */
export function decideCall(question: Question): Verdict {
  const { tool, intent, mode, grants, rights } = question
  if (mode === 'chat_only')
    return { verdict: 'deny', reason: 'This chat is set to chat only, so no tool may run in it.' }
  const seen = inspect(question)
  if (seen.never !== undefined)
    return { verdict: 'deny', reason: `This never runs, in any mode. ${seen.never}` }
  if (intent.undoable) return ofUndoable(intent, mode)
  const isCommand = intent.command !== undefined
  /** Without confinement a command may reach the network, whatever the lock says. */
  const isLoose = isCommand && rights.offline && !rights.confined
  const gitConfig = seen.writesGit ?? false
  if (mode === 'full' && !seen.unreadable && !isLoose) {
    const access = accessOf(rights.confined ? 'network' : 'unconfined', gitConfig, rights)
    return { verdict: 'allow', because: 'full access is on in this chat', access }
  }
  if (
    intent.risk === 'read' &&
    intent.command === undefined &&
    intent.inWorkspace &&
    seen.risk === undefined
  ) {
    return { verdict: 'allow', because: 'reading in the workspace', access: 'unconfined' }
  }
  if (mode === 'reads' && intent.inWorkspace && seen.risk === undefined) {
    const because = 'a command that only reads'
    if (seen.reads && rights.confined) return { verdict: 'allow', because, access: { profile: 'look' } }
    if (seen.readsPlainly && !isLoose) return { verdict: 'allow', because, access: 'unconfined' }
  }
  const granted = seen.risk === undefined ? findGrant(tool, intent, grants, rights) : undefined
  if (granted !== undefined && !(isLoose && granted === 'unconfined'))
    return {
      verdict: 'allow',
      because: 'allowed by you for this chat',
      access: accessOf(granted, gitConfig, rights),
    }
  const reason = seen.risk ?? (isLoose ? LOOSE : plainReason(intent))
  if (mode === 'none') {
    return {
      verdict: 'deny',
      reason: `It needs permission, and nobody is here to give it. ${reason} To allow it, run in the window, or start with --approve reads or --approve all.`,
    }
  }
  const mayAllowInChat = seen.risk === undefined && !isLoose && grantFor(tool, intent) !== undefined
  const isPlain = isCommand && rights.confined && seen.risk === undefined
  return { verdict: 'ask', reason: isPlain ? confinedReason(mode) : reason, mayAllowInChat, gitConfig }
}

/** Why a command that will be confined is asked about; the card says what it can change. */
const confinedReason = (mode: ApprovalMode): string =>
  mode === 'ask' ? 'In this chat Talaria asks before every command.' : 'It may do more than read.'

const LOOSE = 'The offline lock is on, and Talaria cannot keep this command off the network.'

/** How a command runs that was allowed in one of the ways that the user may choose. */
export function accessOf(
  choice: AccessChoice,
  gitConfig: boolean,
  { confined, offline }: CommandRights,
): Access {
  if (choice === 'unconfined' || !confined) return 'unconfined'
  return { profile: 'work', network: choice === 'network' && !offline, gitConfig }
}

/** An undoable change runs without asking, unless the tool demands confirmation. */
function ofUndoable({ confirm }: Intent, mode: ApprovalMode): Verdict {
  if (confirm === undefined) return allowOwn('it only changes what Talaria keeps, and can be undone')
  if (confirm.when === 'here' && mode === 'full') return allowOwn('full access is on in this chat')
  if (mode !== 'none')
    return { verdict: 'ask', reason: confirm.reason, mayAllowInChat: false, gitConfig: false }
  return confirm.when === 'here'
    ? allowOwn('nobody is here to ask, and it can be undone')
    : { verdict: 'deny', reason: `It needs permission, and nobody is here to give it. ${confirm.reason}` }
}

/** For calls that run no command. */
const allowOwn = (because: string): Verdict => ({ verdict: 'allow', because, access: 'unconfined' })

/**
 * `never`: a hard limit. `risk`: why each call must be approved. `unreadable`: why the hard limits could not be
 * checked.
 */
type Seen = {
  never?: string | undefined
  risk?: string | undefined
  /** It only reads, for all that its text says; `readsPlainly` if nothing in it could mean anything else. */
  reads?: boolean
  readsPlainly?: boolean
  writesGit?: boolean
  unreadable?: boolean
}

function inspect({ intent, userHome = homedir(), platform = process.platform }: Question): Seen {
  if (intent.command !== undefined) {
    if (platform === 'win32') return { never: windowsDanger(intent.command) }
    const parsed = parseShell(intent.command, intent.folder, userHome)
    return {
      never: hardlineRefusalOf(parsed, userHome),
      risk: riskOf(parsed),
      reads: onlyReads(parsed),
      readsPlainly: onlyReadsPlainly(intent.command, parsed),
      writesGit: writesGitConfig(parsed),
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
export function grantFor(
  tool: string,
  intent: Intent,
  choice: AccessChoice = 'confined',
): string | undefined {
  // JSON quotes keep the folder apart from the command, even if its name contains a colon.
  if (intent.command !== undefined)
    return `${tool}${HOW[choice]} in ${JSON.stringify(intent.folder)}: ${intent.command}`
  if (intent.path === undefined) return undefined
  if (intent.risk === 'write') return `change ${JSON.stringify(intent.path)}`
  return `read in ${JSON.stringify(intent.folder)}`
}

const HOW: Record<AccessChoice, string> = {
  confined: '',
  network: ' with network',
  unconfined: ' without confinement',
}

/** The way in which a grant of the chat allows this call: the widest, if there are several. */
function findGrant(
  tool: string,
  intent: Intent,
  grants: Iterable<string>,
  { confined }: CommandRights,
): AccessChoice | undefined {
  const granted = new Set(grants)
  if (intent.command !== undefined) {
    const choices: AccessChoice[] = confined ? ['unconfined', 'network', 'confined'] : ['unconfined']
    return choices.find(choice => granted.has(grantFor(tool, intent, choice) ?? ''))
  }
  const wanted = grantFor(tool, intent)
  if (wanted === undefined) return undefined
  if (granted.has(wanted)) return 'unconfined'
  if (intent.risk !== 'read') return undefined
  for (let folder = intent.folder; folder !== dirname(folder); folder = dirname(folder)) {
    if (granted.has(`read in ${JSON.stringify(folder)}`)) return 'unconfined'
  }
  return undefined
}
