import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withoutEntries } from '../../../shared/text/without-entries.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { isFolderCopy } from '../outside/copy-names.ts'
import { readNotes } from '../outside/read-notes.ts'
import { leftByError, type Unremoved } from '../../lib/removal/unremoved.ts'

/** The notebook, which changes by itself; everything else below `memories` is a copy of it, and so are copies of that folder. */
const LIVE = /^(?:MEMORY|USER)\.md$/
const LARGEST = 8_000_000

/**
 * Remove texts from the copies that lie beside the memory files: `.bak`, copies of clouds. A copy whose entries cannot be told
 * apart but that holds a text is removed.
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
  // Other programs write in other encodings.
  const found = readNotes(path, LARGEST)
  const before = isRefusal(found) ? readFileSync(path, 'utf8') : found.text
  const after = withoutEntries(before, gone)
  if ([...gone].some(text => after.includes(text))) await removeTree(path)
  else if (after !== before) writeAtomic(path, after, { mode: 0o600 })
}
