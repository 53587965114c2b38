import { Fragment, type ReactNode } from 'react'
import { diffWords } from './word-diff.ts'

/** One text as it became another: what went is struck out, what came is underlined. A text that is all new is plain. */
export function WordDiff({ before, after }: { before: string | null; after: string | null }): ReactNode {
  return (
    <span dir="auto" className="word-diff">
      {before === null
        ? after
        : diffWords(before, after ?? '').map((part, index) => {
            const Tag = { same: Fragment, added: 'ins', removed: 'del' }[part.kind]
            // Parts have no identity beyond their place.
            // oxlint-disable-next-line react/no-array-index-key
            return <Tag key={index}>{part.text}</Tag>
          })}
    </span>
  )
}
