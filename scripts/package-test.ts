import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rootFolder } from '../src/main/lib/shipped-files.ts'
import { buildIfStale } from './build.ts'
import { hollowElectron, readFuses } from './hollow-electron.ts'

// `npm run test:package`: package the application around a fake Electron, check the result and run it under
// Node. electron-builder is large and only for releases, so it is installed in a temporary folder.
const root = rootFolder()
const version = '26.17.0'
const builder = join(tmpdir(), `talaria-electron-builder-${version}`)
const work = mkdtempSync(join(tmpdir(), 'talaria-package-'))

const nativeCheck = `
import Database from 'better-sqlite3'
import { getLlama } from 'node-llama-cpp'
const { version } = new Database(':memory:').prepare('select sqlite_version() as version').get()
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' })
console.log('  SQLite ' + version + ', llama.cpp ' + llama.llamaCppRelease.release)
await llama.dispose()
`

if (process.platform !== 'linux') {
  console.log('The packaging test knows the layout of Linux only; skipped.')
  process.exit(0)
}
try {
  buildIfStale()
  step('installed electron-builder', installBuilder)
  const folder = step('packaged around a hollow Electron', packageApp)
  const archive = join(folder, 'resources/app.asar')
  step('the fuses are set', () => checkFuses(join(folder, 'talaria')))
  step('the archive holds what is needed, and nothing else', () => checkContents(archive, folder))
  const app = step('extracted it', () => extract(archive))
  step('every built file can be parsed', () => checkSyntax(app))
  step('both native packages load', () => checkNatives(app))
  await checkHost(app)
  console.log(`✓ the packaged host starts and stops`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function step<T>(name: string, act: () => T): T {
  const startedAt = Date.now()
  const result = act()
  console.log(`✓ ${name} (${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`)
  return result
}

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
  assert.equal(status, 0, `${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

function installBuilder(): void {
  if (existsSync(join(builder, 'node_modules/.package-lock.json'))) return
  mkdirSync(builder, { recursive: true })
  const options = ['--prefix', builder, '--no-audit', '--no-fund', '--ignore-scripts']
  run('npm', ['install', ...options, `electron-builder@${version}`], builder)
}

/** Package the application and return its unpacked folder. */
function packageApp(): string {
  const dist = join(work, 'electron')
  hollowElectron(dist, join(root, 'node_modules/electron'))
  const options = [
    '--linux',
    '--dir',
    '--config=electron-builder.config.mjs',
    `-c.electronDist=${dist}`,
    `-c.directories.output=${join(work, 'dist')}`,
  ]
  run(process.execPath, [join(builder, 'node_modules/electron-builder/cli.js'), ...options], root)
  return join(work, 'dist/linux-unpacked')
}

function checkFuses(executable: string): void {
  assert.deepEqual(readFuses(executable), {
    runAsNode: false,
    cookieEncryption: true,
    nodeOptions: false,
    nodeCliInspect: false,
    asarIntegrity: true,
    onlyLoadAppFromAsar: true,
    browserV8Snapshot: false,
    fileProtocolPrivileges: false,
  })
}

type Asar = {
  listPackage(archive: string, options: object): string[]
  extractAll(archive: string, to: string): void
}
function asar(): Asar {
  return createRequire(join(builder, 'package.json'))('@electron/asar') as Asar
}

function checkContents(archive: string, folder: string): void {
  const files = asar().listPackage(archive, {})
  const arch = process.arch
  const needed = [
    '/package.json',
    '/out/main/index.js',
    '/out/main/engine-process.js',
    '/out/main/search-worker.js',
    '/out/preload/index.cjs',
    '/out/renderer/index.html',
    `/node_modules/better-sqlite3/prebuilds/linux-${arch}.node`,
    `/node_modules/@node-llama-cpp/linux-${arch}/package.json`,
    '/node_modules/node-llama-cpp/llama/binariesGithubRelease.json',
  ]
  assert.deepEqual(
    needed.filter(file => !files.includes(file)),
    [],
    'missing from the archive',
  )
  const unwanted =
    /@node-llama-cpp\/.*cuda|no-cuda|^\/(src|e2e|bench|testing|scripts|resources)\b|\.test\.|\.map$|\.tsx?$/
  assert.deepEqual(
    files.filter(file => unwanted.test(file)),
    [],
    'has no business in the archive',
  )
  const modules = new Set(
    files.flatMap(file => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  )
  const resources = join(folder, 'resources')
  assert.ok(existsSync(join(resources, 'models/talaria-mini.gguf')), 'the built-in model is missing')
  console.log(
    `  app.asar ${megabytes(archive)}, beside it ${megabytes(join(resources, 'app.asar.unpacked'))}, ` +
      `models ${megabytes(join(resources, 'models'))}, ${modules.size} modules`,
  )
}

function megabytes(path: string): string {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(each => each.isFile())
        .map(each => join(each.parentPath, each.name))
    : [path]
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Unpack the archive and its unpacked part to a folder that cannot see the project's `node_modules`. */
function extract(archive: string): string {
  const app = join(work, 'app')
  asar().extractAll(archive, app)
  return app
}

function checkSyntax(app: string): void {
  const files = readdirSync(join(app, 'out/main'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(each => each.endsWith('.js')))
    run(process.execPath, ['--check', join(app, 'out/main', file)], app)
}

function checkNatives(app: string): void {
  // Use a file, because node-llama-cpp tests its binary in a fork, which inherits Node's arguments.
  const file = join(app, 'native-check.mjs')
  writeFileSync(file, nativeCheck)
  process.stdout.write(run(process.execPath, [file], app))
}

async function checkHost(app: string): Promise<void> {
  const args = [join(app, 'out/main/headless.js'), '--home', join(work, 'home'), '--no-open']
  const host = spawn(process.execPath, args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => host.once('exit', resolve))
  let isReady = false
  for await (const line of createInterface({ input: host.stdout })) {
    isReady ||= line.startsWith('Talaria is ready')
    host.kill('SIGTERM')
  }
  assert.deepEqual([isReady, await ended], [true, 0], 'the packaged host did not start and stop')
}
