import { chmodSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Fault } from '../../shared/rpc.ts'
import { readSmall, saveFile } from './home.ts'

/** A parsed `.env`. Lines count from 1. Errors never quote a line, because it may be a key. */
export type EnvText = {
  values: Readonly<Record<string, string | undefined>>
  /** The line of each name; the last one if it is set twice. */
  lines: ReadonlyMap<string, number>
  broken: readonly { line: number; text: string }[]
}

const NAME = /^[A-Za-z_]\w*$/
/** A line that assigns another variable. Base64 ending in “=” does not count. */
const SETS_NEXT = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=(?![=\s]*$)/

let last: { text: string; read: EnvText } | undefined

/**
 * Parse the text of an `.env`. Broken lines are reported and left out; the rest counts. The last text is
 * cached, because the settings read it once for each key.
 */
export function readEnv(text: string): EnvText {
  if (last?.text !== text) last = { text, read: readLines(text) }
  return last.read
}

function readLines(text: string): EnvText {
  const rows = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const lines = new Map<string, number>()
  const broken: { line: number; text: string }[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    if (/^\s*(#|$)/.test(row)) {
      // Node reads “#” as a name if an indented comment follows another comment.
      rows[at] = ''
      continue
    }
    const { name, value } = splitRow(row)
    const end = endOf(rows, at, value)
    const why = whyBroken(row, name, end)
    if (why === undefined) {
      lines.set(name, at + 1)
      // Node reads the next line as the value if only spaces follow the “=”.
      if (value === '') rows[at] = `${name}=`
    } else {
      broken.push({ line: at + 1, text: why })
      rows.fill('', at, (end ?? at) + 1)
    }
    at = end ?? at
  }
  return { values: parseEnv(rows.join('\n')), lines, broken }
}

/** Split a row at its first “=” and trim it. One pattern for all of it would be cubic on a row of spaces. */
function splitRow(row: string): { name: string; value: string } {
  const at = row.indexOf('=')
  // Node ends lines at these characters in its own way.
  if (at < 0 || /[\r\u2028\u2029]/.test(row)) return { name: '', value: '' }
  const name = row
    .slice(0, at)
    .trimStart()
    .replace(/^export\s+/, '')
    .trimEnd()
  return { name, value: row.slice(at + 1).trim() }
}

/** Return the row in which a value ends; undefined if its quotation mark is never closed. */
function endOf(rows: readonly string[], at: number, value: string): number | undefined {
  const mark = /^["'`]/.exec(value)?.[0]
  if (mark === undefined || value.slice(1).includes(mark)) return at
  for (let end = at + 1; end < rows.length; end++) {
    if (SETS_NEXT.test(rows[end]!)) return undefined
    if (rows[end]!.includes(mark)) return end
  }
  return undefined
}

function whyBroken(row: string, name: string, end: number | undefined): string | undefined {
  if (!row.includes('=')) return 'it has no “=”. A line is NAME=value'
  if (name === '') return 'there is no name before “=”'
  if (/\s/.test(name)) return 'the name before “=” has a space in it'
  if (!NAME.test(name)) return 'a name has only letters, digits and “_”, and begins with no digit'
  return end === undefined ? 'its quotation mark is not closed' : undefined
}

/** Keys in `.env`, for this user alone. Throws a `not_ready` Fault if the file cannot be read or written. */
export type EnvFile = {
  get(name: string): string | undefined
  /** Return the current content of the file, including what is wrong with it. */
  read(): EnvText
  /** Write a key, or remove it with `undefined`; the rest of the file stays unchanged. */
  set(name: string, value: string | undefined): void
}

let held: Map<string, string> | undefined

/** Run synchronous work that reads many keys, parsing each `.env` only once. */
export function readOnce<T>(work: () => T): T {
  if (held) return work()
  held = new Map()
  try {
    return work()
  } finally {
    held = undefined
  }
}

function textOf(path: string): string {
  const text = held?.get(path) ?? readSmall(path) ?? ''
  held?.set(path, text)
  return text
}

/** Open an `.env`. Each call reads it again, so that a manual edit counts immediately. */
export function openEnvFile(path: string): EnvFile {
  closeToOthers(path)
  return {
    get: name => readEnv(textOf(path)).values[name],
    read: () => readEnv(textOf(path)),
    set(name, value) {
      checkKeyName(name)
      const old = readSmall(path) ?? ''
      const line = value === undefined ? '' : `${name}=${quote(value)}\n`
      const text = replaced(old, name, line)
      held?.delete(path)
      if (text !== old) saveFile(path, text, { mode: 0o600 })
    },
  }
}

/** Throw a `bad_input` Fault for a text that cannot be the name of a key. */
export function checkKeyName(name: string): void {
  if (!NAME.test(name)) throw new Fault('bad_input', `“${name}” cannot be the name of a key.`)
}

/** Replace the line that sets the name, or append one. */
function replaced(text: string, name: string, line: string): string {
  const setting = new RegExp(
    String.raw`^[ \t]*(?:export[ \t]+)?${name}[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|\`[^\`]*\`|[^\n]*)[^\n]*\n?`,
    'gm',
  )
  let put = false
  const changed = text.replace(setting, () => {
    if (put) return ''
    put = true
    return line
  })
  if (put) return changed
  return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`
}

/**
 * Quote a value so that it reads back unchanged. Double quotes come last, because `\n` is an escape in them.
 */
function quote(value: string): string {
  if (/^[\w.~+/=:@-]*$/.test(value)) return value
  const mark = ["'", '`', '"'].find(each => !value.includes(each))
  // eslint-disable-next-line no-control-regex
  if (mark === undefined || /[\u0000-\u001f\u007f]/.test(value) || (mark === '"' && value.includes('\\n'))) {
    throw new Fault(
      'bad_input',
      'A key is one line of text without control characters and without all three kinds of quotes.',
    )
  }
  return `${mark}${value}${mark}`
}

function closeToOthers(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats && process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}
