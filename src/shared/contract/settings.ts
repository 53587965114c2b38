import { z } from 'zod'
import { call } from '../rpc.ts'

/** The type of a setting. */
export const SettingKind = z.discriminatedUnion('type', [
  z.object({ type: z.literal('switch') }),
  z.object({ type: z.literal('number'), min: z.number(), max: z.number(), whole: z.boolean() }),
  /** A number, or the word “auto”. */
  z.object({ type: z.literal('auto_number'), min: z.number(), max: z.number() }),
  z.object({ type: z.literal('choice'), options: z.array(z.string()) }),
  z.object({ type: z.literal('text'), max: z.int() }),
  z.object({ type: z.literal('list') }),
  /** A structured value, which is edited on its own page. */
  z.object({ type: z.literal('other') }),
])
export type SettingKind = z.infer<typeof SettingKind>

/** The source of a value, with the line in its file. A vault is the key store of the system. */
export const Source = z.object({
  from: z.enum(['default', 'config.yaml', '.env', 'vault', 'environment']),
  line: z.int().nullable(),
})
export type Source = z.infer<typeof Source>

/**
 * One setting of config.yaml. `help`: a sentence for the user. `usedBy`: features, and tools by name.
 * `where`: where to look up possible values, if needed. `restart`: a change takes effect at the next start.
 */
export const Setting = z.object({
  path: z.string(),
  section: z.string(),
  title: z.string(),
  help: z.string(),
  kind: SettingKind,
  value: z.unknown(),
  standard: z.unknown(),
  changed: z.boolean(),
  restart: z.boolean(),
  usedBy: z.array(z.string()),
  where: z.string(),
  /** The value may contain a password, which no output shows. */
  masked: z.boolean(),
  source: Source,
})
export type Setting = z.infer<typeof Setting>

/** A key from `.env` or the environment. Its value is included unless it may be a secret. */
export const Key = z.object({
  name: z.string(),
  help: z.string(),
  where: z.string(),
  usedBy: z.array(z.string()),
  masked: z.boolean(),
  /** Null for a secret, or if the key is not set. */
  value: z.string().nullable(),
  /** Null if the key is not set. */
  source: Source.nullable(),
  /** Features that are off, or cannot answer, until the key is set. */
  missingFor: z.array(z.string()),
})
export type Key = z.infer<typeof Key>

/** A problem in config.yaml or `.env`, with its line. With `severity` `warning`, everything else works. */
export const ConfigProblem = z.object({
  file: z.string(),
  line: z.int().nullable(),
  text: z.string(),
  kind: z.enum(['mistake', 'unknown', 'deprecated', 'missing']),
  severity: z.enum(['error', 'warning']),
})
export type ConfigProblem = z.infer<typeof ConfigProblem>

/**
 * Where a toolset is switched: for everything, unless a folder, a project or a chat is named. A chat takes
 * precedence over its project, a project over a folder, and each of them over the switch for everything.
 */
const SwitchPlace = z.object({
  folder: z.string().max(4_096).optional(),
  projectId: z.string().min(1).max(100).optional(),
  sessionId: z.string().min(1).max(100).optional(),
})

const level = z.enum(['everything', 'folder', 'project', 'chat'])

/**
 * A toolset at one place. `from`: the level that decided its state; `folder`: the folder of that switch.
 * `switches`: the switch at each level that applies there, null if there is none. `isOwn`: it is defined in
 * config.yaml.
 */
export const Toolset = z.object({
  name: z.string(),
  title: z.string(),
  says: z.string(),
  isOwn: z.boolean(),
  includes: z.array(z.string()),
  /** `missing`: why the tool cannot be used at all, on or off. */
  tools: z.array(z.object({ name: z.string(), on: z.boolean(), missing: z.string().nullable() })),
  state: z.enum(['on', 'off', 'partly']),
  from: z.enum(['default', ...level.options]),
  folder: z.string().nullable(),
  /** The smallest context window, in tokens, at which it is on by default. */
  fromTokens: z.int(),
  switches: z.record(level, z.boolean().nullable()),
})
export type Toolset = z.infer<typeof Toolset>

/**
 * The toolsets at a place, the problems of those in config.yaml, and the folders with their own switches.
 * Throws for a folder or a chat that no longer exists.
 */
export const toolset = {
  'toolset.list': call(
    SwitchPlace,
    z.object({
      toolsets: z.array(Toolset),
      /** The toolsets that are on in the chat but did not fit its last prompt, and the size of the window; null for none. */
      leftOut: z.object({ names: z.array(z.string()), contextTokens: z.int() }).nullable(),
      problems: z.array(z.string()),
      folders: z.array(
        z.object({ folder: z.string(), isGone: z.boolean(), switches: z.record(z.string(), z.boolean()) }),
      ),
    }),
  ),
  /** Switch toolsets on or off; null removes the switch, so that a less specific switch applies again. */
  'toolset.switch': call(
    SwitchPlace.extend({
      names: z.array(z.string().max(100)).min(1, 'Name a toolset.').max(100),
      on: z.boolean().nullable(),
    }),
    z.object({ toolsets: z.array(Toolset) }),
  ),
  /** Give one chat only these toolsets. Without a chat, the names are only checked. */
  'toolset.only': call(
    SwitchPlace.pick({ sessionId: true }).extend({ names: z.array(z.string().max(100)).min(1).max(100) }),
    z.object({ toolsets: z.array(Toolset) }),
  ),
}

/** Settings as data; only `set` and `reset` change anything. */
export const settings = {
  'settings.list': call(
    z.object({}),
    z.object({
      file: z.string(),
      settings: z.array(Setting),
      keys: z.array(Key),
      problems: z.array(ConfigProblem),
    }),
  ),
  'settings.set': call(z.object({ path: z.string().max(100), value: z.unknown().optional() }), Setting),
  /** Reset one setting, or all of a section, to the defaults. */
  'settings.reset': call(z.object({ path: z.string().max(100) }), z.object({})),
  /** Store a key of the list, or remove it with null; a key from the environment then applies again. */
  'settings.setKey': call(
    z.object({ name: z.string().max(200), value: z.string().max(10_000).nullable() }),
    z.object({}),
  ),
  'setup.finish': call(z.object({}), z.object({})),
  /** Show setup again. */
  'setup.again': call(z.object({}), z.object({})),
}
