import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The end of an eval: its exit code, its standard output and its standard error. */
export type EndedEval = { code: number | null; out: string; said: string }

/** Run an eval as its script of package.json does, in any folder. */
export function runEval(name: string, args: readonly string[], cwd?: string): Promise<EndedEval> {
  const script = fileURLToPath(new URL(`../../evals/${name}/index.ts`, import.meta.url))
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  let [out, said] = ['', '']
  child.stdout.on('data', data => void (out += String(data)))
  child.stderr.on('data', data => void (said += String(data)))
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', code => done({ code, out, said }))
  })
}
