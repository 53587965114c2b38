import type { ReactNode } from 'react'
import type { ObeyedChange } from '../../../shared/contract/messages.ts'
import { tellObeyedChange } from '../../../shared/obeyed-text.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { cx } from '../../ui/style.ts'

/** What a call changed of files that programs obey or run, one line each. Nothing where it changed none. */
export function ObeyedLines({ changes = [] }: { changes?: readonly ObeyedChange[] | undefined }): ReactNode {
  if (changes.length === 0) return null
  return (
    <ul aria-label="What programs obey or run" className="obeyed-lines">
      {changes.map(change => (
        <li
          key={`${change.path} ${change.how} ${change.kept}`}
          dir="auto"
          className={cx('break-words', change.tier === 1 && 'text-warn')}
        >
          {showHidden(tellObeyedChange(change))
            .split('`')
            .map((part, at) => (at % 2 === 1 ? <code key={`${at}`}>{part}</code> : part))}
        </li>
      ))}
    </ul>
  )
}
