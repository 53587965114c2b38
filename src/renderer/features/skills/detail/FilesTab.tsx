import { FileCode2, FileText, Image, Trash2 } from 'lucide-react'
import { useState, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { SkillDetail, SkillPart } from '../../../../shared/contract/learned/skills.ts'
import { goTo } from '../../../route.ts'
import { cx } from '../../../ui/style.ts'
import { formatBytes } from '../../../ui/text/format-values.ts'
import { IconButton, CopyButton } from '../../../ui/IconButton.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { useSkills, useSkillsStore, useSkillActions } from '../use-skills.ts'
import { SCRIPT_HINT } from '../skill-labels.tsx'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Problem } from '../../../ui/Banner.tsx'

/** The file tree of a skill and the text of the selected file. */
export function FilesTab({ detail }: { detail: SkillDetail }): ReactNode {
  const { skill, files } = detail
  const spot = useSkills(skills => skills.spot)
  const look = useSkills(skills => skills.look)
  const wanted = spot?.id === skill.id ? spot : null
  const isWanted = ({ path }: { path: string }) =>
    wanted ? path === wanted.path : path.toLowerCase() === 'skill.md'
  const part = files.find(isWanted) ?? files[0]
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
          Files of an original cannot be deleted. Edit the skill first to make your own copy.
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
    if (id !== skillId) goTo({ page: 'skills', skillId: id, tab: 'files' }, 'replace')
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

const tooLongText = (bytes: string) => `This file is too long to show (${bytes}).`

const binaryText = (bytes: string) => `This file is not text (${bytes}).`

type FileViewProps = {
  id: string
  part: SkillPart
  /** The line to scroll to; null for none. */
  line: number | null
}

/** The exact text of a file, with line numbers. */
function FileView({ id, part, line }: FileViewProps): ReactNode {
  const { path } = part
  const answer = useAnswer('skills.file', { id, path })
  const content = answer?.ok ? answer.value.text : null
  return (
    <div className="min-w-0">
      <header className="mb-1.5 flex items-center gap-2">
        <h3 dir="ltr" className="min-w-0 flex-1 truncate text-start font-mono text-xs text-ink-2">
          {showHidden(path)}
        </h3>
        {content !== null && <CopyButton label="Copy the file" doneLabel="Copied" text={() => content} />}
      </header>
      {part.kind === 'script' && <p className="mb-1.5 text-xs text-warn">{SCRIPT_HINT}</p>}
      {answer && !answer.ok && <Problem text={`The file could not be read: ${answer.fault.message}`} />}
      {answer?.ok && content === null && (
        <p className="text-sm text-ink-3">
          {(answer.value.binary ? binaryText : tooLongText)(formatBytes(answer.value.bytes))}
        </p>
      )}
      {content === '' && <p className="text-sm text-ink-3">This file is empty.</p>}
      {content !== null && content !== '' && (
        <Lines label={`Content of ${path}`} content={content} line={line} />
      )}
    </div>
  )
}

/** Files with more lines than this are virtualized. */
const MANY_LINES = 400

type LinesProps = { label: string; content: string; line: number | null }

function Lines({ label, content, line }: LinesProps) {
  const lines = useMemo(() => content.replace(/\r?\n$/u, '').split(/\r?\n/u), [content])
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const isLong = lines.length > MANY_LINES
  useEffect(() => {
    if (line === null || line > lines.length) return
    scroller.current?.scrollIntoView({ block: 'nearest' })
    list.current?.scrollToIndex(line - 1, { align: 'center' })
    scroller.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    scroller.current?.focus({ preventScroll: true })
    // A file that changes while the user reads it must not scroll back to the line.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [line])
  const draw = (text: string, index: number) => (
    <Line key={index} number={index + 1} text={showHidden(text)} isMarked={index + 1 === line} />
  )
  return (
    <section
      ref={scroller}
      aria-label={label}
      dir="ltr"
      // A scrollable area must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cx('file-lines', isLong && 'row-scroller file-lines-long')}
    >
      {isLong ? (
        <Virtualizer ref={list} scrollRef={scroller} data={lines} itemSize={20}>
          {draw}
        </Virtualizer>
      ) : (
        lines.map(draw)
      )}
    </section>
  )
}

function Line({ number, text, isMarked }: { number: number; text: string; isMarked: boolean }) {
  return (
    <div
      aria-current={isMarked ? 'true' : undefined}
      className={cx('file-line', isMarked && 'file-line-marked')}
    >
      <span aria-hidden="true" className="file-line-number">
        {number}
      </span>
      <span dir="auto" className="min-w-0 flex-1">
        {text === '' ? '\u200B' : text}
      </span>
    </div>
  )
}
