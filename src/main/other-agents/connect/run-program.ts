import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { redactEagerly } from '../../untrusted/redact.ts'
import type { Places } from './connector.ts'

/** Time limit for another program's command, in ms, and maximum output, in bytes. */
const PATIENCE_MS = 60_000
const MOST_OUTPUT = 1_000_000
/** Maximum length of the output shown, in characters. */
const MOST_SHOWN = 1_000

/** Find a program's file: on the search path, or in a user folder where installers put it. */
export function findProgram(
  { user, env }: Places,
  name: string,
  more: readonly string[] = [],
  platform = process.platform,
): string | undefined {
  const names = platform === 'win32' ? [`${name}.exe`] : [name]
  const folders = [
    ...(env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(each => each !== ''),
    // A desktop app is often started with a shorter path than a terminal.
    ...['.local/bin', 'bin', '.bun/bin', '.npm-global/bin', ...more].map(each => join(user, each)),
    ...(platform === 'darwin' ? ['/opt/homebrew/bin', '/usr/local/bin'] : []),
  ]
  return folders.flatMap(folder => names.map(each => join(folder, each))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Run another program's command to its end, without a shell, and return its output. */
export function runCommand(
  program: string,
  args: readonly string[],
  { user, env }: Places,
): Promise<{ ok: boolean; output: string }> {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TALARIA_')))
  return new Promise(resolve => {
    const child = execFile(
      program,
      [...args],
      {
        cwd: user,
        env: given,
        timeout: PATIENCE_MS,
        maxBuffer: MOST_OUTPUT,
        killSignal: 'SIGKILL',
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        const said = redactEagerly(`${stdout}\n${stderr}`.trim()).slice(-MOST_SHOWN).toWellFormed()
        const why = error?.killed ? `it took longer than ${PATIENCE_MS / 1_000} s, or printed too much` : said
        resolve({ ok: !error, output: why || (error ? String(error.code ?? error.message) : '') })
      },
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end()
  })
}

/** Format a command as typed in a terminal. */
export function typedCommand(words: readonly string[], platform = process.platform): string {
  const quote = (word: string) =>
    /^[\w@%+=:,./~-]+$/.test(word) && !word.startsWith('~')
      ? word
      : platform === 'win32'
        ? `"${word}"`
        : `'${word.replaceAll("'", String.raw`'\''`)}'`
  return words.map(quote).join(' ')
}
