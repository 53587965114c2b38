import { Fragment, type ReactNode } from 'react'
import { diffWords } from './word-diff.ts'

/** A word diff: removed text is struck out, added text is underlined. An entirely new text is plain. */
export function WordDiff({ before, after }: { before: string | null; after: string | null }): ReactNode {
  return (
    <span dir="auto" className="word-diff">
      {before === null
        ? after
        : diffWords(before, after ?? '').map((part, index) => {
            const Tag = { same: Fragment, added: 'ins', removed: 'del' }[part.kind]
            // The index is the only stable key of a part.
            // oxlint-disable-next-line react/no-array-index-key
            return <Tag key={index}>{part.text}</Tag>
          })}
    </span>
  )
}
