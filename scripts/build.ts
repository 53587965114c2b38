import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from '../src/main/lib/places.ts'

const root = rootFolder()
const inputs = ['src', 'package.json', 'package-lock.json', 'electron.vite.config.ts']
const outputs = ['out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html']

/** Build `out/` when a part of it is missing or older than what it is made from. Prints only what goes wrong. */
export function buildIfStale(): void {
  const oldest = Math.min(...outputs.map(output => changedAt(join(root, output))))
  if (inputs.every(input => newestIn(join(root, input)) <= oldest)) return
  const vite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) return
  console.error(`Talaria could not be built.\n${stdout}${stderr}`)
  process.exit(1)
}

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** When a file or anything in a folder changed last; a folder changes itself when a file in it is removed. */
function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return changedAt(path)
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' })
  const built = entries.filter(entry => !/\.test\.tsx?$/.test(entry))
  return Math.max(changedAt(path), ...built.map(entry => changedAt(join(path, entry))))
}
