import type { CallGround } from '../../../shared/contract/runs/call-record.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import type { Access, CommandRights, MayWriteObeyed } from '../../confinement/profile.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import type { CommandPart } from './command-reasons.ts'
import type { OfferedRule } from './folder-rules.ts'
import type { Sends, WebKnown } from './web-known.ts'
import { textBehind, unreadOf } from './why-marked.ts'
import type { ObeyedFile } from './obeyed-by-git.ts'
import { sayObeyed } from '../../../shared/words/obeyed-words.ts'
import type { ObeyedNeed } from './obeyed-by-command.ts'

/** A call as the policy is asked about it. */
export type Question = {
  tool: string
  intent: Intent
  mode: ApprovalMode
  /** Rules that the user allowed for this chat, made by `grantFor`. */
  grants: Iterable<string>
  /** The standing rules of the user. */
  rules?: readonly PermissionRule[]
  /** The texts from outside that the model knows. */
  strangers?: readonly StrangersMark[] | undefined
  /** The command of a background process in the chat's folder, which may run what is written there. */
  running?: string | undefined
  /** What is known of the chat, for a call to the web. */
  web?: WebKnown | undefined
  /** How commands can run here. */
  rights: CommandRights
  /** Talaria's home folder, whose own files no command may name. */
  home?: string
  /** Home folder and platform; default: those of this process. */
  userHome?: string
  platform?: NodeJS.Platform
}

/**
 * `access` says how an allowed command runs; `byUser` that the user allowed this very call in the chat. `obeyed`: what
 * the command in question would write of the files that programs of the person obey. `folderRules`: what the user may allow in the folder from now on; `parts`:
 * what each simple command does.
 */
export type Verdict =
  | { verdict: 'allow'; ground: CallGround; access: Access; byUser?: true }
  | {
      verdict: 'ask'
      reason: string
      mayAllowInChat: boolean
      obeyed: MayWriteObeyed
      obeyedFiles?: readonly ObeyedFile[]
      /** Full access would ask as well. */
      inEveryMode?: true
      /** A rule of the user asks each time. */
      byRule?: true
      /** The texts from outside that it is asked because of, or that may be behind it. */
      texts?: readonly StrangersMark[]
      folderRules?: readonly OfferedRule[]
      parts?: readonly CommandPart[]
      /** What would leave this computer, whole, and what of it is from texts of this chat. */
      sends?: Sends
      /** What “allow in this chat” stores, in place of `grantFor`. */
      grant?: string
    }
  | { verdict: 'deny'; by: 'policy' | 'mode' | 'rule' | 'nobody'; rules?: string[]; reason: string }

/** Deny a call that needs an answer, because nobody is there to give one. */
export const denyUnasked = (reason: string): Verdict => ({
  verdict: 'deny',
  by: 'nobody',
  reason: `It needs permission, and nobody is here to give it. ${reason} ${TO_ALLOW}`,
})
const TO_ALLOW = 'To allow it, run in the window, or start with --approve reads or --approve all.'
const TO_ALLOW_ALWAYS =
  'It asks in every mode, with --approve all too. To allow it, answer in the window or at a terminal.'

/** The same verdict about what no mode lets run unasked. */
export function asksAlways(verdict: Verdict): Verdict {
  if (verdict.verdict === 'ask') return { ...verdict, inEveryMode: true }
  if (verdict.verdict === 'allow') return verdict
  return { ...verdict, reason: verdict.reason.replace(TO_ALLOW, TO_ALLOW_ALWAYS) }
}

/** What is asked because of something else says which text may be behind it. */
export function withTexts(
  reason: string,
  strangers: readonly StrangersMark[] | undefined,
): { reason: string; texts?: readonly StrangersMark[] } {
  const texts = unreadOf(strangers)
  return texts.length > 0 ? { reason: textBehind(reason, texts), texts } : { reason }
}

/** Let a call run without a question. Only commands are confined, and this is none. */
export const allowOwn = (ground: CallGround): Verdict => ({ verdict: 'allow', ground, access: 'unconfined' })
/** Why the policy itself lets a call run. */
export const byPolicy = (how: NonNullable<CallGround['how']>): CallGround => ({ by: 'policy', how })

/** Why a call asks in every mode that would change what programs obey. */
export function heldReason({ command }: Intent, { may, files, why }: ObeyedNeed): string {
  if (command === undefined) return sayObeyed(files[0]?.by ?? 'other programs')
  // The card says which files that are.
  return may === 'git'
    ? `It may change what git obeys without being asked: ${why.join(', and ')}.`
    : `It may change what programs obey without being asked: ${why.join(', and ')}.`
}

/** Why a command that will be confined is asked about; the card says what it can change. */
export const confinedReason = (mode: ApprovalMode): string => (mode === 'ask' ? ASKS_ALL : MAY_CHANGE)
const ASKS_ALL = 'In this chat Talaria asks before every command.'
const MAY_CHANGE = 'It may do more than read.'
const CHANGES_FILE = 'It changes a file.'

/** A reason as a card shows it: empty for one that says no more than the title and the change, or the command, above it. */
export const shownReason = (reason: string): string =>
  [ASKS_ALL, MAY_CHANGE, CHANGES_FILE].includes(reason) ? '' : reason

/** Said where the offline lock cannot hold for a command. */
export const LOOSE = 'The offline lock is on, and Talaria cannot keep this command off the network.'

/** What a call may do, where nothing more is to say of it. */
export function plainReason({ command, risk, inWorkspace, mcp, models }: Intent): string {
  if (mcp) return 'It can do whatever its server can.'
  if (models) return `It sends the question to ${models.away}.`
  if (risk === 'network') return 'It may use the network, and can change what you can change.'
  if (command !== undefined) return 'A command can change whatever you can change.'
  if (risk === 'write') return CHANGES_FILE
  return inWorkspace
    ? 'It is not covered by the mode of this chat.'
    : 'It reads outside the folder that this chat works in.'
}
