import { z } from 'zod'
import { byCount } from '../../text/amounts.ts'
import { call } from '../../rpc.ts'
import { Instructions, OtherOptions, projectOptionFields } from './chat-options.ts'

/** What a person can set for a project. Null or empty: not set, so that the folder or the general settings decide. */
const Settings = z.object({
  name: z
    .string()
    .trim()
    .refine(name => name !== '', 'A project needs a name.')
    .refine(name => name.length <= 80, 'The name of a project has at most 80 characters.'),
  /** The absolute path of the folder that its new chats work in. */
  folder: z.string().max(4_096).nullable(),
  /** What every chat of it is told, in the words of the person. */
  instructions: Instructions,
  /** The model of its new chats. */
  modelId: z.string().min(1).max(4_096).nullable(),
  /** The names of the only skills that its chats have; null for all. */
  skills: z.array(z.string().min(1).max(64)).max(500).nullable(),
  /** The options that chats can have and projects too, such as the mode of its new chats and the toolsets that are on. */
  ...projectOptionFields,
  /** Options that parts of the host bring, by name. Those of other names stay as they are; null takes one back. */
  options: OtherOptions.optional(),
})

/**
 * Chats that belong together. `folderProblem`: why its folder cannot be used now, as a sentence. `notes`: under which id the
 * notebook has its notes.
 */
export const Project = Settings.extend({
  id: z.string(),
  folderProblem: z.string().nullable(),
  notes: z.string(),
  /** Chats that are neither deleted nor archived. */
  chats: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type Project = z.infer<typeof Project>

/** What removing a project means for its chats. */
export const afterRemoval = ({ chats, instructions }: Pick<Project, 'chats' | 'instructions'>): string => {
  const stay = 'Its chats and its notes stay.'
  if (chats === 0 || instructions === '') return stay
  const goOn = byCount(
    chats,
    'Its chat goes on without its instructions from the next answer on.',
    `Its ${chats} chats go on without its instructions from the next answer on.`,
  )
  return `${stay} ${goOn}`
}

const id = z.string().min(1).max(100)
/** The text of the instructions came from a file, which others may have written, so it is checked as their texts are. */
const fromFile = z.boolean().default(false)

/**
 * Projects, by name. What is set for a chat counts before what is set for its project; that counts before what is set for a
 * folder, and that before what is set for everything. `session.update` moves a chat.
 */
export const projects = {
  'project.list': call(z.object({}), z.object({ projects: z.array(Project) })),
  /** Refused (`bad_input`) when another one has this name or this folder. */
  'project.create': call(Settings.partial().required({ name: true }).extend({ fromFile }), Project),
  /** Chats that have begun keep the old instructions until `project.refreshPrompts`, or *Apply here now* in one of them. */
  'project.update': call(Settings.partial().extend({ id, fromFile }), Project),
  /** Rebuild the frozen prompts of its chats. The next turn of each reads it from the start. */
  'project.refreshPrompts': call(z.object({ id }), z.object({ chats: z.int() })),
  /**
   * Its chats, its folder and its notes stay; from their next answer on the chats have a prompt without its instructions. It
   * can be restored until the host ends.
   */
  'project.remove': call(z.object({ id }), z.object({})),
  'project.restore': call(z.object({ id }), Project),
}
