import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { AppEvent } from '../../shared/contract/app.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { letOthersRun } from '../lib/timing.ts'
import type { ConfigHandle } from './load.ts'
import { parseConfig } from './parse.ts'
import { type ConfigPath, Config } from './schema.ts'
import { textOf, usersOf } from './sections/setting-rules.ts'
import { checkSettings, listKeys, type SettingFlaw } from './check-settings.ts'
import { isCleanKey, UNCLEAN, type KnownKey } from './known-keys.ts'
import type { Secrets } from './secrets.ts'
import type { Setting, SettingKind, Source } from '../../shared/contract/settings.ts'

type Parts = {
  config: ConfigHandle
  secrets: Secrets
  /** Return the keys without which an enabled tool or skill cannot work; `usedBy` names the tool or skill. */
  neededKeys: () => readonly KnownKey[]
  /** Reads the sources of `neededKeys`, such as skills, in slices beforehand. */
  findNeeded?: () => Promise<void>
  /** Return the flaws of settings that only a running host can find. */
  flaws: () => readonly SettingFlaw[]
  /** Call this after a key was entered or removed. */
  keyChanged: () => void
  publish: (event: AppEvent) => void
}

/** Handlers for the settings as data, and for the setup. */
export function settingsHandlers({
  config,
  secrets,
  neededKeys,
  findNeeded,
  flaws,
  keyChanged,
  publish,
}: Parts) {
  const parts = { config, secrets, neededKeys, flaws }
  // `config.set` checks the value against the schema.
  const write = (path: ConfigPath, value: unknown) => config.set(path, value as never)
  return {
    async 'settings.list'() {
      await findNeeded?.()
      // Show the file as it is now, including manual edits.
      config.reload()
      const needed = neededKeys()
      const settings = settingsOf(config)
      // Each part takes some milliseconds for a long file.
      await letOthersRun()
      const now = { ...parts, neededKeys: () => needed }
      const keys = listKeys(now)
      await letOthersRun()
      return { file: config.path, settings, keys, problems: checkSettings(now) }
    },
    async 'settings.setKey'({ name, value }) {
      const key = listKeys(parts).find(each => each.name === name)
      if (!key) throw new Fault('not_found', `Nothing here uses a key “${name}”.`)
      const text = value?.trim() ?? ''
      if (key.masked && !isCleanKey(name, text)) throw new Fault('bad_input', `The key ${UNCLEAN}`)
      const traced = secrets.trace(name)
      if (traced && traced.value === undefined)
        throw new Fault(
          'not_ready',
          'The desktop app stores this key. Start the app and change the key there.',
        )
      await secrets.set(name, text === '' ? undefined : text)
      keyChanged()
      return {}
    },
    'settings.set'({ path, value }) {
      const part = partAt(settingsOf(config), path)
      if (part) {
        write(part.whole, part.withValue(value))
        return partAt(settingsOf(config), path)!.setting
      }
      if (!isSetting(path)) throw new Fault('not_found', `Unknown setting “${path}”.`)
      write(path, value)
      return settingOf(path, config)
    },
    'settings.reset'({ path }) {
      const part = partAt(settingsOf(config), path)
      if (part) {
        const standard = part.withValue(part.setting.standard)
        write(part.whole, isDeepStrictEqual(standard, known.get(part.whole)?.standard) ? undefined : standard)
        return {}
      }
      const paths = describedSettings
        .filter(each => each.path === path || each.section === path)
        // Resetting a section keeps the settings that have a page of their own.
        .filter(each => each.path === path || each.kind.type !== 'other')
        .map(each => each.path)
      if (paths.length === 0) throw new Fault('not_found', `Unknown setting “${path}”.`)
      for (const each of paths) if (isSetting(each)) write(each, undefined)
      return {}
    },
    'setup.finish'() {
      try {
        config.set('ui.setup_done', true)
      } catch (error) {
        // A broken file is never written. `app.watch` skips setup then, so finish it here too.
        if (!(error instanceof Fault && error.code === 'not_ready')) throw error
        publish({ type: 'setup', done: true })
      }
      return {}
    },
    'setup.again'() {
      config.set('ui.setup_done', false)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** Settings with structured values, which are edited on their own pages. */
const RICH = new Set([
  'mcp.project_servers',
  'mcp.servers',
  'models.servers',
  'models.options',
  'models.files',
  'models.default',
  'ui.setup_done',
])

type Described = Omit<Setting, 'value' | 'changed' | 'source'>
/** The `SETTINGS_VERSION` that added each setting. */
const addedIn = new Map<string, number>()
type Read = Pick<ConfigHandle, 'current' | 'lineOf'>

/** Every setting with its kind, default and text, in the order of the schema. */
const describedSettings: readonly Described[] = Object.entries(Config.shape).flatMap(([section, schema]) => {
  const inner = (schema as z.ZodType) instanceof z.ZodPrefault ? (schema as z.ZodPrefault).unwrap() : schema
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape as Record<string, z.ZodType>).map(([key, each]) =>
    describe(section, key, each, usersOf(inner)),
  )
})

const known = new Map(describedSettings.map(setting => [setting.path, setting]))

/** One named value of a setting that has several, such as `models.auxiliary.vision`. */
type SettingPart = {
  setting: Setting
  /** The setting that the value belongs to. */
  whole: ConfigPath
  /** Return the whole setting's value with this part replaced. */
  withValue(value: unknown): unknown
}

/** Return the part of a setting that a path names; undefined if it names none. */
export function partAt(settings: readonly Setting[], path: string): SettingPart | undefined {
  const dot = path.lastIndexOf('.')
  const [whole, name] = [path.slice(0, dot), path.slice(dot + 1)]
  const of = settings.find(each => each.path === whole)
  const [values, standards] = [recordIn(of?.value), recordIn(of?.standard)]
  if (!of || !isSetting(whole) || !Object.hasOwn(standards, name)) return undefined
  const [value, standard] = [values[name], standards[name]]
  if (typeof standard !== 'string') return undefined
  const changed = value !== standard
  return {
    setting: { ...of, path, kind: { type: 'text', max: LONGEST_PART }, value, standard, changed },
    whole,
    withValue: given => ({ ...values, [name]: given }),
  }
}

const LONGEST_PART = 4_096
const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Return whether there is a setting of this name. */
const isSetting = (path: string): path is ConfigPath => known.has(path)

/**
 * Return the settings that were added since a file was last updated, and that it does not set. A file without
 * a version counts as the first. Settings with structured values are left out, because they are edited on
 * their own pages. Empty for a file with mistakes, which must be corrected first.
 */
export function newSettings(file: string): Described[] {
  const { config, document, flaws, lineOf } = parseConfig(file)
  if (flaws.some(flaw => !flaw.isOld)) return []
  const unnoted = document.has('config_version') ? config.config_version : 1
  const known = document.has('settings_version') ? config.settings_version : unnoted
  return describedSettings.filter(
    ({ path, kind }) =>
      kind.type !== 'other' && addedIn.get(path)! > known && lineOf(path.split('.')) === undefined,
  )
}

/** Check a value of a setting. Throws a `bad_input` Fault that says what is allowed. */
export function checkValue(path: string, value: unknown): unknown {
  const [section, key] = path.split('.') as [string, string]
  const { config, flaws } = parseConfig(JSON.stringify({ [section]: { [key]: value } }))
  if (flaws[0]) throw new Fault('bad_input', `${flaws[0].text}.`)
  return settingOf(path as ConfigPath, { current: config, lineOf: () => undefined }).value
}

/** Return all settings with their current values. */
export const settingsOf = (config: Read): Setting[] =>
  describedSettings.map(setting => withValue(setting, config))

/** Return one setting with its current value. */
const settingOf = (path: ConfigPath, config: Read): Setting => withValue(known.get(path)!, config)

function withValue(setting: Described, { current, lineOf }: Read): Setting {
  const [section, key] = setting.path.split('.') as [string, string]
  const value = (current as unknown as Record<string, Record<string, unknown>>)[section]?.[key]
  const line = lineOf(setting.path)
  const source: Source = line === undefined ? { from: 'default', line: null } : { from: 'config.yaml', line }
  return { ...setting, value, changed: !isDeepStrictEqual(value, setting.standard), source }
}

function describe(section: string, key: string, schema: z.ZodType, users: readonly string[]): Described {
  const path = `${section}.${key}`
  const text = textOf(schema)
  if (!text || !(schema instanceof z.ZodDefault))
    throw new Error(`The setting ${path} has no text or no default.`)
  addedIn.set(path, text.since ?? 1)
  return {
    path,
    section,
    title: text.title,
    help: text.help,
    kind: RICH.has(path) ? { type: 'other' } : kindOf(schema.unwrap() as z.ZodType),
    standard: schema.parse(undefined),
    restart: text.restart === true,
    usedBy: [...(text.usedBy ?? users)],
    where: text.where ?? '',
    masked: text.masked === true,
  }
}

function kindOf(schema: z.ZodType): SettingKind {
  if (schema instanceof z.ZodBoolean) return { type: 'switch' }
  if (schema instanceof z.ZodEnum) return { type: 'choice', options: schema.options.map(String) }
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue, format } = schema
    return { type: 'number', min: minValue ?? 0, max: maxValue ?? 0, whole: format === 'safeint' }
  }
  if (schema instanceof z.ZodString) return { type: 'text', max: schema.maxLength ?? 10_000 }
  if (schema instanceof z.ZodArray) return { type: 'list' }
  if (schema instanceof z.ZodUnion) {
    const number = schema.options.find(each => each instanceof z.ZodNumber)
    if (number) return { type: 'auto_number', min: number.minValue ?? 0, max: number.maxValue ?? 0 }
  }
  return { type: 'other' }
}
