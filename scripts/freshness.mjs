// Whether `out/` was built from the files that are here now. Plain JavaScript, because `npm run talaria` asks at every start,
// and Node takes longer to get ready for TypeScript than this takes to answer.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What a build is made from. `listing` has the path, size and times of every input: quick to compare. `content` is a hash
 * of their texts: it decides where the listings differ, as after `touch` or a new checkout of the same commit.
 * @typedef {{ listing: string, content: string }} Stamp
 */

const INPUTS = [
  'src',
  'package.json',
  'package-lock.json',
  // npm's record of what is installed, which may not be what the lockfile asks for.
  'node_modules/.package-lock.json',
  'electron.vite.config.ts',
  'scripts/freshness.mjs',
  ...['', '.base', '.node', '.preload', '.web'].map(part => `tsconfig${part}.json`),
]
const TERMINAL = 'out/main/cli.js'
const OUTPUTS = [TERMINAL, 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html']

/** Tests are not built, and editors leave files such as `.a.ts.swp`, `#a.ts#` and `a.ts~` beside one that is open. */
const LEFT_OUT = /\.test\.tsx?$|^[.#]|~$/

/** @param {string} root */
const stampPath = root => join(root, 'out/stamp.json')

/**
 * Whether the build under `root` is whole and made from the inputs as they are now.
 * @param {string} root
 */
export function isFresh(root) {
  const stamp = readStamp(root)
  if (!stamp || !OUTPUTS.every(output => existsSync(join(root, output)))) return false
  const listing = listInputs(root)
  if (listing === stamp.listing) return true
  if (hashInputs(root) !== stamp.content) return false
  keepListing(root, { ...stamp, listing })
  return true
}

/** Whether there is a build at all, fresh or not. @param {string} root */
export const isBuilt = root => existsSync(join(root, TERMINAL))

/**
 * Take down what a build is about to be made from. What changes while it is made is stale afterwards.
 * @param {string} root
 * @returns {Stamp}
 */
export const takeStamp = root => ({ listing: listInputs(root), content: hashInputs(root) })

/**
 * Write the stamp of a build that is complete.
 * @param {string} root
 * @param {Stamp} stamp
 */
export function writeStamp(root, stamp) {
  // Renamed into place, so that nobody reads a half.
  const draft = `${stampPath(root)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(stamp))
  renameSync(draft, stampPath(root))
}

/** Forget the stamp: a build that is being made, or failed, is not fresh. @param {string} root */
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
 * Let the listing decide at once the next time.
 * @param {string} root
 * @param {Stamp} stamp
 */
function keepListing(root, stamp) {
  try {
    writeStamp(root, stamp)
  } catch {
    // A checkout that cannot be written is only slower.
  }
}

/** With the time of the last change of any kind (ctime), which no program can set back. @param {string} root */
function listInputs(root) {
  const lines = [process.version]
  for (const path of inputPaths(root)) {
    const file = statSync(join(root, path), { throwIfNoEntry: false })
    lines.push(file ? `${path} ${file.size} ${file.mtimeMs} ${file.ctimeMs}` : `${path} is missing`)
  }
  return lines.join('\n')
}

/** @param {string} root */
function hashInputs(root) {
  // Loaded here, because it takes longer than all the rest.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256').update(process.version)
  for (const path of inputPaths(root)) {
    const file = join(root, path)
    const content = existsSync(file) ? readFileSync(file) : undefined
    hash.update(`\0${path}\0${content?.length ?? 'missing'}\0`).update(content ?? '')
  }
  return hash.digest('hex')
}

/** @param {string} root */
const inputPaths = root =>
  INPUTS.flatMap(input =>
    statSync(join(root, input), { throwIfNoEntry: false })?.isDirectory() ? filesIn(root, input) : [input],
  )

/**
 * Paths of the files in a folder, in an order that is always the same.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesIn(root, path)
    return entry.isFile() ? [path] : []
  })
}
