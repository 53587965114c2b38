import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import type { Refusal } from '../src/main/lib/expected-errors.ts'

const run = promisify(execFile)

/** Tokens a second, as llama.cpp's own benchmark measures them. */
export type PeerSpeeds = { prefill: number; decode: number }

/** Why the benchmark is not available on this machine, in one line. */
class Missing extends Error {}

const carried = join(rootFolder(), 'node_modules/node-llama-cpp/llama')
const isWindows = process.platform === 'win32'
const program = isWindows ? 'llama-bench.exe' : 'llama-bench'

/**
 * Build llama.cpp’s own benchmark from the source that our engine was built from, which is part of
 * node-llama-cpp. Returns the path of the program, or why it is not available. It is built once, at the
 * lowest priority, and takes minutes.
 */
export async function buildLlamaBench(say: (text: string) => void): Promise<{ path: string } | Refusal> {
  try {
    const { tag } = Info.parse(JSON.parse(await readFile(join(carried, 'llama.cpp.info.json'), 'utf8')))
    // Not in the shared temporary folder, where another user could leave a program for us to run.
    const folder = join(rootFolder(), 'node_modules/.cache/talaria')
    const path = join(folder, `llama.cpp-${tag.replace(/[^\w.-]/g, '_')}-${program}`)
    if (await stat(path).catch(() => undefined)) return { path }
    await mkdir(folder, { recursive: true })
    say(`Building llama.cpp ${tag}; this takes some minutes, once.`)
    await build(path)
    return { path }
  } catch (error) {
    if (error instanceof Missing) return { refused: error.message }
    throw error
  }
}

const Info = z.object({ tag: z.string() })

async function build(target: string): Promise<void> {
  const bundle = join(carried, 'gitRelease.bundle')
  if (!(await stat(bundle).catch(() => undefined)))
    throw new Missing('node-llama-cpp came without its source')
  const folder = await mkdtemp(join(tmpdir(), 'talaria-llama.cpp-'))
  try {
    const source = join(folder, 'source')
    const made = join(folder, 'build')
    await step('git', ['clone', '--quiet', '--depth', '1', bundle, source], folder)
    await step('cmake', ['-S', source, '-B', made, ...settings], folder)
    await step(
      'cmake',
      ['--build', made, '--config', 'Release', '--target', 'llama-bench', '-j', '2'],
      folder,
    )
    const built = join(made, 'bin', isWindows ? 'Release' : '', program)
    const unfinished = `${target}.${process.pid}`
    await copyFile(built, unfinished)
    await chmod(unfinished, 0o755)
    await rename(unfinished, target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Build for this processor, in one file, without the parts that need a network or another library. */
const settings = Object.entries({
  CMAKE_BUILD_TYPE: 'Release',
  BUILD_SHARED_LIBS: 'OFF',
  GGML_NATIVE: 'ON',
  GGML_CCACHE: 'OFF',
  LLAMA_BUILD_TESTS: 'OFF',
  LLAMA_BUILD_EXAMPLES: 'OFF',
  LLAMA_BUILD_SERVER: 'OFF',
  LLAMA_BUILD_APP: 'OFF',
  LLAMA_OPENSSL: 'OFF',
}).map(([name, value]) => `-D${name}=${value}`)

/** Run one step at the lowest priority. Only a failure is reported, with the last line of the output. */
async function step(name: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-10_000)))
  const failed = once(child, 'error').then(([error]) => (error as NodeJS.ErrnoException).code ?? 'unknown')
  const ended = once(child, 'close').then(([code]) => code as number | null)
  ended.catch(() => undefined)
  if (child.pid !== undefined) setPriority(child.pid, 15)
  const outcome = await Promise.race([failed, ended])
  if (outcome === 0) return
  if (outcome === 'ENOENT') throw new Missing(`${name} is not installed`)
  const lines = said.split('\n').filter(line => line.trim() !== '')
  const telling = lines.find(line => /error|not found|no such/i.test(line)) ?? lines.at(-1) ?? ''
  throw new Missing(`${name} failed: ${telling.trim().slice(0, 200)}`)
}

const Report = z.array(z.object({ n_prompt: z.number(), n_gen: z.number(), avg_ts: z.number() }))

/**
 * Far more than a run takes. When other programs use the same cores, its threads can wait for each other
 * forever.
 */
const patienceMs = 180_000

/**
 * Measure a model with llama.cpp’s own program, which loads the model again at each start; undefined if it
 * takes too long.
 */
export async function runLlamaBench(
  path: string,
  options: { model: string; threads: number; promptTokens: number; outputTokens: number },
): Promise<PeerSpeeds | undefined> {
  const { model, threads, promptTokens, outputTokens } = options
  const figures = { '-p': promptTokens, '-n': outputTokens, '-t': threads, '-r': 3 }
  const args = [
    '-m',
    model,
    '-o',
    'json',
    ...Object.entries(figures).flatMap(([flag, n]) => [flag, String(n)]),
  ]
  const stdout = await run(path, args, { maxBuffer: 1 << 24, timeout: patienceMs }).then(
    outputs => outputs.stdout,
    (error: { killed?: boolean }) => {
      if (error.killed !== true) throw error
    },
  )
  if (stdout === undefined) return undefined
  const report = Report.parse(JSON.parse(stdout))
  const of = (wanted: (row: (typeof report)[number]) => boolean) => {
    const row = report.find(wanted)
    if (!row) throw new Error('llama-bench did not report what it was asked for.')
    return row.avg_ts
  }
  return { prefill: of(row => row.n_gen === 0), decode: of(row => row.n_prompt === 0) }
}
