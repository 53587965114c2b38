import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Notice } from '../../shared/contract/app.ts'
import type { ConfigProblem } from '../../shared/contract/settings.ts'
import { Fault } from '../../shared/rpc.ts'
import { backupFolder, keepNewest } from '../lib/backups.ts'
import { putSetting } from './edit.ts'
import { readSmall, save } from './files.ts'
import { configMigrations, migrateConfig, type ConfigMigration } from './migrate.ts'
import { parseConfig, type Flaw, type Parsed } from './parse.ts'
import { CONFIG_VERSION, type Config, type ConfigPath, type ConfigValue } from './schema.ts'

const NEW_FILE = `# Settings of Talaria. What is not written here has its default.\nconfig_version: ${CONFIG_VERSION}\n`
const COPIES = 5

/** The settings of a home folder. */
export type ConfigHandle = {
  /** Where the file is. */
  readonly path: string
  readonly current: Config
  /** Take over what a person changed in the file meanwhile; gives the names of the settings that are others now. */
  reload(): ConfigPath[]
  /** What is wrong with the file as it is now. */
  problems(): readonly ConfigProblem[]
  /** What is wrong with the file, for the person; empty when all is well. */
  readonly notices: readonly Notice[]
  /**
   * Write one setting; `undefined` brings its default back. Comments and order in the file stay, and what a person
   * changed there meanwhile is taken over. Throws `bad_input` for a value that is not allowed, and `not_ready` while
   * the file has a mistake, because it is never written then.
   */
  set<P extends ConfigPath>(path: P, value: ConfigValue<P> | undefined): void
}

/** Read `config.yaml`. A missing file means defaults, and so does whatever is wrong in it; nothing here throws for that. */
export function loadConfig(home: string, migrations = configMigrations): ConfigHandle {
  const path = join(home, 'config.yaml')
  const first = open(home, path, migrations)
  let current = first.config

  return {
    path,
    get current() {
      return current
    },
    reload() {
      const before = current
      current = open(home, path, migrations).config
      return changedPaths(before, current)
    },
    problems() {
      const { flaws, unknown } = open(home, path, migrations)
      return [
        ...flaws.map(flaw => problemOf(flaw, 'error')),
        ...unknown.map(flaw => problemOf(flaw, 'warning')),
      ]
    },
    notices: noticesOf(first, path),
    set(name, value) {
      const { document, flaws } = open(home, path, migrations)
      if (flaws[0]) {
        const why = `${path} has a mistake (${sentence(flaws[0])}), so nothing is written to it.`
        throw new Fault('not_ready', `${why} Correct it, then try again.`)
      }
      putSetting(document, name.split('.') as [string, string], value)
      const changed = parseConfig(textOf(document), migrations.length + 1)
      if (changed.flaws[0]) throw new Fault('bad_input', `${changed.flaws[0].text}.`)
      save(path, textOf(document), { mode: 0o600 })
      current = changed.config
    },
  }
}

type Opened = Parsed & { copy?: string | undefined }

/** Read and migrate the file; one that has a mistake is copied and left as it is. */
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
  if (migrated.flaws.length === 0) save(path, textOf(migrated.document), { mode: 0o600 })
  return { ...migrated, copy }
}

const textOf = (document: Parsed['document']) => document.toString({ lineWidth: 0 })

/** Copy a text into `backups/`, once however often it is read; undefined when there is no room for a copy. */
function keepCopy(home: string, kind: string, text: string): string | undefined {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  try {
    const folder = backupFolder(home)
    const copy = join(folder, `${kind}-${hash}.yaml`)
    if (!existsSync(copy)) writeFileSync(copy, text, { mode: 0o600 })
    keepNewest(folder, 'config-', COPIES)
    return copy
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function noticesOf({ flaws, unknown, copy }: Opened, path: string): Notice[] {
  const kept = copy === undefined ? '' : ` A copy is in ${copy}.`
  return [
    ...flaws.map((flaw): Notice => ({
      id: flaw.id,
      level: 'error',
      text: `config.yaml: ${sentence(flaw)}. ${flaw.effect}`,
      fix: `Correct ${path} and start Talaria again. Settings cannot be saved until then.${kept}`,
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

function problemOf(flaw: Flaw, severity: ConfigProblem['severity']): ConfigProblem {
  const line = /^line (\d+)/.exec(flaw.where)?.[1]
  return { line: line === undefined ? null : Number(line), text: `${flaw.text}. ${flaw.effect}`, severity }
}

const sentence = ({ where, text }: Flaw) => (where === '' ? text : `${where}: ${text}`)
