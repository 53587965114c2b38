import { spawn } from 'node:child_process'

/** The number of lines from stderr that are shown when a program failed. */
const ERROR_LINES = 8
/** The most characters that are kept of a line. The figures of the longest eval take a fortieth of that. */
const LONGEST_LINE = 1_000_000

/** How a program ended, the last line that it printed, and the end of its output on stderr. */
export type Ended = { how: string; ok: boolean; lastLine: string; errors: string }

/** Run a script of this project to its end, with Node and in the root folder. */
export function runProgram(script: string, args: readonly string[], root: string): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = keepLines(1)
  const errors = keepLines(ERROR_LINES)
  child.stdout.setEncoding('utf8').on('data', output.add)
  child.stderr.setEncoding('utf8').on('data', errors.add)
  return new Promise(resolve => {
    const end = (ok: boolean, how: string) =>
      resolve({ ok, how, lastLine: output.lines()[0] ?? '', errors: errors.lines().join('\n') })
    child.once('error', error => end(false, `was not started: ${error.message}`))
    child.once('close', (code, signal) =>
      end(code === 0, signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
    )
  })
}

/** Keeps the last lines of a stream that are not empty, however long the stream is. */
function keepLines(most: number) {
  let kept: string[] = []
  let open = ''
  const keep = (lines: readonly string[]) => {
    kept = [...kept, ...lines.filter(line => line.trim() !== '')].slice(-most)
  }
  return {
    add(text: string) {
      const lines = `${open}${text}`.split(/\r?\n/)
      open = (lines.pop() ?? '').slice(0, LONGEST_LINE)
      keep(lines)
    },
    lines() {
      keep([open])
      open = ''
      return kept
    },
  }
}
