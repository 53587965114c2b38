import type { ReactNode } from 'react'
import { Icon } from '../../../ui/IconButton.tsx'
import { useDraft } from './draft-context.ts'

const WHY_A_COPY = {
  builtin: 'Skills that ship with Talaria stay unchanged.',
  imported: 'Imported skills stay unchanged so that updates still apply.',
} as const

/** Notes to read before editing. */
export function Notes(): ReactNode {
  const skill = useDraft(draft => draft.skill)
  const restored = useDraft(draft => draft.restored)
  const revert = useDraft(draft => draft.revert)
  // Skills of the agent, the user, projects and folders are edited in place; others get an edited copy.
  const isOriginal = skill && !skill.isOwn && (skill.origin === 'builtin' || skill.origin === 'imported')
  return (
    <>
      {restored && (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-sunken px-3.5 py-2 text-sm">
          <p className="flex-1">Your unsaved changes are back.</p>
          <button type="button" className="btn btn-quiet" onClick={() => void revert()}>
            Discard them
          </button>
        </div>
      )}
      {isOriginal && (
        <div className="mb-3 flex items-start gap-2.5 rounded-xl border border-line bg-sunken px-3.5 py-2.5 text-sm">
          <span className="mt-0.5 text-ink-2">
            <Icon name="info" />
          </span>
          <p>
            <strong className="font-semibold">This is an original.</strong>{' '}
            {WHY_A_COPY[skill.origin === 'builtin' ? 'builtin' : 'imported']} Saving makes an edited copy that
            is used instead. You can go back to the original at any time.
          </p>
        </div>
      )}
    </>
  )
}
