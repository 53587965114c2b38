import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { SkillPart } from '../../../shared/contract/skills.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { cx } from '../../ui/style.ts'
import { formatBytes } from '../../ui/format.ts'
import { useAsked } from '../../rpc/use-asked.ts'
import { useSkills } from './skills-context.ts'
import { SCRIPT_HINT } from './skill-words.ts'

const tooLongText = (bytes: string) => `This file is too long to show (${bytes}).`

const binaryText = (bytes: string) => `This file is not text (${bytes}).`

type Props = {
  id: string
  part: SkillPart
  /** The line to scroll to; null for none. */
  line: number | null
}

/** The exact text of a file, with line numbers. */
export function FileView({ id, part, line }: Props): ReactNode {
  const { path } = part
  const file = useSkills(skills => skills.file)
  const loads = useSkills(skills => skills.loads)
  const answer = useAsked(signal => file(id, path, signal), `${id} ${path} ${loads}`)
  const content = answer?.ok ? answer.value.text : null
  return (
    <div className="min-w-0">
      <header className="mb-1.5 flex items-center gap-2">
        <h3 dir="ltr" className="min-w-0 flex-1 truncate text-start font-mono text-xs text-ink-2">
          {path}
        </h3>
        {content !== null && <CopyButton label="Copy the file" doneLabel="Copied" text={() => content} />}
      </header>
      {part.kind === 'script' && <p className="mb-1.5 text-xs text-warn">{SCRIPT_HINT}</p>}
      {answer && !answer.ok && (
        <p role="alert" className="text-sm text-danger">
          The file could not be read: {answer.fault.message}
        </p>
      )}
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
    <Line key={index} number={index + 1} text={text} isMarked={index + 1 === line} />
  )
  return (
    <section
      ref={scroller}
      aria-label={label}
      dir="ltr"
      // A scrollable area must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cx('file-lines', isLong && 'file-lines-long')}
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
