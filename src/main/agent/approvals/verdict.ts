import type { CallGround } from '../../../shared/contract/call-record.ts'
import type { StrangersMark } from '../../../shared/contract/messages.ts'
import type { PermissionRule } from '../../../shared/contract/permissions.ts'
import type { ApprovalMode } from '../../../shared/contract/session.ts'
import type { Access, CommandRights, MayWriteObeyed } from '../../confinement/profile.ts'
import type { Intent } from '../../tools/tool.ts'
import type { CommandPart } from './command-reasons.ts'
import type { OfferedRule } from './folder-rules.ts'
import type { Sends, WebKnown } from './web-known.ts'
import { textBehind, unreadOf } from './marked-calls.ts'
import type { ObeyedFile } from './obeyed-by-git.ts'

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
