import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Fault } from '../../shared/rpc.ts'
import { readSmall, save } from './files.ts'

/** Keys in `.env`, for this user alone. Throws a `not_ready` Fault when the file cannot be read or written. */
export type EnvFile = {
  get(name: string): string | undefined
  /** Write a key, or remove it with `undefined`; the rest of the file stays as it is. */
  set(name: string, value: string | undefined): void
}

/** Open the `.env` of a home folder. Each call reads it again, so a manual edit counts at once. */
export function openEnvFile(home: string): EnvFile {
  const path = join(home, '.env')
  closeToOthers(path)
  return {
    get: name => parseEnv(readSmall(path) ?? '')[name],
    set(name, value) {
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new Fault('bad_input', `“${name}” cannot be the name of a key.`)
      const old = readSmall(path) ?? ''
      const line = value === undefined ? '' : `${name}=${quote(value)}\n`
      const text = replaced(old, name, line)
      if (text !== old) save(path, text, { mode: 0o600 })
    },
  }
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

/** Quote a value so that it reads back unchanged. Double quotes are the last choice, because `\n` is an escape in them. */
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
