import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withoutEntries } from '../../../shared/text/without-entries.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { isFolderCopy } from '../outside/copy-names.ts'
import { readNotes } from '../outside/read-notes.ts'
import { leftByError, type Unremoved } from '../../lib/removal/unremoved.ts'

/** The notebook's own files. All other files below `memories`, and in copies of that folder, are copies. */
const LIVE = /^(?:MEMORY|USER)\.md$/
const LARGEST = 8_000_000

/**
 * Remove texts from the copies beside the memory files: `.bak` files and copies made by cloud services. A
 * copy that contains a text but cannot be split into entries is deleted.
 */
export async function forgetInCopies(home: string, texts: readonly string[]): Promise<Unremoved[]> {
  const left: Unremoved[] = []
  const gone = new Set(texts)
  const copies = namesIn(home).filter(isFolderCopy)
  const folders = ['memories', ...copies].flatMap(name => withProjects(join(home, name)))
  for (const folder of folders)
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      const isLive = LIVE.test(name) && !copies.some(each => folder.startsWith(join(home, each)))
      if (isLive || !stats?.isFile() || stats.size > LARGEST) continue
      left.push(...(await leftByError(cleanCopy(path, gone), path)))
    }
  return left
}

function withProjects(folder: string): string[] {
  const projects = join(folder, 'projects')
  return [folder, ...namesIn(projects).map(name => join(projects, name))]
}

async function cleanCopy(path: string, gone: ReadonlySet<string>): Promise<void> {
  // Other programs may use other encodings.
  const found = readNotes(path, LARGEST)
  const before = isRefusal(found) ? readFileSync(path, 'utf8') : found.text
  const after = withoutEntries(before, gone)
  if ([...gone].some(text => after.includes(text))) await removeTree(path)
  else if (after !== before) writeAtomic(path, after, { mode: 0o600 })
}
