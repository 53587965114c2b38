import { createLedger } from './ledger.ts'
import type { Source, SourceFile } from './source.ts'

type Kept = SourceFile & { content: Uint8Array }

/** Files that are in memory already: pasted text, or a folder that was dropped on a window. */
export function fromMemory(
  from: Source['from'],
  name: string,
  given: readonly { path: string; content: Uint8Array }[],
): Source<Kept> {
  const ledger = createLedger<Kept>('What was dropped')
  for (const { path, content } of given)
    ledger.take(path, { bytes: content.length, isProgram: false, content })
  return {
    from,
    within: '',
    name,
    files: ledger.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: ledger.leftOut,
    async *read(files) {
      for (const file of files) yield { file, bytes: file.content }
    },
  }
}
