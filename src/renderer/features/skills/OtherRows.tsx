import { FileX2, Folder } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SkillFolder, SkillRevision } from '../../../shared/contract/skills.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { When } from '../../ui/InlineText.tsx'
import { countOf, formatCount } from '../../ui/format.ts'
import { useSkillActions } from './use-skill-actions.ts'

const DELETED_BY = {
  you: 'You deleted it',
  agent: 'The agent deleted it',
  review: 'A review deleted it',
  import: 'An import deleted it',
} as const

/** A project folder, with the choice whether its chats use its skills. */
export function FolderRow({ folder }: { folder: SkillFolder }): ReactNode {
  const [asks, setAsks] = useState(false)
  const { trust } = useSkillActions()
  const { folder: path, trusted, skills } = folder
  return (
    <div className="skill-folder">
      <Folder size={15} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <h2 dir="ltr" className="truncate text-start text-xs font-semibold" title={path}>
          {path}
        </h2>
        <p className="text-xs text-ink-3">
          {trusted
            ? skills === 0
              ? 'Trusted. There are no skills in it at the moment.'
              : `Trusted. Chats that work here can use ${skills === 1 ? 'the skill' : `${formatCount(skills)} skills`}.`
            : `${countOf(skills, 'skill', 'skills')} here. Chats only use skills from folders that you trust.`}
        </p>
        <button
          type="button"
          aria-label={trusted ? `Stop trusting ${path}` : `Trust this folder… ${path}`}
          className="link-btn text-xs"
          onClick={() => (trusted ? void trust(path, false) : setAsks(true))}
        >
          {trusted ? 'Stop trusting' : 'Trust this folder…'}
        </button>
      </div>
      {asks && <TrustDialog folder={folder} onClose={() => setAsks(false)} />}
    </div>
  )
}

function TrustDialog({ folder, onClose }: { folder: SkillFolder; onClose: () => void }) {
  const { trust } = useSkillActions()
  return (
    <Dialog title="Trust this folder?" closeLabel="Close" onClose={onClose}>
      <p dir="ltr" className="mb-3 font-mono text-xs break-all">
        {folder.folder}
      </p>
      <p className="text-sm text-ink-2">
        Chats that work in this folder may then use the{' '}
        {folder.skills === 1 ? 'skill' : `${formatCount(folder.skills)} skills`} in it, including any added
        later. Skills that the scan finds dangerous stay blocked until you accept them.
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            onClose()
            void trust(folder.folder, true)
          }}
        >
          Trust this folder
        </button>
      </div>
    </Dialog>
  )
}

/** A SKILL.md file that is invalid or unreadable. */
export function UnreadableRow({ path, reason }: { path: string; reason: string }): ReactNode {
  return (
    <div className="skill-folder text-xs text-ink-3">
      <FileX2 size={15} className="mt-0.5 shrink-0" />
      <p className="min-w-0 flex-1 break-words">
        <span dir="ltr" className="font-mono break-all">
          {path}
        </span>{' '}
        cannot be read: {reason}
      </p>
    </div>
  )
}

/** A deleted skill, with a restore button. */
export function DeletedRow({ revision }: { revision: SkillRevision }): ReactNode {
  const { bringBack } = useSkillActions()
  const { name, actor, at, note } = revision
  return (
    <div className="skill-row">
      <div className="min-w-0 flex-1 px-1.5">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-ink-3">
          {DELETED_BY[actor]} · <When at={at} />
        </p>
        {note !== '' && (
          <p dir="auto" className="line-clamp-2 text-xs text-ink-2">
            {note}
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label={`Restore ${name}`}
        className="btn btn-secondary self-center"
        onClick={() => void bringBack(revision)}
      >
        Restore
      </button>
    </div>
  )
}
