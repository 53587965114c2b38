import { FileCode2, FileText, Image, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SkillDetail, SkillPart } from '../../../shared/contract/skills.ts'
import { go } from '../../route.ts'
import { cx } from '../../ui/style.ts'
import { formatBytes } from '../../ui/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { FileView } from './FileView.tsx'
import { useSkills, useSkillsStore } from './skills-context.ts'
import { SCRIPT_HINT } from './skill-words.ts'
import { useSkillActions } from './use-skill-actions.ts'

/** The file tree of a skill and the text of the selected file. */
export function FilesTab({ detail }: { detail: SkillDetail }): ReactNode {
  const { skill, files } = detail
  const spot = useSkills(skills => skills.spot)
  const look = useSkills(skills => skills.look)
  const wanted = spot?.id === skill.id ? spot : null
  const part = files.find(file => file.path === (wanted?.path ?? 'SKILL.md')) ?? files[0]
  return (
    <div className="skill-files">
      <Tree detail={detail} shown={part?.path} onShow={path => look({ id: skill.id, path, line: null })} />
      {part && (
        <FileView
          key={part.path}
          id={skill.id}
          part={part}
          // The requested line applies only to its own file.
          line={wanted?.path === part.path ? wanted.line : null}
        />
      )}
    </div>
  )
}

type TreeProps = { detail: SkillDetail; shown: string | undefined; onShow: (path: string) => void }

/** Files grouped by folder, the skill's root folder first. */
function Tree({ detail, shown, onShow }: TreeProps) {
  const { skill, files } = detail
  const folderOf = (path: string) => path.split('/').slice(0, -1).join('/')
  const ordered = files.toSorted(
    (a, b) => Number(b.kind === 'skill') - Number(a.kind === 'skill') || a.path.localeCompare(b.path),
  )
  const folders = [...new Set(ordered.map(file => folderOf(file.path)))].toSorted()
  const deletable = skill.isOwn
  return (
    <div className="min-w-0">
      <ul aria-label="Files of the skill" className="grid gap-0.5">
        {folders.map(folder => {
          const parts = ordered
            .filter(file => folderOf(file.path) === folder)
            .map(part => (
              <FileRow
                key={part.path}
                skillId={skill.id}
                part={part}
                shown={part.path === shown}
                deletable={deletable && part.kind !== 'skill'}
                onShow={onShow}
              />
            ))
          if (folder === '') return parts
          return (
            <li key={folder}>
              <p dir="ltr" className="mt-2 px-2 text-start text-xs font-medium text-ink-3">
                {folder}/
              </p>
              <ul aria-label={folder} className="grid gap-0.5 ps-2">
                {parts}
              </ul>
            </li>
          )
        })}
      </ul>
      {!deletable && files.length > 1 && (
        <p className="mt-3 px-2 text-xs text-ink-3">
          Files of an original cannot be deleted here. Edit the skill first, which makes your own copy.
        </p>
      )}
    </div>
  )
}

type RowProps = {
  skillId: string
  part: SkillPart
  shown: boolean
  deletable: boolean
  onShow: (path: string) => void
}

const signs: Partial<Record<SkillPart['kind'], typeof Image>> = { script: FileCode2, asset: Image }

function FileRow({ skillId, part, shown, deletable, onShow }: RowProps) {
  const { path, bytes, kind } = part
  const store = useSkillsStore()
  const { removeFile } = useSkillActions()
  const [busy, setBusy] = useState(false)
  const Sign = signs[kind] ?? FileText
  const remove = async () => {
    setBusy(true)
    const id = await removeFile(skillId, path)
    setBusy(false)
    if (id === null) return
    store.getState().look(null)
    if (id !== skillId) go({ page: 'skills', skillId: id, tab: 'files' }, 'replace')
  }
  return (
    <li className="group flex items-center">
      <button
        type="button"
        aria-current={shown ? 'true' : undefined}
        className={cx('file-row', shown && 'bg-accent-soft')}
        onClick={() => onShow(path)}
      >
        <Sign size={14} className="shrink-0 text-ink-3" />
        <span dir="ltr" className="min-w-0 flex-1 truncate text-start">
          {path.split('/').at(-1)}
        </span>
        {kind === 'script' && (
          <span className="badge bg-warn-soft text-warn" title={SCRIPT_HINT}>
            Script
          </span>
        )}
        <span className="shrink-0 text-2xs text-ink-3">{formatBytes(bytes)}</span>
      </button>
      {deletable && (
        <IconButton
          small
          label={`Delete ${path}`}
          className="entry-tool"
          disabled={busy}
          onClick={() => void remove()}
        >
          <Trash2 size={14} />
        </IconButton>
      )}
    </li>
  )
}
