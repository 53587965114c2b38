import type { ReactNode } from 'react'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { WordDiff } from '../../ui/WordDiff.tsx'
import { activityText } from './strings.ts'

type Props = { kind: 'memory' | 'skill'; place: string; before: string | null; after: string | null }

/** A sentence of the memory as it becomes another, word by word; a file of a skill line by line. */
export function Diff({ kind, place, before, after }: Props): ReactNode {
  if (kind === 'memory')
    return (
      <p className="diff-block">
        <WordDiff before={before} after={after} />
      </p>
    )
  const label = (before === null ? activityText.text : activityText.diff)(place)
  return (
    <TextDiff label={label} before={before ?? ''} after={after ?? ''} sameLines={activityText.sameLines} />
  )
}
