// Whether `out/` was built from the current files. Plain JavaScript, because `npm run talaria` checks this at
// every start, and loading TypeScript takes Node longer than the check.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The recorded state of a file or folder: path, size, modification time, and change time, which programs cannot
 * reset. A folder's times change when entries are added or removed. A missing path has the size -1.
 * @typedef {[path: string, size: number, written: number, changed: number]} Seen
 *
 * The inputs of a build. `seen` is quick to compare. `content` is a hash of the texts: it decides when `seen`
 * differs, as after `touch` or a new checkout of the same commit.
 * @typedef {{ node: string, seen: Seen[], content: string }} Stamp
 */

const INPUTS = [
  'src',
  'package.json',
  'package-lock.json',
  // npm's record of the installed packages, which can differ from the lockfile.
  'node_modules/.package-lock.json',
  'electron.vite.config.ts',
  'scripts/freshness.mjs',
  ...['', '.base', '.node', '.preload', '.web'].map(part => `tsconfig${part}.json`),
]
const TERMINAL = 'out/main/cli.js'
const OUTPUTS = [TERMINAL, 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html']

/** Tests are not built. Editors leave files such as `.a.ts.swp`, `#a.ts#` and `a.ts~` beside an open file. */
const LEFT_OUT = /\.test\.tsx?$|^[.#]|~$/

/** @param {string} root */
const stampPath = root => join(root, 'out/stamp.json')

/**
 * Whether the build under `root` is complete and made from the current inputs.
 * @param {string} root
 */
export function isFresh(root) {
  const stamp = readStamp(root)
  if (stamp?.node !== process.version || !OUTPUTS.every(output => existsSync(join(root, output))))
    return false
  if (stamp.seen.every(seen => isAsSeen(root, seen))) return true
  const now = takeStamp(root)
  if (now.content !== stamp.content) return false
  keepStamp(root, now)
  return true
}

/** Whether there is a build at all, fresh or not. @param {string} root */
export const isBuilt = root => existsSync(join(root, TERMINAL))

/**
 * Record the inputs before a build, so that a change during the build makes it stale.
 * @param {string} root
 * @returns {Stamp}
 */
export function takeStamp(root) {
  // Read the texts after the times, so that a change in between is detected later.
  const seen = INPUTS.flatMap(input => seenAt(root, input))
  return { node: process.version, seen, content: hashOf(root, seen) }
}

/**
 * Write the stamp of a complete build.
 * @param {string} root
 * @param {Stamp} stamp
 */
export function writeStamp(root, stamp) {
  // Renamed into place, so that readers never see a partial file.
  const draft = `${stampPath(root)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(stamp))
  renameSync(draft, stampPath(root))
}

/** Remove the stamp: a running or failed build is not fresh. @param {string} root */
export const removeStamp = root => rmSync(stampPath(root), { force: true })

/**
 * @param {string} root
 * @returns {Stamp | undefined}
 */
function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampPath(root), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Save the new times, so that the next check needs only them.
 * @param {string} root
 * @param {Stamp} stamp
 */
function keepStamp(root, stamp) {
  try {
    writeStamp(root, stamp)
  } catch {
    // A read-only checkout only makes the check slower.
  }
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {Seen}
 */
function see(root, path) {
  const { size, mtimeMs, ctimeMs } = look(root, path) ?? { size: -1, mtimeMs: 0, ctimeMs: 0 }
  return [path, size, mtimeMs, ctimeMs]
}

/**
 * @param {string} root
 * @param {Seen} seen
 */
function isAsSeen(root, [path, size, written, changed]) {
  const now = look(root, path)
  if (!now) return size === -1
  return now.size === size && now.mtimeMs === written && now.ctimeMs === changed
}

/**
 * @param {string} root
 * @param {string} path
 */
const look = (root, path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })

/**
 * @param {string} root
 * @param {Seen[]} seen
 */
function hashOf(root, seen) {
  // Loaded lazily, because it takes longer than the rest of the check.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256')
  for (const [path] of seen) {
    const file = look(root, path)
    // Only the files in a folder count: an empty folder does not affect the build.
    if (file?.isDirectory()) continue
    const content = file ? readFileSync(`${root}/${path}`) : ''
    hash.update(`\0${path}\0${file ? content.length : 'missing'}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * An input and, for a folder, all its contents in a fixed order.
 * @param {string} root
 * @param {string} path
 * @returns {Seen[]}
 */
function seenAt(root, path) {
  // Record the folder before its entries, so that a file added in between is detected later.
  const own = see(root, path)
  if (!look(root, path)?.isDirectory()) return [own]
  const names = readdirSync(`${root}/${path}`, { withFileTypes: true })
    .filter(entry => (entry.isFile() || entry.isDirectory()) && !LEFT_OUT.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
  return [own, ...names.flatMap(name => seenAt(root, `${path}/${name}`))]
}
