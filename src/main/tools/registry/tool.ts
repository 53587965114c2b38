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
 * reason and retry. `marks`: of whose texts from outside it is, or quotes.
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
      /** What is kept of its pictures. */
      attachments?: readonly Attachment[]
      /** The loaded skill. */
      skill?: { id: string; name: string }
      /** Characters of an output that were not kept, so that the text is not all of it. */
      dropped?: number
    } & Facts)
  /** `setupFailed`: the command did not start, because it could not be confined. */
  | ({ ok: false; reason: string; setupFailed?: true; dropped?: number } & Facts)

/** Of whose texts a result is, and what the call did to files that programs obey. Of what lies `aside` the user is asked whether it may come to be. */
type Facts = {
  marks?: readonly StrangersMark[]
  obeyed?: readonly ObeyedChange[]
  aside?: readonly AsideItem[]
  /** What the command could not write, and names in its output. */
  blocked?: readonly string[]
  /** How a command ended that ended by itself. */
  exitCode?: number
  /** The files that the call wrote, as it named them. */
  files?: readonly string[]
  /** What it found or read on the web. */
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
  /** The id of the call; absent where none was stored. */
  callId?: string
  /** The marks of the texts from outside that were in the model's context when it wrote the call. */
  strangers?: readonly StrangersMark[]
  /** The context window of the model, in tokens; absent where no model reads the result. */
  contextTokens?: number
  /** The names of the tools and toolsets that the chat has now, by which skills say what they need; absent: all. */
  offered?: readonly string[]
  signal: AbortSignal
  /** How a command of this call runs. */
  access: Access
  /** Keys of skills for the environment of a command, and what it may not print. */
  keys?: CommandKeys
  /** The user was asked about this very call and allowed it. */
  byUser?: true
  /** Prepares a confined command; absent where nothing confines. */
  confine?: CommandConfinement['confine'] | undefined
  /** What watches files that programs obey while a command runs. */
  guards?: CommandConfinement['guards'] | undefined
  /** What the user answered to the question of the intent. */
  answer?: string
  /**
   * To be called before a file is changed: keeps what it is, so that the user can go back. `content` is what it will be. When
   * the change fails, `forget` it; a refusal means that the file must not be changed. Absent where nothing is kept.
   */
  keepCopy?(path: string, content: string | Uint8Array): Promise<{ forget(): void } | Refusal>
  /** Show output while the tool runs; the model sees only the returned result. */
  output(text: string): void
}

/**
 * A description of a call for the user, before it runs. `inWorkspace` is false when any path leaves the
 * workspace. `command` is set by tools that run a shell, for the hardline floor and for saved rules.
 */
export type Intent = {
  title: string
  detail: string
  risk: Risk
  inWorkspace: boolean
  /** The call changes only Talaria's notebook or skills, where every change is visible and can be undone. */
  undoable?: boolean
  /** Requires approval although it can be undone: it asks, is denied where no person is there, and passes with full access. */
  confirm?: { reason: string }
  /** Why the user is asked in every mode; where nobody is there, it is denied. */
  mustAsk?: string
  folder: string
  /** The folder of the chat, for a command; absolute, links resolved. */
  workspace?: string
  command?: string
  /**
   * `start`: the command runs on after the call, so it never counts as one that only reads. `manage`: the call is about
   * such a process of the same chat, and starts nothing.
   */
  background?: 'start' | 'manage'
  /** The call reaches a tool of an MCP server. */
  mcp?: McpIntent
  /** What the call asks the web for. */
  web?: WebIntent
  /** The call sends a question to models on other computers. */
  models?: ModelsIntent
  /** The call starts a sub-agent, whose own calls are decided one by one. */
  delegates?: true
  /** The call does nothing but ask the user this; what they answer is its result. */
  question?: Question
  /** Absolute path, links resolved, of the call's single file or folder. */
  path?: string
  /** Who obeys the file that the call would change, or runs it. */
  obeyed?: Obeyed | undefined
}

/**
 * What leaves this computer with a call to the web: the words of a search, or the address of a page. `nearby`: why the user is asked about
 * this address each time, such as that it leads to their own network; it goes on after “because”.
 */
export type WebIntent = { kind: 'search'; words: string } | { kind: 'read'; address: string; nearby?: string }

/**
 * Who gets a question for other models: those `away` by name, `pin` by which a grant ends when the models change, and the `source` that
 * their answer has.
 */
type ModelsIntent = { away: string; pin: string; source: string }

/** A question to the user. They may also answer in other words than the choices. */
type Question = { text: string; choices: readonly string[] }

/** What the policy knows of a call of an MCP tool. */
type McpIntent = {
  /** The name under which rules know the tool. */
  name: string
  /** Of whom a result of this call would be text. */
  source: string
  /** Names the tool as the person accepted it, so a grant ends when the tool changes. */
  pin: string
  /** The same tool in words. */
  shown: string
  /** The person lets this tool run without a question. */
  unasked: boolean
}

/** What a tool knows before a call runs. */
export type IntentContext = Pick<ToolContext, 'workspace' | 'home'> &
  Partial<Pick<ToolContext, 'sessionId' | 'signal'>>

/** One tool. `input` is validated before `intent` and `run`, so both trust their argument. */
export type Tool<I extends z.ZodObject = z.ZodObject> = {
  name: string
  /** For the model: what the tool does and when to use it, in one or two short sentences. */
  says: string
  input: I
  toolset: string
  risk: Risk
  /** The keys of `.env` that it needs. While one is missing, it is not offered. */
  keys?: readonly string[]
  /** Why the tool is currently not offered; undefined when it is. The registry adds missing keys to the reasons. */
  unavailable?(): string | undefined
  intent(input: z.output<I>, context: IntentContext): Promise<Intent | Refusal>
  run(input: z.output<I>, context: ToolContext): Promise<ToolResult>
  /**
   * Says in plain words what came of a call, for a person: one sentence or a list, also for what is empty or failed. `text` is what
   * a model reads as the result. Pure; without it, the text itself is said.
   */
  tell?(input: z.output<I>, result: { ok: boolean; text: string }): string
  /**
   * Let what the user was asked about run without a question from now on, given the `pin` of the intent. It refuses if that
   * changed meanwhile.
   */
  allowAlways?(pin: string): Refusal | undefined
  /** A JSON Schema of others in place of `input`, with the check of arguments. */
  schema?: ForeignSchema
  /** It is reached through another tool; a new prompt does not name it. */
  isDeferred?: boolean
  /** The tool that runs it where it is not offered itself, and the arguments which say so. */
  through?: { tool: string; wrap(args: Record<string, unknown>): Record<string, unknown> }
  /** Another name that models know it by. */
  ownName?: string
}

/** `problemOf`: why arguments do not fit, for the model; undefined if they do. */
export type ForeignSchema = {
  parameters: Record<string, unknown>
  problemOf(args: unknown): string | undefined
  /** The arguments in the form that the schema asks for, wherever only one reading of them fits it. */
  mend?(args: Record<string, unknown>): Record<string, unknown>
}

/** Declare a tool with its input type inferred from the schema. */
export const defineTool = <I extends z.ZodObject>(definition: Tool<I>): Tool => definition
