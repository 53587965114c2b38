import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'
import { ApprovalMode } from '../chats/session.ts'

/**
 * The effect of a standing rule. `never` takes precedence over `ask`, and `ask` over `allow`, in every mode.
 */
export const RuleEffect = z.enum(['never', 'ask', 'allow'])
export type RuleEffect = z.infer<typeof RuleEffect>

const MAX_PATH = 4_096

/**
 * The `tool` of rules about files that programs obey without being asked, such as `.vscode` and git hooks. An
 * *allow* rule does not allow a call: it lets calls that run without asking anyway change these files in a
 * folder. The other effects apply to all calls that would change them.
 */
export const OBEYED_FILES = 'obeyed'

/** The host of a page, with its port if it has one. */
const Site = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[^\s/@?#\\]{1,260}$/)

/**
 * A standing rule of the user: what may run without a question, what always asks, and what never runs. Only
 * the user adds rules: on an approval card, in the settings or in a terminal.
 */
export const PermissionRule = z.object({
  id: z.string().min(1).max(100),
  effect: RuleEffect,
  /**
   * The name of a tool; `read`: every tool that reads files, `write`: every tool that changes them, `obeyed`:
   * see above, `*`: every tool.
   */
  tool: z.string().min(1).max(100),
  /** The words of one simple command, for the tool `terminal`. Absent: every call of the tool. */
  command: z.array(z.string().min(1).max(1_000)).min(1).max(40).optional(),
  /** Whether an `allow` rule also applies with more words that are not flags. The other effects always do. */
  more: z.boolean(),
  /** Absolute path: the rule applies in this folder and below. Null: everywhere. */
  folder: z.string().min(1).max(MAX_PATH).nullable(),
  /** The host of a site: the rule applies to its pages. Only for rules about reading the web. */
  site: Site.optional(),
  /** Whether an allowed command may use the network. */
  network: z.boolean(),
  /** Whether an allowed command also runs where nothing confines commands. */
  unconfined: z.boolean(),
  /** Where and when the user added the rule. */
  by: z.enum(['card', 'settings', 'terminal']),
  at: z.number(),
})
export type PermissionRule = z.infer<typeof PermissionRule>

/** A rule in a list, with the hash of the whole rule. */
const ShownRule = PermissionRule.extend({ seen: Seen })
export type ShownRule = z.infer<typeof ShownRule>

/** What would happen to a command: the decision, the reason and how it would run. */
const TestedCommand = z.object({
  decision: z.enum(['run', 'ask', 'refuse']),
  reason: z.string(),
  access: z.enum(['look', 'work', 'network', 'unconfined']).nullable(),
  /** Which files that programs obey the command may change, as a sentence. */
  mayObey: z.string().nullable(),
  /** The simple commands, with what each does. */
  parts: z.array(z.object({ command: z.string(), reasons: z.array(z.string()) })),
})
export type TestedCommand = z.infer<typeof TestedCommand>

/** How a tested command would run, as text for the window and the terminal. */
export const accessTexts: Record<NonNullable<TestedCommand['access']>, string> = {
  look: 'Confined: it can only read the folder.',
  work: 'Confined: it can write only to the folder, without network.',
  network: 'Confined: it can write only to the folder, with network.',
  unconfined: 'Not confined.',
}

/** Standing rules. Changes publish the event `permissions`. */
export const permissions = {
  /** `problem` says why the file of rules cannot be used in full; its *allow* rules are then ignored. */
  'permissions.list': call(
    z.object({}),
    z.object({ rules: z.array(ShownRule), file: z.string(), problem: z.string().nullable() }),
  ),
  'permissions.add': call(
    z.object({
      effect: RuleEffect,
      tool: z.string().trim().min(1).max(100).default('terminal'),
      /**
       * One simple command, as typed in a shell. A last word `*` matches further words that are not flags.
       */
      command: z.string().max(40_000).optional(),
      folder: z.string().max(MAX_PATH).optional(),
      /** For the tool `web_read`: the site that the rule is about. */
      site: Site.optional(),
      network: z.boolean().default(false),
      unconfined: z.boolean().default(false),
      by: z.enum(['settings', 'terminal']).default('settings'),
    }),
    PermissionRule,
  ),
  /**
   * Remove a rule and return it. Throws `conflict` if the rule differs from what was shown, because the file
   * can be edited at any time, and removing another *never* rule would let more calls run.
   */
  'permissions.remove': call(z.object({ id: z.string().min(1).max(100), seen: Seen }), PermissionRule),
  /** Add a removed rule again, unless it already exists. */
  'permissions.restore': call(z.object({ rule: PermissionRule }), PermissionRule),
  /** Test what would happen to a command, without running it. The default mode is the mode of new chats. */
  'permissions.test': call(
    z.object({
      command: z.string().min(1).max(40_000),
      folder: z.string().max(MAX_PATH).optional(),
      mode: ApprovalMode.optional(),
    }),
    TestedCommand,
  ),
}
