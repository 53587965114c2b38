import { FileX2, Folder } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SkillFolder, SkillRevision } from '../../../shared/contract/skills.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { When } from '../../ui/When.tsx'
import { skillsText } from './strings.ts'
import { useActions } from './use-actions.ts'

/** The folder of a project: whether chats in it use its skills. */
export function FolderRow({ folder }: { folder: SkillFolder }): ReactNode {
  const text = skillsText.folder
  const [asks, setAsks] = useState(false)
  const { trust } = useActions()
  const { folder: path, trusted, skills } = folder
  return (
    <div className="skill-folder">
      <Folder size={15} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <h2 dir="ltr" className="truncate text-start text-xs font-semibold" title={path}>
          {path}
        </h2>
        <p className="text-xs text-ink-3">{trusted ? text.trusted(skills) : text.untrusted(skills)}</p>
        <button
          type="button"
          aria-label={trusted ? text.distrustOf(path) : text.trustOf(path)}
          className="link-btn text-xs"
          onClick={() => (trusted ? void trust(path, false) : setAsks(true))}
        >
          {trusted ? text.distrust : text.trust}
        </button>
      </div>
      {asks && <TrustDialog folder={folder} onClose={() => setAsks(false)} />}
    </div>
  )
}

function TrustDialog({ folder, onClose }: { folder: SkillFolder; onClose: () => void }) {
  const text = skillsText.folder
  const { trust } = useActions()
  return (
    <Dialog title={text.title} closeLabel={skillsText.close} onClose={onClose}>
      <p dir="ltr" className="mb-3 font-mono text-xs break-all">
        {folder.folder}
      </p>
      <p className="text-sm text-ink-2">{text.says(folder.skills)}</p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          {skillsText.cancel}
        </button>
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            onClose()
            void trust(folder.folder, true)
          }}
        >
          {text.button}
        </button>
      </div>
    </Dialog>
  )
}

/** A file that is called SKILL.md and is none. */
export function UnreadableRow({ path, reason }: { path: string; reason: string }): ReactNode {
  return (
    <div className="skill-folder text-xs text-ink-3">
      <FileX2 size={15} className="mt-0.5 shrink-0" />
      <p className="min-w-0 flex-1 break-words">
        <span dir="ltr" className="font-mono break-all">
          {path}
        </span>{' '}
        {skillsText.unreadable(reason)}
      </p>
    </div>
  )
}

/** A skill that was deleted, and the way back. */
export function DeletedRow({ revision }: { revision: SkillRevision }): ReactNode {
  const text = skillsText.deleted
  const { bringBack } = useActions()
  const { name, actor, at, note } = revision
  return (
    <div className="skill-row">
      <div className="min-w-0 flex-1 px-1.5">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-ink-3">
          {text.by[actor]} · <When at={at} />
        </p>
        {note !== '' && (
          <p dir="auto" className="line-clamp-2 text-xs text-ink-2">
            {note}
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label={text.restoreOf(name)}
        className="btn btn-secondary self-center"
        onClick={() => void bringBack(revision)}
      >
        {text.restore}
      </button>
    </div>
  )
}
