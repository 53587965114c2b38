import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml'
import type { Notice } from '../../shared/contract/app.ts'
import type { ConfigProblem } from '../../shared/contract/settings.ts'
import { Fault } from '../../shared/rpc.ts'
import { backupFolder, keepNewest } from '../lib/disk/durable-files.ts'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { createTopic } from '../lib/topic.ts'
import { readSmall, saveFile } from './home.ts'
import {
  configMigrations,
  migrateConfig,
  parseConfig,
  setSettingsVersion,
  type ConfigMigration,
  type Flaw,
  type Parsed,
} from './parse.ts'
import { CONFIG_VERSION, SETTINGS_VERSION, type Config, type ConfigPath, type ConfigValue } from './schema.ts'

const NEW_FILE = `# Settings of Talaria. What is not written here has its default.
config_version: ${CONFIG_VERSION}
settings_version: ${SETTINGS_VERSION}
`
const COPIES = 5

/** The settings of a home folder. */
export type ConfigHandle = {
  /** The path of the file. */
  readonly path: string
  readonly current: Config
  /** Read the file again after a manual edit; returns the changed settings. */
  reload(): ConfigPath[]
  /** Read the file again, and return its mistakes. */
  problems(): readonly ConfigProblem[]
  /** Return the line of a setting, or of an entry in it, in the file as last read; undefined if unset. */
  lineOf(path: string): number | undefined
  /** Rename outdated forms in a file without a version, after a copy. Returns whether there were any. */
  renameOldForms(): boolean
  /**
   * Write the user's choices for new settings, and mark all settings of this version as known, after a copy.
   * Throws like `set`, and then writes nothing.
   */
  settleNew(chosen: Readonly<Record<string, unknown>>): void
  /** The mistakes found when the file was opened, as notices for the user. */
  readonly notices: readonly Notice[]
  /**
   * Write one setting; `undefined` restores its default. Comments and order in the file stay, and manual
   * edits made in the meantime are read too. Throws `bad_input` for a value that is not allowed. Throws
   * `not_ready` while the file has a mistake, because a broken file is never written.
   */
  set<P extends ConfigPath>(path: P, value: ConfigValue<P> | undefined): void
  /** Call `listener` with each setting that `set` or `reload` changed. */
  onChange(this: void, listener: (path: ConfigPath) => void): void
  /** Call `listener` with the file's mistakes, as notices for the user, each time it was read again. */
  onRead(this: void, listener: (notices: readonly Notice[]) => void): void
}

/** Read `config.yaml`. A missing file and mistakes in it give defaults; neither throws. */
export function loadConfig(home: string, migrations = configMigrations): ConfigHandle {
  const path = join(home, 'config.yaml')
  const first = open(home, path, migrations)
  let current = first.config
  let lineOf = first.lineOf
  const changes = createTopic<ConfigPath>()
  const reads = createTopic<readonly Notice[]>()

  /** Change the file, then inform the listeners of every changed setting, and of `names` in any case. */
  function write(change: (document: Document) => void, names: readonly ConfigPath[]): void {
    const { document, flaws } = open(home, path, migrations)
    if (flaws[0]) {
      const why = `${path} has a mistake (${sentence(flaws[0])}), so nothing is written to it.`
      const fix = isNewer(flaws[0]) ? 'Update Talaria' : 'Correct it'
      throw new Fault('not_ready', `${why} ${fix}, then try again.`)
    }
    change(document)
    const changed = parseConfig(textOf(document), migrations.length + 1)
    if (changed.flaws[0]) throw new Fault('bad_input', `${changed.flaws[0].text}.`)
    saveFile(path, textOf(document), { mode: 0o600 })
    const before = current
    current = changed.config
    lineOf = changed.lineOf
    for (const each of new Set([...names, ...changedPaths(before, current)])) changes.publish(each)
    reads.publish(noticesOf(changed, path))
  }

  return {
    path,
    get current() {
      return current
    },
    reload() {
      const before = current
      const opened = open(home, path, migrations)
      current = opened.config
      lineOf = opened.lineOf
      const paths = changedPaths(before, current)
      for (const each of paths) changes.publish(each)
      reads.publish(noticesOf(opened, path))
      return paths
    },
    problems() {
      const { flaws, unknown } = open(home, path, migrations)
      return [
        ...flaws.map(flaw => problemOf(flaw, path, 'mistake')),
        ...unknown.map(flaw => problemOf(flaw, path, 'unknown')),
      ]
    },
    lineOf: name => lineOf(name.split('.')),
    renameOldForms() {
      const { document, flaws, unknown } = open(home, path, migrations)
      const isOld = [...flaws, ...unknown].some(flaw => flaw.isOld)
      if (!isOld || flaws.some(flaw => !flaw.isOld)) return false
      keepCopy(home, 'config-old', readSmall(path) ?? '')
      migrateConfig(document, migrations, 1)
      saveFile(path, textOf(document), { mode: 0o600 })
      this.reload()
      return true
    },
    notices: noticesOf(first, path),
    settleNew(chosen) {
      const was = readSmall(path) ?? ''
      write(document => {
        for (const [name, value] of Object.entries(chosen)) putSetting(document, name, value)
        setSettingsVersion(document, SETTINGS_VERSION)
      }, [])
      keepCopy(home, 'config-settings', was)
    },
    set(name, value) {
      write(document => putSetting(document, name, value), [name])
    },
    onChange: changes.subscribe,
    onRead: reads.subscribe,
  }
}

type Opened = Parsed & { copy?: string | undefined }

/** Read and migrate the file. A file with a mistake is copied and left unchanged. */
function open(home: string, path: string, migrations: readonly ConfigMigration[]): Opened {
  let text: string
  try {
    text = (readSmall(path) ?? NEW_FILE).replaceAll('\r\n', '\n')
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const effect = 'All settings have their defaults.'
    const flaw = { id: 'config-unreadable', where: '', text: error.message.replace(/\.$/, ''), effect }
    return { ...parseConfig(''), flaws: [flaw] }
  }
  const read = parseConfig(text, migrations.length + 1)
  const broken = read.flaws.some(flaw => flaw.id === 'config-syntax')
  const from = broken ? undefined : migrateConfig(read.document, migrations)
  if (from === undefined)
    return read.flaws.length > 0 ? { ...read, copy: keepCopy(home, 'config-invalid', text) } : read

  const migrated = parseConfig(textOf(read.document), migrations.length + 1)
  const copy = keepCopy(home, `config-v${from}`, text)
  if (migrated.flaws.length === 0) saveFile(path, textOf(migrated.document), { mode: 0o600 })
  return { ...migrated, copy }
}

const textOf = (document: Parsed['document']) => document.toString({ lineWidth: 0 })

/** Copy a text into `backups/`, once per content. Undefined if the copy cannot be written. */
function keepCopy(home: string, kind: string, text: string): string | undefined {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  try {
    const folder = backupFolder(home)
    const copy = join(folder, `${kind}-${hash}.yaml`)
    if (!existsSync(copy)) writeFileSync(copy, text, { mode: 0o600 })
    keepNewest(folder, 'config-', COPIES)
    return copy
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

/** Return whether a newer Talaria wrote the file; its text says to update. */
const isNewer = ({ id }: Pick<Notice, 'id'>): boolean => id === 'config-config_version'

function noticesOf({ flaws, unknown, copy }: Opened, path: string): Notice[] {
  const kept = copy === undefined ? '' : ` A copy is in ${copy}.`
  return [
    ...flaws.map((flaw): Notice => ({
      id: flaw.id,
      level: 'error',
      text: `config.yaml: ${sentence(flaw)}. ${flaw.effect}`,
      fix: `${isNewer(flaw) ? '' : `Correct ${path}, then open Settings, which reads it again. `}Settings cannot be saved until then.${kept}`,
    })),
    ...unknown.map((flaw): Notice => ({
      id: flaw.id,
      level: 'warning',
      text: `config.yaml: ${sentence(flaw)}. ${flaw.effect}`,
      fix: `Check its spelling in ${path}, or remove it.`,
    })),
  ]
}

function changedPaths(before: Config, after: Config): ConfigPath[] {
  return Object.entries(after).flatMap(([section, group]) =>
    typeof group !== 'object'
      ? []
      : Object.entries(group)
          .filter(([key, value]) => {
            const was = before[section as keyof Config] as Record<string, unknown>
            return !isDeepStrictEqual(value, was[key])
          })
          .map(([key]) => `${section}.${key}` as ConfigPath),
  )
}

function problemOf(flaw: Flaw, file: string, kind: 'mistake' | 'unknown'): ConfigProblem {
  const line = /^line (\d+)/.exec(flaw.where)?.[1]
  return {
    file,
    line: line === undefined ? null : Number(line),
    text: `${flaw.text}. ${flaw.effect}`,
    kind: flaw.isOld ? 'deprecated' : kind,
    severity: kind === 'mistake' ? 'error' : 'warning',
  }
}

const sentence = ({ where, text }: Flaw) => (where === '' ? text : `${where}: ${text}`)

/** Write one setting into a document, keeping comments and order around it; `undefined` removes it. */
function putSetting(document: Document, name: string, value: unknown): void {
  const [section, key] = name.split('.') as [string, string]
  if (value === undefined) {
    if (isMap(document.get(section))) document.deleteIn([section, key])
    return
  }
  // `ui:` without a value is null, which cannot hold settings.
  if (!isMap(document.get(section))) document.set(section, document.createNode({}))
  const old = document.getIn([section, key], true)
  if (Array.isArray(value) && isSeq(old)) old.items = value.map(each => entryLike(old.items, each, document))
  else if (isScalar(old) && (typeof value !== 'object' || value === null)) old.value = value
  else document.setIn([section, key], document.createNode(value))
}

/** Return the existing entry with its comments, if its value is equal. */
function entryLike(entries: readonly unknown[], value: unknown, document: Document): Node {
  const same = entries.find(entry => isDeepStrictEqual((entry as Node).toJS(document), value))
  return (same as Node | undefined) ?? document.createNode(value)
}
