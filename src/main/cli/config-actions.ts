import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigProblem, Setting } from '../../shared/contract/settings.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveHome } from '../config/home.ts'
import { loadConfig } from '../config/load.ts'
import { CONFIG_VERSION } from '../config/schema.ts'
import { TWICE, withClient } from './open-client.ts'
import { stripControls } from './terminal-text.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'

export type ConfigOptions = { home?: string; json?: true }

/** Print the settings by section: those that differ from their default, or all. */
export async function configShow(
  section: string | undefined,
  { home, json, all }: ConfigOptions & { all?: true },
): Promise<void> {
  const { file, settings, problems } = await readSettings(home)
  if (section !== undefined && !settings.some(each => each.section === section)) {
    const sections = [...new Set(settings.map(each => each.section))].join(', ')
    throw new Fault('bad_input', `Unknown section “${section}”. The sections are: ${sections}.`)
  }
  const wanted = settings.filter(each =>
    section === undefined ? all || each.changed : each.section === section,
  )
  if (json) return print(jsonLine({ file, settings: wanted, problems }))
  print(wanted.length > 0 ? showSettings(wanted) : 'All settings have their defaults. Print them with --all.')
  for (const problem of problems) aside(showProblem(file, problem))
}

/** Print the value of one setting. */
export async function configGet(path: string, { home, json }: ConfigOptions): Promise<void> {
  const setting = find((await readSettings(home)).settings, path)
  print(json ? jsonLine(setting) : showValue(setting.value))
}

/** Change one setting; several words form a list. */
export async function configSet(path: string, words: string[], { home, json }: ConfigOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { settings } = await client['settings.list']({})
      const value = readValue(find(settings, path), words)
      const setting = await client['settings.set']({ path, value })
      if (json) return print(jsonLine(setting))
      print(`${path}: ${showValue(setting.value)}`)
      if (setting.restart) aside('Takes effect at the next start.')
    },
    TWICE,
  )
}

/** Reset a setting, or a whole section, to the default. */
export async function configReset(path: string, { home }: ConfigOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      await client['settings.reset']({ path })
      const { settings } = await client['settings.list']({})
      print(showSettings(settings.filter(each => each.path === path || each.section === path)))
    },
    TWICE,
  )
}

/** Open config.yaml in the user's editor, then check it for mistakes. Resolves to whether there are none. */
export async function configEdit({ home: given }: ConfigOptions): Promise<boolean> {
  const home = resolveHome(given)
  const { path } = loadConfig(home)
  const command =
    process.env['VISUAL'] || process.env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi')
  // The editor command may contain options, so a shell has to parse it.
  const { status, error } = spawnSync(`${command} "${path.replaceAll('"', '\\"')}"`, {
    shell: true,
    stdio: 'inherit',
  })
  if (error || status !== 0)
    throw new Fault('not_ready', `“${command}” failed. Set VISUAL or EDITOR to an editor.`)
  return configCheck({ home })
}

/** Check config.yaml and print mistakes with their lines. Resolves to whether there are none. */
export async function configCheck({ home: given, json }: ConfigOptions): Promise<boolean> {
  const config = loadConfig(resolveHome(given))
  const problems = config.problems()
  const ok = problems.every(each => each.severity === 'warning')
  if (json) print(jsonLine({ file: config.path, ok, problems }))
  else if (problems.length === 0) print(`${config.path}: no mistakes.`)
  for (const problem of json ? [] : problems) print(showProblem(config.path, problem))
  return ok
}

/**
 * Migrate config.yaml to the format of this version and keep a copy of the old one. Resolves to whether it
 * could be read.
 */
export async function configMigrate({ home: given }: ConfigOptions): Promise<boolean> {
  const home = resolveHome(given)
  const from = versionIn(home)
  const config = loadConfig(home)
  if (config.problems().some(each => each.severity === 'error')) return configCheck({ home })
  const to = versionIn(home)
  if (from === to)
    print(`Nothing to do: the settings already have the format of this version (${CONFIG_VERSION}).`)
  else
    print(
      `Updated ${config.path} from version ${from} to ${to}. The old file is in ${join(home, 'backups')}.`,
    )
  return true
}

/** The format version of the file; a hand-written file without one counts as current. */
function versionIn(home: string): number {
  const path = join(home, 'config.yaml')
  const line = existsSync(path) ? /^config_version:\s*(\d+)/m.exec(readFileSync(path, 'utf8')) : null
  return line ? Number(line[1]) : CONFIG_VERSION
}

const readSettings = (home: string | undefined) =>
  withClient(home, client => client['settings.list']({}), TWICE)

function find(settings: readonly Setting[], path: string): Setting {
  const setting = settings.find(each => each.path === path)
  if (setting) return setting
  const like = settings.filter(each => each.path.endsWith(`.${path}`) || each.section === path)
  const hint = like.length > 0 ? ` Did you mean: ${like.map(each => each.path).join(', ')}?` : ''
  throw new Fault('bad_input', `Unknown setting “${path}”.${hint} “talaria config show --all” lists all.`)
}

const showProblem = (file: string, { line, text, severity }: ConfigProblem): string =>
  `${file}${line === null ? '' : `:${line}`}: ${severity === 'warning' ? 'note: ' : ''}${text}`

const print = (text: string) => void process.stdout.write(`${stripControls(text)}\n`)
const aside = (text: string) => void process.stderr.write(`${stripControls(text)}\n`)

/** Settings as lines, each with its value and description. */
export function showSettings(settings: readonly Setting[]): string {
  return settings
    .map(({ path, value, changed, standard, help }) => {
      const was = changed ? `   (default: ${showValue(standard)})` : ''
      return `${path}: ${showValue(value)}${was}\n    ${help}`
    })
    .join('\n')
}

/** A value as a user would type it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(none)' : value
  if (Array.isArray(value) && value.every(each => typeof each === 'string'))
    return value.length === 0 ? '(none)' : value.join(', ')
  return JSON.stringify(value)
}

const YES = new Set(['true', 'yes', 'on'])
const NO = new Set(['false', 'no', 'off'])

/** Parse the value of a setting from the command line. Throws a `bad_input` Fault that says what is allowed. */
export function readValue({ path, kind }: Setting, words: readonly string[]): unknown {
  const word = words.join(' ')
  switch (kind.type) {
    case 'switch':
      if (YES.has(word.toLowerCase())) return true
      if (NO.has(word.toLowerCase())) return false
      throw new Fault('bad_input', `${path} is on or off.`)
    case 'number':
    case 'auto_number': {
      if (kind.type === 'auto_number' && word === 'auto') return word
      const number = Number(word)
      const or = kind.type === 'auto_number' ? '“auto” or ' : ''
      if (word === '' || !Number.isFinite(number))
        throw new Fault('bad_input', `${path} is ${or}a number from ${kind.min} to ${kind.max}.`)
      return number
    }
    case 'list':
      return words.filter(each => each !== '')
    case 'choice':
    case 'text':
      return word
    case 'other':
      try {
        return JSON.parse(word)
      } catch {
        throw new Fault(
          'bad_input',
          `${path} takes JSON, such as ${path === 'models.options' ? '{}' : '[]'}.`,
        )
      }
  }
}
