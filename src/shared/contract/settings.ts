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

/** One setting of config.yaml. `help` is a sentence for the user; `restart` means that a change takes effect at the next start. */
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
})
export type Setting = z.infer<typeof Setting>

/** A mistake in config.yaml with its line. An unknown setting is kept and has the `severity` `warning`. */
export const ConfigProblem = z.object({
  line: z.int().nullable(),
  text: z.string(),
  severity: z.enum(['error', 'warning']),
})
export type ConfigProblem = z.infer<typeof ConfigProblem>

/** Settings as data; only `set` and `reset` change anything. */
export const settings = {
  'settings.list': call(
    z.object({}),
    z.object({ file: z.string(), settings: z.array(Setting), problems: z.array(ConfigProblem) }),
  ),
  'settings.set': call(z.object({ path: z.string().max(100), value: z.unknown().optional() }), Setting),
  /** Reset one setting, or all of a section, to the defaults. */
  'settings.reset': call(z.object({ path: z.string().max(100) }), z.object({})),
  'setup.finish': call(z.object({}), z.object({})),
  /** Show setup again. */
  'setup.again': call(z.object({}), z.object({})),
}
