import assert from 'node:assert/strict'
import { fork, spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { besideArchive } from '../../src/main/lib/disk/shipped-files.ts'
import { run } from './builder.ts'
import { readFuses } from './hollow-electron.ts'

/** Check that the fuses are set in the Electron binary behind the launcher. */
export function checkFuses(folder: string): void {
  assert.deepEqual(readFuses(join(folder, 'talaria-app')), {
    runAsNode: false,
    cookieEncryption: false,
    nodeOptions: false,
    nodeCliInspect: false,
    asarIntegrity: true,
    onlyLoadAppFromAsar: true,
    browserV8Snapshot: false,
    fileProtocolPrivileges: false,
  })
}

/**
 * Check that the launcher starts the binary beside it, which is hollow and ends at once; as root only with
 * `--no-sandbox`.
 */
export function checkLauncher(folder: string): void {
  const { status, stderr } = spawnSync(join(folder, 'talaria'), ['--no-sandbox'], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
}

/** Check that every built file can be parsed. */
export function checkSyntax(app: string): void {
  const files = readdirSync(join(app, 'out/main'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(each => each.endsWith('.js')))
    run(process.execPath, ['--check', join(app, 'out/main', file)], app)
}

/** Check that the script of the search runs as a thread from beside the archive. */
export async function checkSearchWorker(archive: string): Promise<void> {
  const folder = besideArchive(archive)
  const worker = new Worker(join(folder, 'out/main/search-worker.js'), {
    workerData: { target: join(folder, 'package.json'), isFile: true, pattern: 'talaria', glob: '' },
    execArgv: [],
  })
  const end = new Promise((resolve, reject) => {
    worker.on('message', (news: { type: string; end?: unknown }) => news.type === 'end' && resolve(news.end))
    worker.once('error', reject)
  })
  assert.equal(((await end) as { matches: number }).matches, 1)
  await worker.terminate()
}

/** A white GIF of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/**
 * Check that the process that shrinks pictures finds its library beside the archive, encodes a picture again,
 * and answers.
 */
export async function checkPictureProcess(archive: string): Promise<void> {
  const script = join(besideArchive(archive), 'out/main/picture-process.js')
  const child = fork(script, [], { serialization: 'advanced', execArgv: [], stdio: 'inherit' })
  const answer = new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`The process of pictures ended with ${code}.`)))
  })
  const header = { format: 'gif', width: 1, height: 1, orientation: 1, pixelBytes: 4 }
  const limits = { longest: 1_568, mostMemory: 512_000_000 }
  child.send({ t: 'picture', bytes: new Uint8Array(PIXEL), header, ...limits })
  try {
    const { outcome, picture } = (await answer) as { outcome: string; picture?: { mime: string } }
    assert.deepEqual([outcome, picture?.mime], ['picture', 'image/png'])
  } finally {
    child.kill('SIGKILL')
  }
}

/**
 * Start the application from the archive, on the shim: check the window, its limits, a chat with the built-in
 * model, and the end.
 */
export function checkFirstStart(archive: string, home: string): void {
  const script = join(import.meta.dirname, 'first-start/index.ts')
  process.stdout.write(run(process.execPath, [script, archive, home], home))
}

/** Check that the host for browsers, which is in the package too, starts and stops. */
export async function checkHost(app: string, home: string): Promise<void> {
  const args = [join(app, 'out/main/headless.js'), '--home', home, '--no-open']
  const host = spawn(process.execPath, args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => host.once('exit', resolve))
  let isReady = false
  for await (const line of createInterface({ input: host.stdout })) {
    isReady ||= line.startsWith('Talaria is ready')
    // A second signal would end it at once.
    if (!host.killed) host.kill('SIGTERM')
  }
  assert.deepEqual([isReady, await ended], [true, 0], 'the packaged host did not start and stop')
}
