import { homedir } from 'node:os'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import { mayHoldKeys } from '../../files/paths/credential-paths.ts'
import type { PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import type { AccessChoice } from '../../../shared/contract/runs/run.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { ruleName } from '../../../shared/words/permission-words.ts'
import { obeyedByName } from '../../confinement/obeyed/obeyed-names.ts'
import { isWithin, type Access, type CommandRights, type MayWriteObeyed } from '../../confinement/profile.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { floorRefusalOf, floorPathRefusal, windowsDanger } from '../../shell-safety/floor/refuse-command.ts'
import {
  confinedReason,
  heldReason,
  LOOSE,
  plainReason,
  allowOwn,
  asksAlways,
  byPolicy,
  denyUnasked,
  withTexts,
  type Question,
  type Verdict,
} from './verdict.ts'
import { describeParts } from './command-reasons.ts'
import { offeredForObeyed, offeredRules } from './folder-rules.ts'
import { findGrant, grantFor } from './grants.ts'
import { isOfTheirSource, marksFor, textBehind, unreadFirst, unreadOf, whyMarked } from './why-marked.ts'
import { whyNotUnasked } from './opened-paths.ts'
import { NO_NEED, obeyedByCommands, type ObeyedNeed } from './obeyed-by-command.ts'
import { riskOf } from './risks.ts'
import { findAllowRules, findStoppingRule, mayChangeObeyed } from './standing-rules.ts'
import { decideWeb } from './web-calls.ts'
import { compoundReads } from '../../shell-safety/compound/compound-reads.ts'
import { onlyReadsConfined } from '../../shell-safety/reads/confined-reads.ts'
import {
  ownFileRefusal,
  ownTerminalRefusal,
  windowsOwnTerminal,
} from '../../shell-safety/floor/own-terminal.ts'
import { onlyReadsPlainly } from '../../shell-safety/reads/safe-commands.ts'
import { parseShell } from '../../shell-safety/parse/parse-shell.ts'
import type { ParsedShell } from '../../shell-safety/shell-types.ts'

export type { Verdict } from './verdict.ts'

/**
 * Decide whether a call may run. The order: hard limits that no mode lifts, the user's *never* and *ask*
 * rules, texts of strangers, the mode of the chat, *allow* rules, grants of the chat, and otherwise a
 * question. Changes nothing; accesses the disk only for what a reading command names.
 */
export function decideCall(question: Question): Verdict {
  const verdict = decide(question)
  if (question.mode === 'full') return verdict.verdict === 'ask' ? asksAlways(verdict) : verdict
  // If a call asks even with full access, its reason must not suggest full access as a way to allow it.
  const isNobody = verdict.verdict === 'deny' && question.mode === 'none'
  if (verdict.verdict !== 'ask' && !isNobody) return verdict
  return decide({ ...question, mode: 'full' }).verdict === 'allow' ? verdict : asksAlways(verdict)
}

function decide(question: Question): Verdict {
  const { tool, intent, mode, grants, rights, strangers, running, rules = [] } = question
  if (mode === 'chat_only')
    return { verdict: 'deny', by: 'mode', reason: 'This chat is set to chat only, so no tool may run in it.' }
  if (intent.background === 'manage')
    return { verdict: 'allow', ground: byPolicy('own_process'), access: 'unconfined' }
  const looked = inspect(question)
  const isLifted = mayChangeObeyed(rules, intent)
  const seen = isLifted && looked.isGitFile ? { ...looked, risk: undefined } : looked
  if (seen.never !== undefined)
    return { verdict: 'deny', by: 'policy', reason: `This never runs, in any mode. ${seen.never}` }
  if (intent.command !== undefined && rights.refusal !== undefined)
    return { verdict: 'deny', by: 'policy', reason: rights.refusal }
  const { need = NO_NEED } = seen
  /** The call would change obeyed files, and no rule of the user allows that unasked. */
  const isHeld = need.may !== 'nothing' && !isLifted
  const obeyed = isLifted && intent.command !== undefined ? 'all' : need.may
  const obeyedFiles = need.files
  const parts = seen.parsed ? describeParts(seen.parsed, intent) : []
  const stop =
    findStoppingRule(rules, { tool, intent, parsed: seen.parsed, obeyed: need.may }) ??
    (intent.mcp && findStoppingRule(rules, { tool: intent.mcp.name, intent, parsed: undefined }))
  if (stop?.effect === 'never')
    return {
      verdict: 'deny',
      by: 'rule',
      rules: [ruleName(stop.rule)],
      reason: `A rule of the user forbids it: ${ruleName(stop.rule)}.`,
    }
  if (intent.question) return ofQuestion(mode, strangers)
  if (intent.mustAsk !== undefined) return ofMust(intent.mustAsk, mode, strangers)
  if (stop) {
    const reason = stop.isUnsure
      ? `Not all of it is known in advance, and it may be what your rule ${ruleName(stop.rule)} is about.`
      : `Your rule ${ruleName(stop.rule)} asks each time.`
    return mode === 'none'
      ? denyUnasked(reason)
      : {
          verdict: 'ask',
          ...withTexts(reason, strangers),
          byRule: true,
          mayAllowInChat: false,
          obeyed,
          obeyedFiles,
          parts,
        }
  }
  if (intent.web) return decideWeb(question, intent.web)
  const marks = marksFor(intent, strangers)
  const isOwnSource = isOfTheirSource(marks, intent)
  const maySend =
    isOwnSource &&
    (intent.mcp?.unasked ||
      (intent.models && mode === 'full') ||
      findGrant(tool, intent, grants, rights, need.may) !== undefined)
  const doubt = marks.length > 0 && !maySend ? whyMarked(marks, intent, { ...seen, running }) : undefined
  if (doubt !== undefined)
    return mode === 'none'
      ? denyUnasked(doubt)
      : {
          verdict: 'ask',
          reason: doubt,
          mayAllowInChat: isOwnSource,
          obeyed,
          obeyedFiles,
          parts,
          // Include descriptions, or they would cause the next question once the other texts are read.
          texts: unreadFirst(strangers),
        }
  if (intent.undoable) return ofUndoable(intent, mode)
  const isCommand = intent.command !== undefined
  /** A text may have asked for the command, so it runs in *Look* if commands can be confined. */
  const access = (choice: AccessChoice): Access =>
    marks.length > 0 && rights.confined ? { profile: 'look' } : accessOf(choice, obeyed, rights)
  /** Without confinement a command may use the network despite the lock. */
  const isLoose = isCommand && rights.offline && !rights.confined
  if (mode === 'full' && !seen.unreadable && !isLoose && !seen.isWholeHome && !isHeld)
    return {
      verdict: 'allow',
      ground: { by: 'mode' },
      access: isCommand ? access('network') : accessOf('network', obeyed, rights),
    }
  const ruled = findAllowRules(rules, { tool, intent, parsed: seen.parsed })
  const unhelpful = ruled && whyUnhelpful(ruled, seen, question, isHeld)
  if (ruled && unhelpful === undefined) {
    const withNetwork = ruled.every(rule => rule.network)
    return {
      verdict: 'allow',
      ground: { by: 'rule', rules: ruled.map(ruleName) },
      access: isCommand ? access(withNetwork ? 'network' : 'confined') : 'unconfined',
    }
  }
  if (
    intent.risk === 'read' &&
    intent.command === undefined &&
    intent.inWorkspace &&
    seen.risk === undefined
  ) {
    // A read without a path reads Talaria's own data, such as chats, skills and plans.
    const how = intent.delegates ? 'delegates' : intent.path === undefined ? 'reads_own' : 'reads_folder'
    return { verdict: 'allow', ground: byPolicy(how), access: 'unconfined' }
  }
  if (mode === 'reads' && intent.inWorkspace && seen.risk === undefined && !intent.background) {
    if (seen.reads && rights.confined) {
      const isKnown = seen.parsed && kindOfRead(intent, seen.parsed, { confined: false }) === 'plain'
      const ground = byPolicy(isKnown ? 'only_reads' : 'confined_read')
      return { verdict: 'allow', ground, access: { profile: 'look' } }
    }
    if (seen.readsPlainly && !isLoose) return allowOwn(byPolicy('only_reads'))
  }
  if (intent.mcp?.unasked) return allowOwn(byPolicy('trusted_tool'))
  const granted =
    seen.risk === undefined
      ? findGrant(tool, intent, grants, rights, isLifted ? 'nothing' : need.may)
      : undefined
  if (granted !== undefined && !(isCommand && rights.offline && granted === 'unconfined'))
    return {
      verdict: 'allow',
      ground: { by: 'grant' },
      access: isCommand ? access(granted) : accessOf(granted, obeyed, rights),
      byUser: true,
    }
  const plain = isHeld ? heldReason(intent, need) : plainReason(intent)
  // The program that obeys a file is named in addition to any other reason.
  const risk = isHeld && !isCommand && seen.risk !== undefined ? `${plain} ${seen.risk}` : seen.risk
  const reason = risk ?? (isLoose ? LOOSE : plain)
  if (mode === 'none') return denyUnasked(reason)
  const isPlain = isCommand && (rights.confined || parts.length > 0) && seen.risk === undefined && !isLoose
  const said = isPlain && !(isHeld && mode === 'full') ? confinedReason(mode) : reason
  const mayAllow = seen.risk === undefined && !isLoose
  const offered = offeredRules(tool, intent, seen.parsed)
  const whole = unhelpful === undefined ? said : `${said} ${unhelpful}`
  return {
    verdict: 'ask',
    ...(isHeld ? withTexts(whole, strangers) : { reason: whole }),
    mayAllowInChat: mayAllow && grantFor(tool, intent) !== undefined,
    obeyed,
    obeyedFiles,
    parts,
    folderRules: [
      // With full access the call itself needs no rule.
      ...(mayAllow && !ruled && mode !== 'full' ? offered : []),
      ...(isHeld && mayAllow && (mode === 'full' || ruled || offered.length > 0)
        ? [offeredForObeyed(intent)]
        : []),
    ],
  }
}

/** Why rules that name a call do not allow it, for the user; undefined if they do. */
function whyUnhelpful(
  rules: readonly PermissionRule[],
  { risk }: Seen,
  { intent, rights }: Question,
  isHeld: boolean,
): string | undefined {
  const names = rules.map(ruleName).join(' and ')
  if (risk !== undefined) return `Your rule ${names} does not cover that.`
  if (isHeld) return `Your rule ${names} does not cover files that programs obey.`
  if (intent.command === undefined || rights.confined) return undefined
  if (!rules.every(rule => rule.unconfined))
    return `Your rule ${names} holds only where commands are confined.`
  return rights.offline ? `Your rule ${names} does not lift the offline lock.` : undefined
}

const WHOLE_HOME = 'This chat works in your whole home folder, so Talaria asks before every command.'

/** How an allowed command runs, given the user's choice. */
export function accessOf(
  choice: AccessChoice,
  obeyed: MayWriteObeyed,
  { confined, offline }: CommandRights,
): Access {
  if (choice === 'unconfined' || !confined) return 'unconfined'
  return { profile: 'work', network: choice === 'network' && !offline, obeyed }
}

/** An undoable change runs without a question, unless the tool demands confirmation. */
function ofUndoable({ confirm }: Intent, mode: ApprovalMode): Verdict {
  if (confirm === undefined) return allowOwn(byPolicy('undoable'))
  if (mode === 'full') return allowOwn({ by: 'mode' })
  return mode === 'none'
    ? {
        verdict: 'deny',
        by: 'nobody',
        reason: `It needs permission, and nobody is here to give it. ${confirm.reason}`,
      }
    : { verdict: 'ask', reason: confirm.reason, mayAllowInChat: false, obeyed: 'nothing' }
}

/**
 * The verdict on a question to the user, which needs somebody who can answer. An outside text may be behind
 * the question, so the card says so.
 */
function ofQuestion(mode: ApprovalMode, strangers: readonly StrangersMark[] | undefined): Verdict {
  if (mode === 'none') return { verdict: 'deny', by: 'nobody', reason: NOBODY_TO_ASK }
  const texts = unreadOf(strangers)
  const reason = texts.length > 0 ? `${textBehind('', texts).trim()} Give no keys or passwords.` : ''
  return { verdict: 'ask', reason, mayAllowInChat: false, obeyed: 'nothing', texts }
}

/** The verdict on a call that no mode and no rule allows unasked. */
function ofMust(
  mustAsk: string,
  mode: ApprovalMode,
  strangers: readonly StrangersMark[] | undefined,
): Verdict {
  if (mode === 'none') return denyUnasked(mustAsk)
  return { verdict: 'ask', ...withTexts(mustAsk, strangers), mayAllowInChat: false, obeyed: 'nothing' }
}

const NOBODY_TO_ASK =
  'Nobody is here to answer questions. Decide as well as you can, and say in your answer what you assumed.'

/** `never`: a hard limit. `risk`: why approval is needed. `unreadable`: hard limits cannot be checked. */
type Seen = {
  never?: string | undefined
  risk?: string | undefined
  /** The command is meant to only read. `readsPlainly`: it can do nothing else, even without confinement. */
  reads?: boolean
  readsPlainly?: boolean
  /** Which obeyed files the call may write. */
  need?: ObeyedNeed
  /** A tool, not a command, would write a file in a `.git` folder. */
  isGitFile?: boolean
  unreadable?: boolean
  /** The chat works in the whole home folder or the whole disk, so every command asks in every mode. */
  isWholeHome?: boolean
  /** The parsed command; undefined for other calls, and if nothing can parse commands. */
  parsed?: ParsedShell
}

function inspect({
  intent,
  mode,
  strangers,
  rights,
  home,
  userHome = homedir(),
  platform = process.platform,
}: Question): Seen {
  if (intent.command !== undefined) {
    if (platform === 'win32')
      return { never: windowsDanger(intent.command) ?? windowsOwnTerminal(intent.command) }
    const parsed = parseShell(intent.command, intent.folder, userHome)
    const reads =
      mode === 'reads' || strangers?.length
        ? kindOfRead(intent, parsed, rights, !strangers?.length)
        : undefined
    const isWholeHome = intent.workspace !== undefined && isWithin(intent.workspace, userHome)
    return {
      parsed,
      never:
        floorRefusalOf(parsed, userHome, intent.workspace) ??
        ownTerminalRefusal(parsed) ??
        ownFileRefusal(parsed, home),
      risk: riskOf(parsed) ?? (isWholeHome ? WHOLE_HOME : undefined),
      isWholeHome,
      reads: reads === 'confined',
      readsPlainly: reads === 'plain',
      need: obeyedByCommands(parsed, intent.workspace ?? intent.folder),
      unreadable: parsed.unparsed !== undefined,
    }
  }
  return intent.path === undefined ? {} : inspectFile(intent.path, intent, userHome)
}

/** Like `inspect`, for a call that opens one file. */
function inspectFile(path: string, { risk, obeyed }: Intent, userHome: string): Seen {
  const keys = mayHoldKeys(path) ? 'Files like this one often hold keys or passwords.' : undefined
  if (risk === 'read') return { risk: keys }
  const [inGit] = /(?<=[\\/])\.git[\\/].*/i.exec(path) ?? []
  const by = inGit === undefined ? obeyed : obeyedByName(inGit.replaceAll('\\', '/'))
  return {
    never: floorPathRefusal(path, userHome),
    risk: keys ?? (inGit === undefined ? undefined : 'Files in .git decide what git runs later.'),
    ...(by?.tier === 1 && {
      need: { may: 'all', files: [{ path, by: by.by }], why: [] },
      isGitFile: inGit !== undefined,
    }),
  }
}

/** How a reading command may run unasked, judged by its words and the files they name on disk. */
function kindOfRead(
  { command = '', folder, workspace = folder }: Intent,
  parsed: ParsedShell,
  { confined }: Pick<CommandRights, 'confined'>,
  mayBeCompound = true,
): 'confined' | 'plain' | undefined {
  if (confined)
    return onlyReadsConfined(command, parsed) && whyNotUnasked(parsed.commands, workspace, true) === undefined
      ? 'confined'
      : undefined
  const reads = onlyReadsPlainly(command, parsed)
    ? { commands: parsed.commands, checks: [] }
    : mayBeCompound
      ? compoundReads(command, parsed, folder)
      : undefined
  return reads && whyNotUnasked(reads.commands, workspace, false, reads.checks) === undefined
    ? 'plain'
    : undefined
}
