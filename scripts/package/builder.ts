import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { hollowElectron } from './hollow-electron.ts'

const version = '26.17.0'
/** electron-builder is large and only for releases, so it is installed in a temporary folder. */
const builder = join(tmpdir(), `talaria-electron-builder-${version}`)

/** The functions of `@electron/asar` that the test uses. */
export type Asar = {
  listPackage(archive: string, options: object): string[]
  extractFile(archive: string, name: string): Buffer
  statFile(archive: string, name: string): { unpacked?: boolean }
}

/** Load a package that is installed with electron-builder. */
export const fromBuilder = (name: string): unknown => createRequire(join(builder, 'package.json'))(name)

/** Run a program to its end and return its output. If it fails, throws an error with all of its output. */
export function run(command: string, args: readonly string[], cwd: string, env = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  assert.equal(status, 0, `${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

/** Install electron-builder unless it is there. */
export function installBuilder(): void {
  if (existsSync(join(builder, 'node_modules/.package-lock.json'))) return
  mkdirSync(builder, { recursive: true })
  const options = ['--prefix', builder, '--no-audit', '--no-fund', '--ignore-scripts']
  run('npm', ['install', ...options, `electron-builder@${version}`], builder)
}

/** Package the application around a hollow Electron, below `work`, and return its unpacked folder. */
export function packageApp(work: string): string {
  const root = rootFolder()
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
