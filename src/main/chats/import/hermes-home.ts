import { constants } from 'node:fs'
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseEnv } from 'node:util'
import { parseDocument } from 'yaml'
import type { ImportedHome } from '../../../shared/contract/import.ts'
import type { ConfigPath } from '../../config/schema.ts'
import { decodeText } from '../../lib/encodings/decode-text.ts'
import { isRefusal, fileErrorCode, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { unsafeReason, READ_CHARACTERS } from '../../untrusted/unsafe-text.ts'
import { skipOf, type Skip } from './import-source.ts'

/** The contents of a Hermes home besides chats and memories. `keys` are values; they never leave the host. */
export type HomeParts = {
  /** The folder of its skills, if it has one. */
  skills: string | undefined
  soul: string | undefined
  settings: ImportedHome['settings']
  keys: ReadonlyMap<string, string>
  skipped: Skip[]
}

/** Maximum size in bytes of its settings, keys and SOUL.md; real ones have a few kB. */
const MAX_BYTES = 200_000

type Counterpart = { path: ConfigPath; value(given: unknown): unknown }
const same = (given: unknown) => given
/** Hermes settings that Talaria has too. Others are only listed; none loosens what commands may do. */
const COUNTERPARTS: Readonly<Record<string, Counterpart>> = {
  'agent.max_turns': { path: 'agent.max_iterations', value: same },
  'terminal.timeout': { path: 'tools.timeout_s', value: same },
  'approvals.timeout': {
    path: 'approvals.wait_minutes',
    value: given => (typeof given === 'number' ? given / 60 : given),
  },
  'memory.memory_char_limit': { path: 'memory.notes_limit', value: same },
  'memory.user_char_limit': { path: 'memory.user_limit', value: same },
  'memory.memory_enabled': { path: 'memory.use_in_chats', value: same },
  'memory.nudge_interval': { path: 'learning.memory_nudge', value: same },
  'skills.creation_nudge_interval': { path: 'learning.skill_nudge', value: same },
  'compression.threshold': { path: 'compaction.trigger', value: same },
}

/** Names in its `.env` that are keys; addresses and switches are not. */
const KEY_NAME = /^[A-Z][A-Z0-9_]{0,80}_(?:API_KEY|TOKEN|KEY)$/

/** Return whether a folder is the home of a Hermes agent, even without chats and memories. */
export async function isHermesHome(folder: string): Promise<boolean> {
  const names = new Set(await readdir(folder))
  return names.has('SOUL.md') || (names.has('config.yaml') && (names.has('skills') || names.has('.env')))
}

/** Read the contents of a Hermes home besides chats and memories. Problems become skips; writes nothing. */
export async function readHermesHome(folder: string): Promise<HomeParts> {
  const skipped: Skip[] = []
  const read = async (name: string) => {
    const found = await readInside(folder, name)
    if (!isRefusal(found)) return found.text
    skipped.push(skipOf(name, found.refused))
    return undefined
  }
  const soul = soulOf(await read('SOUL.md'), skipped)
  const settings = settingsOf((await read('config.yaml')) ?? '', skipped)
  const given = Object.entries(parseEnv((await read('.env')) ?? ''))
  const keys = new Map(
    given.flatMap(([name, value]): [string, string][] =>
      KEY_NAME.test(name) && value !== undefined && value.trim() !== '' && value.length <= 1_000
        ? [[name, value.trim()]]
        : [],
    ),
  )
  return { skills: await skillsFolder(folder, skipped), soul, settings, keys, skipped }
}

/** Read a small file in the home folder; undefined if missing. Links that lead out of it are not followed. */
async function readInside(folder: string, name: string): Promise<{ text: string | undefined } | Refusal> {
  const path = join(folder, name)
  try {
    if (await leadsOut(folder, path)) return { refused: 'it is a link that leads out of the folder' }
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (!stats.isFile()) return { refused: 'it is not a file' }
    if (stats.size > MAX_BYTES) return { refused: `it is larger than ${MAX_BYTES / 1e6} MB` }
    const bytes = await file.readFile()
    const read = decodeText(bytes)
    if (!read || read.isUnsure || !read.exact || (read.text === '' && bytes.length > 0))
      return { refused: 'it is not UTF-8 text' }
    return { text: read.text }
  } catch (error) {
    const code = fileErrorCode(error)
    return code === 'ENOENT' ? { text: undefined } : { refused: `it cannot be read: ${reasonOf(code)}` }
  }
}

async function leadsOut(folder: string, path: string): Promise<boolean> {
  if (!(await lstat(path)).isSymbolicLink()) return false
  const inside = relative(await realpath(folder), await realpath(path))
  return inside === '' || inside.startsWith('..')
}

async function skillsFolder(folder: string, skipped: Skip[]): Promise<string | undefined> {
  const path = join(folder, 'skills')
  try {
    if (!(await stat(path)).isDirectory()) return undefined
    if (!(await leadsOut(folder, path))) return path
    skipped.push(skipOf('skills', 'it is a link that leads out of the folder'))
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') skipped.push(skipOf('skills', 'it cannot be read'))
  }
  return undefined
}

function soulOf(text: string | undefined, skipped: Skip[]): string | undefined {
  const soul = text?.trim() ?? ''
  if (soul === '') return undefined
  const unsafe = unsafeReason(soul, 'project')
  const why =
    soul.length > READ_CHARACTERS
      ? `it is longer than ${READ_CHARACTERS.toLocaleString('en')} characters`
      : unsafe && `it ${unsafe}`
  if (why === undefined) return soul
  skipped.push(skipOf('SOUL.md', why))
  return undefined
}

/** Return the settings that have a counterpart; the others become skips. */
function settingsOf(text: string, skipped: Skip[]): ImportedHome['settings'] {
  const document = parseDocument(text, { prettyErrors: false })
  // Aliases that refer to each other could expand without limit.
  const given: unknown =
    document.errors.length > 0 ? undefined : withoutTrouble(() => document.toJS({ maxAliasCount: 20 }))
  if (text.trim() !== '' && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    skipped.push(skipOf('config.yaml', 'it is not valid YAML'))
    return []
  }
  const found: ImportedHome['settings'] = []
  for (const [section, values] of Object.entries(given ?? {})) {
    const isGroup = typeof values === 'object' && values !== null && !Array.isArray(values)
    for (const [name, value] of isGroup ? Object.entries(values as object) : [['', values] as const]) {
      const from = (name === '' ? section : `${section}.${name}`).slice(0, 80)
      const known = Object.hasOwn(COUNTERPARTS, from) ? COUNTERPARTS[from] : undefined
      if (known) found.push({ from, path: known.path, value: known.value(value) })
      else skipped.push(skipOf(`setting ${from}`, 'Talaria has no counterpart'))
    }
  }
  return found
}

function withoutTrouble<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Mask a key for a preview, leaving enough to tell two keys apart. */
export const maskKey = (key: string): string =>
  key.length < 16 ? '…' : `${key.slice(0, 3)}…${key.slice(-4)}`
