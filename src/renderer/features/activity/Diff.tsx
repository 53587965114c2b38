import type { ReactNode } from 'react'
import { TextDiff, WordDiff } from '../../ui/TextDiff.tsx'
import { plural } from '../../ui/format.ts'

const textLabel = (place: string) => `Text of ${place}`
const diffLabel = (place: string) => `Change to ${place}`
const sameLines = (count: number) => plural(count, '1 unchanged line', 'unchanged lines')

type Props = { kind: 'memory' | 'skill'; place: string; before: string | null; after: string | null }

/** A diff: by word for memory entries, by line for skill files. */
export function Diff({ kind, place, before, after }: Props): ReactNode {
  if (kind === 'memory')
    return (
      <p className="diff-block">
        <WordDiff before={before} after={after} />
      </p>
    )
  const label = (before === null ? textLabel : diffLabel)(place)
  return <TextDiff label={label} before={before ?? ''} after={after ?? ''} sameLines={sameLines} />
}
