import { z } from 'zod'
import type { MemoryRevision } from '../../shared/contract/memory.ts'
import type { SkillRevision } from '../../shared/contract/skills.ts'

/** What a call can do to the world, in rising order. */
export type Risk = 'read' | 'write' | 'execute' | 'network'

/** Tools do not throw for expected trouble; they return it, and the model reads the reason and tries again. */
export type ToolResult =
  | {
      ok: true
      text: string
      /** What changed in the notebook. */
      revisions?: readonly MemoryRevision[]
      /** What changed in the library of skills. */
      skillRevisions?: readonly SkillRevision[]
      /** The skill that was loaded. */
      skill?: { id: string; name: string }
    }
  | { ok: false; reason: string }

/** What a tool may use while it runs. */
export type ToolContext = {
  /** Absolute path of the folder that the chat works in, with symbolic links resolved. */
  workspace: string
  /** Talaria's own home folder; tools may read memories and skills there, never credentials. */
  home: string
  /** The chat that the call is made in, and the message of the person that is being answered. */
  sessionId: string
  askedId: number
  signal: AbortSignal
  /** Show output while it comes; what is returned in the end is what the model sees. */
  output(text: string): void
}

/**
 * What a call is about to do, in words for a person, before it runs. `inWorkspace` is false when any path leaves the
 * workspace. `command` is set by tools that run a shell, for the hardline floor and for saved rules.
 */
export type Intent = {
  title: string
  detail: string
  risk: Risk
  inWorkspace: boolean
  /** It only changes Talaria's own notebook or skills, where every change is shown and can be undone. */
  undoable?: boolean
  /** Although it can be undone: `here` asks the person if there is one, `always` never runs without their answer. */
  confirm?: { when: 'here' | 'always'; reason: string }
  folder: string
  command?: string
  /** Absolute path, links resolved, of the one file or folder that the call is about. */
  path?: string
}

/** One tool. `input` is validated before `intent` and `run`, so both trust their argument. */
export type Tool<I extends z.ZodObject = z.ZodObject> = {
  name: string
  /** For the model: what it does and when to use it, in one or two short sentences. */
  says: string
  input: I
  toolset: string
  risk: Risk
  /** A reason why it is not offered at the moment; undefined when it is. */
  unavailable?(): string | undefined
  intent(
    input: z.output<I>,
    context: Pick<ToolContext, 'workspace' | 'home'>,
  ): Promise<Intent | { refused: string }>
  run(input: z.output<I>, context: ToolContext): Promise<ToolResult>
}

/** Declare a tool with its input type inferred from the schema. */
export const tool = <I extends z.ZodObject>(definition: Tool<I>): Tool => definition
