import { execFile } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'
import { arch, availableParallelism, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig, type ConfigHandle } from '../config/load.ts'
import { openConfinement } from '../confinement/open-confinement.ts'
import { resolveHome } from '../config/home.ts'
import { hasDisplay } from '../lib/processes/display-and-power.ts'
import { resourcePath } from '../lib/disk/shipped-files.ts'
import { describeCloudTraces, findCloudTraces } from '../config/cloud-copies.ts'
import { isFailure } from '../models/interface/engine.ts'
import { createModelIds } from '../models/files/model-ids.ts'
import { resolveTypedPath } from '../models/files/model-paths.ts'
import { readGguf } from '../models/engines/local/gguf/read-gguf.ts'
import { availableMemory } from '../models/engines/local/planning/memory-plan.ts'
import { inspectDatabase } from '../db/file/damage.ts'
import { examineNotes } from '../memory/outside/examine-notes.ts'
import { formatBytes, many } from '../../shared/text/amounts.ts'
import { Fault } from '../../shared/rpc.ts'
import { examineModel } from './examine-model.ts'

/** One check. `bad` prevents Talaria from working, `note` is worth knowing. */
export type Check = { name: string; state: 'good' | 'note' | 'bad'; text: string; fix: string }

const run = promisify(execFile)

/** Platforms with prebuilt native parts. */
const KNOWN = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64']
const LEAST_DISK = 500 * 2 ** 20
const LEAST_MEMORY = 2 * 2 ** 30

/** The environment of a process; `freeMemory`: bytes that a model could use now. */
export type Surroundings = {
  platform: string
  node: string
  electron: boolean
  processors: string
  freeMemory: number
}

/**
 * Check everything that Talaria needs on this computer, one check at a time, without changes and without
 * network requests. `modelPath` is the model for testing the engine.
 */
export async function* examineComputer(
  given: string | undefined,
  surroundings: Surroundings,
  signal: AbortSignal,
  modelPath = resourcePath(join('models', 'talaria-mini.gguf')),
): AsyncGenerator<Check, void, void> {
  yield checkPlatform(surroundings)
  yield checkProcessor(surroundings)
  yield checkMemory(surroundings.freeMemory)
  let home: string
  try {
    home = resolveHome(given)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return yield bad('Home folder', error.message, '')
  }
  yield checkDisk(home)
  const config = loadConfig(home)
  yield checkConfig(config)
  yield checkDatabase(home)
  yield* checkCloud(home)
  yield* checkNotes(home)
  yield await checkConfinement(home)
  yield checkUpdates(config)
  yield* checkModels(config, home)
  if (signal.aborted) return
  yield await checkEngine(modelPath, config, signal)
  yield checkWindow(surroundings)
  yield await checkGit()
}

const good = (name: string, text: string): Check => ({ name, state: 'good', text, fix: '' })
const note = (name: string, text: string, fix: string): Check => ({ name, state: 'note', text, fix })
const bad = (name: string, text: string, fix: string): Check => ({ name, state: 'bad', text, fix })

/** Check whether another program syncs the home with other computers, and which traces it left. */
function* checkCloud(home: string): Generator<Check, void, void> {
  const told = describeCloudTraces(findCloudTraces(home))
  if (told) yield note('Cloud folder', told.text, told.fix)
}

/** Check whether commands can run with less than the user's rights. The remedy is shown, never run. */
async function checkConfinement(home: string): Promise<Check> {
  const confiner = openConfinement({ home, readable: () => [] })
  const state = await confiner.state()
  if (state.confined)
    return good('Confinement', `Commands run confined by ${state.program}. ${confiner.describeLimits(state)}`)
  return note('Confinement', `Commands run with all your rights: ${state.reason}`, state.remedy)
}

/** Only the installed app updates itself, and only it knows whether its build has a source of updates. */
const checkUpdates = (config: ConfigHandle): Check =>
  good(
    'Updates',
    config.current.updates.check_at_start
      ? 'the installed app looks for a newer version at every start'
      : 'the installed app looks for a newer version only when you ask',
  )

/** The operating system and the Node version that runs this check. */
function checkPlatform({ platform: system, node }: Surroundings): Check {
  if (!KNOWN.includes(system))
    return bad(
      'System',
      `${system} is not a system that the local engine supports.`,
      'Use a model on a server.',
    )
  return good('System', `${system}, Node ${node}`)
}

/** llama.cpp runs on any processor, but slowly without AVX2. */
function checkProcessor({ platform: system, processors }: Surroundings): Check {
  const cores = `${availableParallelism()} cores`
  if (system.endsWith('arm64') || processors === '') return good('Processor', cores)
  const has = (flag: string) => new RegExp(`\\b${flag}\\b`).test(processors)
  if (!has('avx2'))
    return note(
      'Processor',
      `${cores}, without AVX2: local models will be slow.`,
      'Choose a small model, or a server.',
    )
  return good('Processor', `${cores}, ${has('avx512f') ? 'AVX-512' : 'AVX2'}`)
}

/** Check the memory that a model could use now. */
function checkMemory(available: number): Check {
  const text = `${formatBytes(available)} free of ${formatBytes(totalmem())}`
  if (available >= LEAST_MEMORY) return good('Memory', text)
  return note(
    'Memory',
    `${text}: only very small models fit.`,
    'Close other programs before you load a model.',
  )
}

function checkDisk(home: string): Check {
  const { bavail, bsize } = statfsSync(home)
  const free = bavail * bsize
  const text = `${home}, ${formatBytes(free)} free`
  if (free < LEAST_DISK)
    return bad('Home folder', `${text}: chats may not be saved.`, 'Free some space on this disk.')
  return good('Home folder', text)
}

function checkConfig(config: ConfigHandle): Check {
  const problems = config.problems()
  const [first] = problems
  if (!first) return good('Settings', 'config.yaml has no mistakes')
  const line = first.line === null ? '' : ` (line ${first.line})`
  const text = `${first.text}${line}${problems.length > 1 ? ` And ${problems.length - 1} more.` : ''}`
  const fix = `Correct ${config.path}; “talaria config check” lists everything.`
  return problems.some(each => each.severity === 'error')
    ? bad('Settings', text, fix)
    : note('Settings', text, fix)
}

function checkDatabase(home: string): Check {
  const path = join(home, 'state.db')
  try {
    const finding = inspectDatabase(path)
    if (finding.state === 'sound') return good('Chats', 'the database is sound')
    if (finding.state === 'index')
      return note('Chats', 'the word index is broken.', 'Nothing to do: it is rebuilt at the next start.')
    return bad(
      'Chats',
      `${path} cannot be read: ${finding.reason}.`,
      `Put a good copy from ${join(home, 'backups')} in its place, or restore a daily backup from there: talaria data restore.`,
    )
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return bad('Chats', error.message, '')
  }
}

/** Check for memory files that other programs left in an unwanted state. */
function* checkNotes(home: string): Generator<Check, void, void> {
  const { count, troubles } = examineNotes(home)
  for (const { text, fix } of troubles) yield note('Memory files', text, fix)
  if (troubles.length === 0) yield good('Memory files', `${many(count, 'file')} without conflicts or copies`)
}

async function* checkModels({ current }: ConfigHandle, home: string): AsyncGenerator<Check, void, void> {
  const { files, servers, mixtures, default: given } = current.models
  /** A mixture answers with one of its models, so that model is checked. */
  const chosen = mixtures.find(({ id }) => `mixture:${id}` === given)?.aggregator ?? given
  let broken = 0
  for (const path of files) {
    const facts = await readGguf(path)
    if (!isFailure(facts)) continue
    broken += 1
    yield note('Models', facts.text, facts.fix)
  }
  const counted = `${files.length - broken} linked files, ${servers.length} servers`
  if (chosen === 'builtin')
    yield note(
      'Models',
      `${counted}; new chats use the built-in demo model.`,
      'Add a bigger model for real work.',
    )
  else {
    const isGoneServer = chosen.startsWith('server:') && !servers.some(({ id }) => `server:${id}` === chosen)
    const file = createModelIds(home, () => files.map(resolveTypedPath)).localOf(chosen)
    const facts = file && (await readGguf(file.path))
    const gone =
      facts && isFailure(facts)
        ? facts.text
        : (!file && !chosen.startsWith('server:')) || isGoneServer
          ? `There is no model “${chosen}”.`
          : undefined
    const isNamed = file !== undefined && files.map(resolveTypedPath).includes(file.path)
    if (gone !== undefined && !isNamed)
      yield bad(
        'Models',
        `${counted}; new chats get no answer: ${gone}`,
        'Put the file there, or choose another model: talaria models default <name>.',
      )
    else if (broken === 0) yield good('Models', `${counted}; new chats use ${chosen}`)
  }
}

async function checkEngine(path: string, { current }: ConfigHandle, signal: AbortSignal): Promise<Check> {
  const startedAt = performance.now()
  const { threads } = current.engine
  for await (const finding of examineModel(path, { threads, contextTokens: 1_024 }, signal)) {
    if (finding.kind !== 'verdict') continue
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    if (finding.verdict.ok)
      return good('Local engine', `loads a model and gets valid tool calls from it (${seconds} s)`)
    return bad('Local engine', finding.verdict.text, finding.verdict.fix)
  }
  return note('Local engine', 'the test did not finish.', 'Run this command again.')
}

function checkWindow({ electron }: Surroundings): Check {
  if (electron && hasDisplay()) return good('Window', 'Electron is installed')
  const why = electron ? 'there is no display' : 'Electron is not installed'
  return note('Window', `${why}: “npm start” opens the same window in a browser.`, '')
}

async function checkGit(): Promise<Check> {
  try {
    const { stdout } = await run('git', ['--version'], { timeout: 5_000 })
    return good('Git', stdout.trim())
  } catch {
    return note('Git', 'git is not installed: skills cannot be imported from git addresses.', 'Install git.')
  }
}

/** The environment of this process. */
export function surroundingsHere(electron: boolean): Surroundings {
  let processors = ''
  try {
    if (platform() === 'linux')
      processors = /^flags\s*:.*$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[0] ?? ''
  } catch {
    // The processor stays unknown, which is harmless.
  }
  return {
    platform: `${platform()}-${arch()}`,
    node: process.versions.node,
    electron,
    processors,
    freeMemory: availableMemory(),
  }
}
