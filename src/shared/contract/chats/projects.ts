import { z } from 'zod'
import { byCount } from '../../text/amounts.ts'
import { call } from '../../rpc.ts'
import { Instructions, OtherOptions, projectOptionFields } from './chat-options.ts'

/** The settings of a project. Null or empty: not set, so the folder or the general settings apply. */
const Settings = z.object({
  name: z
    .string()
    .trim()
    .refine(name => name !== '', 'A project needs a name.')
    .refine(name => name.length <= 80, 'The name of a project has at most 80 characters.'),
  /** The absolute path of the folder that its new chats work in. */
  folder: z.string().max(4_096).nullable(),
  /** The user's instructions for every chat of the project. */
  instructions: Instructions,
  /** The model of its new chats. */
  modelId: z.string().min(1).max(4_096).nullable(),
  /** The names of the only skills that its chats may use; null for all. */
  skills: z.array(z.string().min(1).max(64)).max(500).nullable(),
  /** Options that both chats and projects can have, such as the approval mode and the toolsets. */
  ...projectOptionFields,
  /**
   * Options that parts of the host add, by name. Options not named stay unchanged; null removes an option.
   */
  options: OtherOptions.optional(),
})

/**
 * Chats that belong together. `folderProblem`: why its folder cannot be used now, as a sentence. `notes`: the
 * id of its notes in the memory.
 */
export const Project = Settings.extend({
  id: z.string(),
  folderProblem: z.string().nullable(),
  notes: z.string(),
  /** The number of chats that are neither deleted nor archived. */
  chats: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type Project = z.infer<typeof Project>

/** Describe the effect of removing a project on its chats. */
export const afterRemoval = ({ chats, instructions }: Pick<Project, 'chats' | 'instructions'>): string => {
  const stay = 'Its chats and its notes stay.'
  if (chats === 0 || instructions === '') return stay
  const goOn = byCount(
    chats,
    'Its chat continues without its instructions from the next answer.',
    `Its ${chats} chats continue without its instructions from the next answer.`,
  )
  return `${stay} ${goOn}`
}

const id = z.string().min(1).max(100)
/**
 * Whether the instructions came from a file. Others may have written it, so it is checked like their texts.
 */
const fromFile = z.boolean().default(false)

/**
 * Projects, by name. The settings of a chat take precedence over its project, then come its folder, then the
 * general settings. `session.update` moves a chat.
 */
export const projects = {
  'project.list': call(z.object({}), z.object({ projects: z.array(Project) })),
  /** Throws `bad_input` if another project has this name or this folder. */
  'project.create': call(Settings.partial().required({ name: true }).extend({ fromFile }), Project),
  /**
   * Existing chats keep the old instructions until `project.refreshPrompts`, or *Apply here now* in a chat.
   */
  'project.update': call(Settings.partial().extend({ id, fromFile }), Project),
  /** Rebuild the frozen prompts of its chats. The next turn of each reads it from the start. */
  'project.refreshPrompts': call(z.object({ id }), z.object({ chats: z.int() })),
  /**
   * Remove a project. Its chats, folder and notes stay; from the next answer, the chats have a prompt without
   * its instructions. The project can be restored until the host ends.
   */
  'project.remove': call(z.object({ id }), z.object({})),
  'project.restore': call(z.object({ id }), Project),
}
