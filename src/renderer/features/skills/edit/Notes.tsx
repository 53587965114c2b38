import type { ReactNode } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import { useDraft } from './draft-context.ts'
import { editText } from './strings.ts'

/** What is good to know before the first word is changed. */
export function Notes(): ReactNode {
  const skill = useDraft(draft => draft.skill)
  const restored = useDraft(draft => draft.restored)
  const revert = useDraft(draft => draft.revert)
  // The agent's and the person's own skills are changed in place, and so are those of projects and folders.
  const isOriginal = skill && !skill.isOwn && (skill.origin === 'builtin' || skill.origin === 'imported')
  return (
    <>
      {restored && (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-sunken px-3.5 py-2 text-sm">
          <p className="flex-1">{editText.kept}</p>
          <button type="button" className="btn btn-quiet" onClick={() => void revert()}>
            {editText.keptDrop}
          </button>
        </div>
      )}
      {isOriginal && (
        <div className="mb-3 flex items-start gap-2.5 rounded-xl border border-line bg-sunken px-3.5 py-2.5 text-sm">
          <span className="mt-0.5 text-ink-2">
            <Icon name="info" />
          </span>
          <p>
            <strong className="font-semibold">{editText.copyTitle}</strong>{' '}
            {editText.copyOf[skill.origin === 'builtin' ? 'builtin' : 'imported']} {editText.copySays}
          </p>
        </div>
      )}
    </>
  )
}
