import { z } from 'zod'
import type { Attachment } from '../../../shared/contract/chats/attachments.ts'
import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import type { Obeyed } from '../../confinement/obeyed/obeyed-names.ts'
import type { Access } from '../../confinement/profile.ts'
import type { AsideItem } from '../../confinement/obeyed/guard/aside-item.ts'
import type { ObeyedChange } from '../../../shared/contract/chats/messages.ts'
import type { MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import type { WebUse } from '../../../shared/contract/connections/web.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import type { CommandKeys } from '../../commands/run-command.ts'

/** The risk of a call, in rising order. */
type Risk = 'read' | 'write' | 'execute' | 'network'

/**
 * The result of a call. Tools return expected errors instead of throwing, so that the model can read the
 * reason and retry. `marks` names the outside sources of its text.
 */
export type ToolResult =
  | ({
      ok: true
      text: string
      /** Changes to the notebook. */
      revisions?: readonly MemoryRevision[]
      /** Changes to skills. */
      skillRevisions?: readonly SkillRevision[]
      /** Paths of pictures that belong to the result; a step shows them to the model. */
      pictures?: readonly string[]
      /** The stored copies of its pictures. */
      attachments?: readonly Attachment[]
      /** The loaded skill. */
      skill?: { id: string; name: string }
      /** How many characters of the output were discarded, so that the text is incomplete. */
      dropped?: number
    } & Facts)
  /** `setupFailed`: the command did not start, because it could not be confined. */
  | ({ ok: false; reason: string; setupFailed?: true; dropped?: number } & Facts)

/** The outside sources of a result, and its effect on obeyed files. The user decides on files put `aside`. */
type Facts = {
  marks?: readonly StrangersMark[]
  obeyed?: readonly ObeyedChange[]
  aside?: readonly AsideItem[]
  /** Paths that the command could not write and that its output names. */
  blocked?: readonly string[]
  /** The exit code of a command that was not killed. */
  exitCode?: number
  /** The files that the call wrote, as it named them. */
  files?: readonly string[]
  /** The searches and pages that the call got from the web. */
  web?: WebUse
}

/** The context of a running tool. */
export type ToolContext = {
  /** Absolute path of the chat's working folder, with symbolic links resolved. */
  workspace: string
  /** Talaria's own home folder; tools may read memories and skills there, never credentials. */
  home: string
  /** The chat of the call, and the user message that is being answered. */
  sessionId: string
  askedId: number
  /** The id of the call; absent if the call was not stored. */
  callId?: string
  /** The marks of the outside texts that were in the model's context when it wrote the call. */
  strangers?: readonly StrangersMark[]
  /** The context window of the model, in tokens; absent if no model reads the result. */
  contextTokens?: number
  /** The names of the tools and toolsets that the chat has now, which skills refer to; absent: all. */
  offered?: readonly string[]
  signal: AbortSignal
  /** The confinement of this call's commands. */
  access: Access
  /** Keys of skills for the environment of a command, and secrets that its output must not show. */
  keys?: CommandKeys
  /** The user was asked about this very call and allowed it. */
  byUser?: true
  /** Prepares a confined command; absent if nothing confines commands. */
  confine?: CommandConfinement['confine'] | undefined
  /** Watches the files that programs obey while a command runs. */
  guards?: CommandConfinement['guards'] | undefined
  /** The user's answer to the question of the intent. */
  answer?: string
  /**
   * Save a file before it is changed, so that the user can undo the change. `content` is the new content.
   * Call `forget` if the change fails; after a refusal the file must not be changed. Absent if no copies are
   * kept.
   */
  keepCopy?(path: string, content: string | Uint8Array): Promise<{ forget(): void } | Refusal>
  /** Show output while the tool runs; the model sees only the returned result. */
  output(text: string): void
}

/**
 * A description of a call for the user, before it runs. `inWorkspace` is false if any path is outside the
 * workspace. `command` is set by tools that run a shell, for the hard limits and for saved rules.
 */
export type Intent = {
  title: string
  detail: string
  risk: Risk
  inWorkspace: boolean
  /** The call changes only Talaria's notebook or skills, where every change is visible and can be undone. */
  undoable?: boolean
  /** Requires approval although it can be undone. Denied without a user; allowed with full access. */
  confirm?: { reason: string }
  /** The reason to ask the user in every mode; denied if no user is present. */
  mustAsk?: string
  folder: string
  /** The folder of the chat, for a command; absolute, links resolved. */
  workspace?: string
  command?: string
  /**
   * `start`: the command keeps running after the call, so it never counts as read-only. `manage`: the call is
   * about such a process of the same chat, and starts nothing.
   */
  background?: 'start' | 'manage'
  /** The call reaches a tool of an MCP server. */
  mcp?: McpIntent
  /** The request that the call makes to the web. */
  web?: WebIntent
  /** The call sends a question to models on other computers. */
  models?: ModelsIntent
  /** The call starts a sub-agent, whose own calls are decided one by one. */
  delegates?: true
  /** The call only asks the user this question; the answer is its result. */
  question?: Question
  /** Absolute path, links resolved, of the call's single file or folder. */
  path?: string
  /** The program that obeys or runs the file that the call would change. */
  obeyed?: Obeyed | undefined
}

/**
 * The data that a web call sends from this computer: the words of a search, or the address of a page.
 * `nearby`: why the user is asked about this address each time, such as that it leads to their own network;
 * worded to follow “because”.
 */
export type WebIntent = { kind: 'search'; words: string } | { kind: 'read'; address: string; nearby?: string }

/**
 * The models that a question is sent to: those `away` by name, the `pin` that ends a grant if the models
 * change, and the `source` of their answer.
 */
type ModelsIntent = { away: string; pin: string; source: string }

/** A question to the user, who may also give an answer that is not among the choices. */
type Question = { text: string; choices: readonly string[] }

/** The facts about an MCP call that the policy needs. */
type McpIntent = {
  /** The name of the tool in rules. */
  name: string
  /** The source of the call's result, such as the server. */
  source: string
  /** Identifies the tool as the user accepted it, so that a grant ends if the tool changes. */
  pin: string
  /** The name of the tool as shown to the user. */
  shown: string
  /** The user lets this tool run without a question. */
  unasked: boolean
}

/** The context that a tool has before a call runs. */
export type IntentContext = Pick<ToolContext, 'workspace' | 'home'> &
  Partial<Pick<ToolContext, 'sessionId' | 'signal'>>

/** A tool. `input` is validated before `intent` and `run`, so both trust their argument. */
export type Tool<I extends z.ZodObject = z.ZodObject> = {
  name: string
  /** For the model: what the tool does and when to use it, in one or two short sentences. */
  says: string
  input: I
  toolset: string
  risk: Risk
  /** The keys in `.env` that the tool needs. It is not offered while one is missing. */
  keys?: readonly string[]
  /** Why the tool is not offered now; undefined if it is. The registry also reports missing keys. */
  unavailable?(): string | undefined
  intent(input: z.output<I>, context: IntentContext): Promise<Intent | Refusal>
  run(input: z.output<I>, context: ToolContext): Promise<ToolResult>
  /**
   * Tell the user in plain words what a call did: one sentence or a list, also if the result is empty or the
   * call failed. `text` is the result as the model reads it. Pure; without this function, `text` itself is
   * shown.
   */
  tell?(input: z.output<I>, result: { ok: boolean; text: string }): string
  /**
   * Allow the action that the user was asked about without a question from now on. `pin` is that of the
   * intent. Refuses if the tool has changed since.
   */
  allowAlways?(pin: string): Refusal | undefined
  /** A JSON Schema from outside that replaces `input`, with the check of arguments. */
  schema?: ForeignSchema
  /** The tool is called through another tool; new prompts do not name it. */
  isDeferred?: boolean
  /** The tool to call instead if this one is not offered, and the arguments that name this one. */
  through?: { tool: string; wrap(args: Record<string, unknown>): Record<string, unknown> }
  /** Another name under which models know the tool. */
  ownName?: string
}

/** `problemOf`: why the arguments do not fit, for the model; undefined if they do. */
export type ForeignSchema = {
  parameters: Record<string, unknown>
  problemOf(args: unknown): string | undefined
  /** Convert arguments to the form that the schema demands, if only one interpretation fits. */
  mend?(args: Record<string, unknown>): Record<string, unknown>
}

/** Declare a tool with its input type inferred from the schema. */
export const defineTool = <I extends z.ZodObject>(definition: Tool<I>): Tool => definition
