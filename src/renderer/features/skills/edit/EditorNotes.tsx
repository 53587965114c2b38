import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../../ui/IconButton.tsx'
import { Findings } from '../detail/Findings.tsx'
import { useDraft } from './draft-context.ts'

const WHY_A_COPY = {
  builtin: 'Skills that ship with Talaria stay unchanged.',
  imported: 'Imported skills stay unchanged so that updates still apply.',
} as const

/** Notes to read before editing. */
export function EditorNotes(): ReactNode {
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

/** Why a file was not saved. If the scan refused it, a second step can save it anyway. */
export function EditorRefusal(): ReactNode {
  const refused = useDraft(draft => draft.refused)
  const saving = useDraft(draft => draft.saving)
  const save = useDraft(draft => draft.save)
  const jump = useDraft(draft => draft.jump)
  const dismissRefused = useDraft(draft => draft.dismissRefused)
  const [asked, setAsked] = useState<typeof refused>(null)
  const heading = useId()
  if (!refused) return null
  const { path, message, scan } = refused
  const isClean = scan !== null && scan.findings.length === 0
  const canInsist = scan !== null && scan.verdict === 'dangerous'
  const isSure = asked !== null && asked.message === message && asked.path === path
  return (
    <section
      aria-labelledby={heading}
      className="mb-3 grid gap-2.5 rounded-xl border border-danger/30 bg-danger-soft p-3.5"
    >
      <div role="alert">
        <h3 id={heading} className="text-sm font-semibold">{`${path} was not saved.`}</h3>
        <p className="text-sm break-words whitespace-pre-wrap">{message}</p>
      </div>
      {scan !== null && scan.findings.length > 0 && (
        <Findings findings={scan.findings} onJump={({ path, line }) => void jump(path, line)} />
      )}
      {isClean && <p className="text-sm">The scan no longer finds anything. Save again.</p>}
      {canInsist && isSure && (
        <p role="alert" className="text-sm font-medium">
          Save it even though it looks dangerous? Do so only if you wrote every word yourself or understand
          each finding above. A model does what a skill says.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {canInsist && !isSure && (
          <button type="button" className="btn btn-danger" onClick={() => setAsked(refused)}>
            Save anyway…
          </button>
        )}
        {canInsist && isSure && (
          <>
            <button
              type="button"
              className="btn btn-danger"
              disabled={saving}
              onClick={() => void save({ despite: true })}
            >
              Yes, save it anyway
            </button>
            <button type="button" className="btn btn-secondary" onClick={() => setAsked(null)}>
              No, keep editing
            </button>
          </>
        )}
        {!(canInsist && isSure) && (
          <button type="button" className="btn btn-secondary" onClick={dismissRefused}>
            Dismiss
          </button>
        )}
      </div>
    </section>
  )
}
