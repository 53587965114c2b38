import { spawnSync } from 'node:child_process'
import { text as wholeText } from 'node:stream/consumers'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { ConfigProblem, Setting } from '../../../shared/contract/settings.ts'
import { Fault } from '../../../shared/rpc.ts'
import { visionMeans } from '../../../shared/words/vision-words.ts'
import { nearNames } from '../../lib/words/similarity.ts'
import { readSmall, resolveHome } from '../../config/home.ts'
import { checkSettings, waitingForKeys } from '../../config/check-settings.ts'
import { loadConfig } from '../../config/load.ts'
import { checkValue, newSettings, partAt, settingsOf } from '../../config/settings-handlers.ts'
import { openSecrets } from '../../config/secrets.ts'
import {
  maskSetting,
  readValue,
  showKeys,
  showProblem,
  showSettings,
  showSource,
  showTable,
  showValue,
} from './show-settings.ts'
import { CONFIG_VERSION } from '../../config/schema.ts'
import { TWICE, withClient } from '../open-client.ts'
import { askHidden, createTerminal, type Terminal } from '../interactive/ask-at-terminal.ts'
import { stripControls } from '../output/terminal-text.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type ConfigOptions = { home?: string; json?: true }

/** Print every setting and key with the source of its value. */
export async function configAll({ home, json }: ConfigOptions): Promise<void> {
  const from = home !== undefined ? 'flag --home' : process.env['TALARIA_HOME'] ? 'environment' : 'default'
  const { file, settings, keys, problems } = await readSettings(home)
  const folder = { path: resolveHome(home), from }
  if (json) return print(jsonLine({ home: folder, file, settings, keys, problems }))
  print(`Home      ${folder.path}  ${from === 'environment' ? 'environment: TALARIA_HOME' : from}`)
  print(`Settings  ${file}\n`)
  print(showTable(settings, keys))
  for (const problem of problems) aside(showProblem(problem))
}

/** Print the settings by section, with their descriptions: those that differ from their default, or all. */
export async function configView(
  section: string | undefined,
  { home, json, all }: ConfigOptions & { all?: true },
): Promise<void> {
  const { file, settings, keys, problems } = await readSettings(home)
  if (section !== undefined && section !== KEYS && !settings.some(each => each.section === section)) {
    const sections = [...new Set(settings.map(each => each.section)), KEYS].join(', ')
    throw new Fault('bad_input', `Unknown section “${section}”. The sections are: ${sections}.`)
  }
  const wanted = settings.filter(each =>
    section === undefined ? all || each.changed : each.section === section,
  )
  const wantedKeys = section === KEYS || (section === undefined && all) ? keys : []
  if (json) return print(jsonLine({ file, settings: wanted, keys: wantedKeys, problems }))
  const parts = [showSettings(wanted), showKeys(wantedKeys)].filter(part => part !== '')
  print(parts.join('\n') || 'All settings have their defaults. Print them with --all.')
  for (const problem of problems) aside(showProblem(problem))
}

/** The name of the section of keys, which are in `.env`. */
const KEYS = 'keys'

/** Print the value of one setting; of a key, whether there is one. */
export async function configGet(path: string, { home, json }: ConfigOptions): Promise<void> {
  const { settings, keys } = await readSettings(home)
  const key = keys.find(each => each.name === path)
  if (key) return print(json ? jsonLine(key) : (key.value ?? (key.source ? 'set' : 'not set')))
  const setting = find(settings, path)
  print(json ? jsonLine(setting) : showValue(setting.value))
}

/** Change one setting; several words form a list. A key without words is asked for, or read from a pipe. */
export async function configSet(path: string, words: string[], { home, json }: ConfigOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { settings, keys } = await client['settings.list']({})
      if (keys.some(each => each.name === path)) {
        const given = words.length > 0 ? words.join(' ') : await readSecret(path)
        await client['settings.setKey']({ name: path, value: given })
        const key = (await client['settings.list']({})).keys.find(each => each.name === path)!
        return print(
          json ? jsonLine(key) : `${path}: ${key.source ? `set (${showSource(key.source)})` : 'not set'}`,
        )
      }
      const setting = find(settings, path)
      if (words.length === 0) throw new Fault('bad_input', `Give ${path} a value. ${setting.help}`)
      const changed = maskSetting(await client['settings.set']({ path, value: readValue(setting, words) }))
      if (json) return print(jsonLine(changed))
      print(`${path}: ${showValue(changed.value)}`)
      if (path === 'models.auxiliary.vision') aside(await meaningOf(client, String(changed.value), settings))
      if (changed.restart) aside('Takes effect at the next start.')
    },
    TWICE,
  )
}

/**
 * Read a key from the keyboard without showing it, or from a pipe. Throws a `bad_input` Fault if no key is
 * given.
 */
async function readSecret(name: string): Promise<string> {
  const none = `Give the key after its name, or through a pipe. “talaria config reset ${name}” removes the key.`
  const value = process.stdin.isTTY ? await askHidden(`${name}: `, none) : await wholeText(process.stdin)
  if (value.trim() === '') throw new Fault('bad_input', none)
  return value.trim()
}

/** Reset a setting, or a whole section, to the default; remove a key. */
export async function configReset(path: string, { home }: ConfigOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { keys } = await client['settings.list']({})
      if (keys.some(each => each.name === path)) {
        await client['settings.setKey']({ name: path, value: null })
        const key = (await client['settings.list']({})).keys.filter(each => each.name === path)
        return print(showKeys(key))
      }
      await client['settings.reset']({ path })
      const settings = (await client['settings.list']({})).settings.map(maskSetting)
      const part = partAt(settings, path)?.setting
      print(
        showSettings(part ? [part] : settings.filter(each => each.path === path || each.section === path)),
      )
    },
    TWICE,
  )
}

/** Open config.yaml in the user's editor, then check it. Resolves to whether it has no mistakes. */
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

/**
 * Check config.yaml and `.env`. Print mistakes and unknown, deprecated and missing settings, with their
 * lines. Resolves to whether there are no mistakes.
 */
export async function configCheck({ home: given, json }: ConfigOptions): Promise<boolean> {
  const home = resolveHome(given)
  const config = loadConfig(home)
  const problems =
    (await checkWithHost(home)) ??
    checkSettings({ config, secrets: await openSecrets(home), neededKeys: () => [] })
  const ok = problems.every(each => each.severity === 'warning')
  if (json) print(jsonLine({ file: config.path, ok, problems }))
  else if (problems.length === 0) print(`${config.path}: no mistakes.`)
  for (const problem of json ? [] : problems) print(showProblem(problem))
  return ok
}

/**
 * The problems found by the host, which also knows toolsets and skills. Undefined if it cannot start in a
 * broken home folder.
 */
async function checkWithHost(home: string): Promise<ConfigProblem[] | undefined> {
  try {
    const { problems, keys } = await withClient(home, client => client['settings.list']({}), TWICE)
    const waiting = waitingForKeys(keys, join(home, '.env'))
    return [...problems, ...waiting.filter(({ text }) => problems.every(each => each.text !== text))]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return undefined
  }
}

/**
 * Update config.yaml to this version and keep a copy of the old file. Renames old forms, then asks for each
 * new setting, or takes its default with `yes`. Resolves to whether the file has no mistakes. Throws a
 * `bad_input` Fault before any change if there are new settings and no terminal.
 */
export async function configMigrate({ home: given, json, yes }: ConfigOptions & { yes?: true }) {
  const home = resolveHome(given)
  const file = readSmall(join(home, 'config.yaml'))
  const added = file === undefined ? [] : newSettings(file.replaceAll('\r\n', '\n'))
  const chosen = yes || added.length === 0 ? {} : await askForNew(added)
  const from = versionIn(home)
  const config = loadConfig(home)
  const isRenamed = config.renameOldForms()
  if (config.problems().some(each => each.severity === 'error'))
    return configCheck({ home, ...(json && { json }) })
  if (added.length > 0) config.settleNew(chosen)
  const to = versionIn(home)
  const settings = settingsOf(config).filter(each => added.some(({ path }) => path === each.path))
  const backups = join(home, 'backups')
  const isChanged = isRenamed || from !== to || settings.length > 0
  if (json) print(jsonLine({ file: config.path, from, to, isChanged, settings: settings.map(maskSetting) }))
  else if (!isChanged)
    print(
      `Nothing to do: config.yaml already has the format of this version (${CONFIG_VERSION}), and there are no new settings.`,
    )
  else {
    if (isRenamed) print(`Renamed old forms in ${config.path}.`)
    if (from !== to) print(`Updated ${config.path} from version ${from} to ${to}.`)
    for (const { path, value, changed } of settings)
      print(`${path}: ${showValue(value)}${changed ? '' : ' (default)'}`)
    print(`The old file is in ${backups}.`)
  }
  return true
}

/** Ask the user for each new setting. Returns the values that differ from their defaults. */
async function askForNew(added: ReturnType<typeof newSettings>): Promise<Record<string, unknown>> {
  const names = added.map(({ path }) => path).join(', ')
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Fault(
      'bad_input',
      `Nothing was changed, because there is no terminal to ask on. These settings are new since config.yaml was last updated: ${names}. Run “talaria config migrate” in a terminal, or with --yes to take the defaults.`,
    )
  const terminal = createTerminal(true)
  const chosen: Record<string, unknown> = {}
  try {
    terminal.say(`New settings: ${added.length}. Enter takes the default.\n`)
    for (const setting of added) {
      const value = await askFor(setting, terminal)
      if (!isDeepStrictEqual(value, setting.standard)) chosen[setting.path] = value
    }
    return chosen
  } finally {
    terminal.close()
  }
}

/** Ask until the user gives an allowed value. Throws a `cancelled` Fault at the end of the input. */
async function askFor(added: ReturnType<typeof newSettings>[number], terminal: Terminal): Promise<unknown> {
  const { path, title, help, kind, standard } = added
  const choices = kind.type === 'choice' ? ` One of: ${kind.options.join(', ')}.` : ''
  terminal.say(`\n${title} (${path})\n    ${help}${choices}\n    Default: ${showValue(standard)}\n`)
  for (;;) {
    const line = await terminal.readLine()
    if (line === undefined) throw new Fault('cancelled', 'Nothing was changed.')
    if (line === '') return standard
    try {
      return checkValue(path, readValue(added, line.split(/\s+/)))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      terminal.say(`${error.message}\n`)
    }
  }
}

/** The format version of the file; a hand-written file without one counts as current. */
function versionIn(home: string): number {
  const line = /^config_version:\s*(\d+)/m.exec(readSmall(join(home, 'config.yaml')) ?? '')
  return line ? Number(line[1]) : CONFIG_VERSION
}

async function readSettings(home: string | undefined) {
  const read = await withClient(home, client => client['settings.list']({}), TWICE)
  return { ...read, settings: read.settings.map(maskSetting) }
}

/** Explain the effect of choosing this model to describe pictures. */
async function meaningOf(client: HostClient, id: string, settings: readonly Setting[]): Promise<string> {
  const { models } = await client['model.list']({})
  return visionMeans(
    id,
    models,
    settings.some(({ path, value }) => path === 'network.offline' && value === true),
  )
}

function find(settings: readonly Setting[], path: string): Setting {
  const setting = settings.find(each => each.path === path) ?? partAt(settings, path)?.setting
  if (setting) return setting
  const like = settings.filter(each => each.path.endsWith(`.${path}`) || each.section === path)
  const paths = settings.map(each => each.path)
  const near = like.length > 0 ? like.map(each => each.path) : nearNames(path, paths, 1)
  const hint = near.length > 0 ? ` Did you mean: ${near.join(', ')}?` : ''
  throw new Fault('bad_input', `Unknown setting “${path}”.${hint} “talaria config” lists all settings.`)
}

const print = (text: string) => void process.stdout.write(`${stripControls(text)}\n`)
const aside = (text: string) => void process.stderr.write(`${stripControls(text)}\n`)
