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

/** A call, as it is put to the policy. */
export type Question = {
  tool: string
  intent: Intent
  mode: ApprovalMode
  /** The user's grants for this chat, made by `grantFor`. */
  grants: Iterable<string>
  /** The user's standing rules. */
  rules?: readonly PermissionRule[]
  /** The marks of outside texts in the model's context. */
  strangers?: readonly StrangersMark[] | undefined
  /** The command of a background process in the chat's folder, which may run files written there. */
  running?: string | undefined
  /** The facts about the chat that decide on web calls. */
  web?: WebKnown | undefined
  /** How commands can run here. */
  rights: CommandRights
  /** Talaria's home folder. No command may name its files. */
  home?: string
  /** Home folder and platform; by default those of this process. */
  userHome?: string
  platform?: NodeJS.Platform
}

/**
 * `access`: how an allowed command runs. `byUser`: the user allowed this very call in the chat. `obeyed`:
 * which obeyed files the command would write. `folderRules`: what the user may allow in the folder from now
 * on. `parts`: what each simple command does.
 */
export type Verdict =
  | { verdict: 'allow'; ground: CallGround; access: Access; byUser?: true }
  | {
      verdict: 'ask'
      reason: string
      mayAllowInChat: boolean
      obeyed: MayWriteObeyed
      obeyedFiles?: readonly ObeyedFile[]
      /** The call asks even with full access. */
      inEveryMode?: true
      /** A rule of the user asks each time. */
      byRule?: true
      /** The outside texts that cause the question or may be behind the call. */
      texts?: readonly StrangersMark[]
      folderRules?: readonly OfferedRule[]
      parts?: readonly CommandPart[]
      /** The whole content that would leave this computer, and its parts that come from texts of the chat. */
      sends?: Sends
      /** The grant that “allow in this chat” stores, in place of the result of `grantFor`. */
      grant?: string
    }
  | { verdict: 'deny'; by: 'policy' | 'mode' | 'rule' | 'nobody'; rules?: string[]; reason: string }

/** Deny a call that needs approval, because no user is there to approve it. */
export const denyUnasked = (reason: string): Verdict => ({
  verdict: 'deny',
  by: 'nobody',
  reason: `It needs permission, and nobody is here to give it. ${reason} ${TO_ALLOW}`,
})
const TO_ALLOW = 'To allow it, run in the window, or start with --approve reads or --approve all.'
const TO_ALLOW_ALWAYS =
  'It asks in every mode, with --approve all too. To allow it, answer in the window or at a terminal.'

/** Turn a verdict into one that no mode bypasses. */
export function asksAlways(verdict: Verdict): Verdict {
  if (verdict.verdict === 'ask') return { ...verdict, inEveryMode: true }
  if (verdict.verdict === 'allow') return verdict
  return { ...verdict, reason: verdict.reason.replace(TO_ALLOW, TO_ALLOW_ALWAYS) }
}

/** Add the outside texts that may be behind a call to a question asked for another reason. */
export function withTexts(
  reason: string,
  strangers: readonly StrangersMark[] | undefined,
): { reason: string; texts?: readonly StrangersMark[] } {
  const texts = unreadOf(strangers)
  return texts.length > 0 ? { reason: textBehind(reason, texts), texts } : { reason }
}

/** Allow a call without a question. Only commands are confined, and this call is not a command. */
export const allowOwn = (ground: CallGround): Verdict => ({ verdict: 'allow', ground, access: 'unconfined' })
/** The ground of a call that the policy itself allows. */
export const byPolicy = (how: NonNullable<CallGround['how']>): CallGround => ({ by: 'policy', how })

/** Why a call that would change obeyed files asks in every mode. */
export function heldReason({ command }: Intent, { may, files, why }: ObeyedNeed): string {
  if (command === undefined) return sayObeyed(files[0]?.by ?? 'other programs')
  // The card lists the files.
  return may === 'git'
    ? `It may change what git obeys without being asked: ${why.join(', and ')}.`
    : `It may change what programs obey without being asked: ${why.join(', and ')}.`
}

/** Why a confined command asks. The card says what the command can change. */
export const confinedReason = (mode: ApprovalMode): string => (mode === 'ask' ? ASKS_ALL : MAY_CHANGE)
const ASKS_ALL = 'In this chat Talaria asks before every command.'
const MAY_CHANGE = 'It may do more than read.'
const CHANGES_FILE = 'It changes a file.'

/** A reason as a card shows it: empty if it adds nothing to the title, the change or the command above it. */
export const shownReason = (reason: string): string =>
  [ASKS_ALL, MAY_CHANGE, CHANGES_FILE].includes(reason) ? '' : reason

/** The reason if the offline lock cannot be enforced for a command. */
export const LOOSE = 'The offline lock is on, and Talaria cannot keep this command off the network.'

/** The default reason: what a call may do. */
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
