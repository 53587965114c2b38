import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode, type Ref } from 'react'
import {
  Virtualizer,
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  type VirtualizerHandle,
} from 'virtua'
import type { SkillCandidate, SkillImport } from '../../../../shared/contract/learned/skill-imports.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { StepHeading } from '../../../ui/Dialog.tsx'
import { countOf, formatCount } from '../../../ui/text/format-values.ts'
import { useFocusedRow } from '../../../ui/row-state.tsx'
import { CandidateRow } from './CandidateRow.tsx'
import { askingCandidates, wrongNames } from './import-choices.ts'
import { useImport } from './skill-import-store.ts'
import { LeftOut, Source, ReadFirst } from './SourceNotes.tsx'
import { Problem } from '../../../ui/Banner.tsx'

/** Above this many candidates, the list gets a search field and its own scroll area. */
const MANY = 8

type Props = { found: SkillImport; installing: boolean; problem: string }

/** Reviews the fetched candidates before any is installed. */
export function CandidatesStep({ found, installing, problem }: Props): ReactNode {
  const { candidates } = found
  const choices = useImport(state => state.choices)
  const select = useImport(state => state.select)
  const open = useImport(state => state.open)
  const install = useImport(state => state.install)
  const restart = useImport(state => state.restart)
  const [query, setQuery] = useState('')
  const [onlyFound, setOnlyFound] = useState(false)
  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { focused, watch } = useFocusedRow()

  const suspect = useMemo(() => candidates.filter(isSuspect), [candidates])
  const shown = useMemo(() => {
    const words = query.trim().toLowerCase()
    return (onlyFound ? suspect : candidates).filter(({ name, description, path }) =>
      `${name} ${description} ${path}`.toLowerCase().includes(words),
    )
  }, [candidates, suspect, query, onlyFound])
  const wrong = useMemo(() => wrongNames(candidates, choices), [candidates, choices])
  const count = candidates.filter(({ path }) => choices[path] && choices[path].act !== 'skip').length
  const accepted = useImport(state => state.accepted)
  const isUnread = !accepted && askingCandidates(candidates, choices).length > 0
  const paths = shown.map(({ path }) => path)

  // The row index is known only after the filter is cleared.
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const index = candidates.findIndex(({ path }) => path === wanted.current)
    list.current?.scrollToIndex(index, { align: 'start' })
    wanted.current = undefined
  })
  const showWrong = () => {
    const first = candidates.find(({ path }) => wrong.has(path))
    if (!first) return
    setQuery('')
    setOnlyFound(false)
    open(first.path, true)
    wanted.current = first.path
  }

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-1">
        <StepHeading>{`${countOf(candidates.length, 'skill', 'skills')} found`}</StepHeading>
        <Source source={found.source} />
        <LeftOut leftOut={found.leftOut} />
      </div>
      {candidates.length > MANY && (
        <input
          type="text"
          aria-label="Find by name or description"
          placeholder="Find by name or description"
          spellCheck={false}
          value={query}
          className="field"
          onChange={event => setQuery(event.target.value)}
        />
      )}
      {candidates.length > 1 && (
        <div className="flex flex-wrap items-center gap-1.5">
          <button type="button" className="btn btn-quiet" onClick={() => select(paths, true)}>
            Select all
          </button>
          <button type="button" className="btn btn-quiet" onClick={() => select(paths, false)}>
            Select none
          </button>
          {suspect.length > 0 && (
            <button
              type="button"
              aria-pressed={onlyFound}
              className={onlyFound ? 'filter filter-on' : 'filter'}
              onClick={() => setOnlyFound(!onlyFound)}
            >
              {`With findings (${formatCount(suspect.length)})`}
            </button>
          )}
        </div>
      )}
      {candidates.length > MANY ? (
        <div
          ref={scroller}
          role="presentation"
          className="row-scroller h-[55dvh] overflow-y-auto rounded-xl border border-line"
          {...watch}
        >
          <CountContext value={shown.length}>
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              bufferSize={300}
              keepMounted={shown.flatMap(({ path }, index) => (path === focused ? [index] : []))}
              as={List}
              item={Item}
            >
              {shown.map(candidate => (
                <div key={candidate.path} data-item={candidate.path}>
                  <CandidateRow candidate={candidate} wrong={wrong.get(candidate.path)} />
                </div>
              ))}
            </Virtualizer>
          </CountContext>
        </div>
      ) : (
        <ul aria-label="Skills to import" className="rounded-xl border border-line">
          {shown.map(candidate => (
            <li key={candidate.path} className="border-t border-line first:border-transparent">
              <CandidateRow candidate={candidate} wrong={wrong.get(candidate.path)} />
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 && <p className="text-sm text-ink-3">No skill matches.</p>}
      <ReadFirst candidates={candidates} />
      <Problem className="text-sm break-words whitespace-pre-wrap" text={problem} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {wrong.size > 0 && (
          <p className="me-auto text-sm text-danger">
            {`Change the name of ${countOf(wrong.size, 'skill', 'skills')}. `}
            <button type="button" className="link-btn" onClick={showWrong}>
              Show
            </button>
          </p>
        )}
        <button type="button" className="btn btn-secondary" disabled={installing} onClick={restart}>
          Choose another
        </button>
        <button
          type="button"
          className="btn btn-primary px-5"
          disabled={installing || count === 0 || wrong.size > 0 || isUnread}
          onClick={() => void install()}
        >
          {installing && <Spinner />}
          {installing
            ? 'Installing…'
            : count === 0
              ? 'Install'
              : `Install ${countOf(count, 'skill', 'skills')}`}
        </button>
      </div>
    </div>
  )
}

/** Total number of rows, because only visible rows are rendered. */
const CountContext = createContext(0)

function List({ children, style, ref }: CustomContainerComponentProps & { ref?: Ref<HTMLUListElement> }) {
  return (
    <ul ref={ref} aria-label="Skills to import" style={style}>
      {children}
    </ul>
  )
}

function Item({ children, style, index, ref }: CustomItemComponentProps & { ref?: Ref<HTMLLIElement> }) {
  return (
    <li
      ref={ref}
      aria-posinset={index + 1}
      aria-setsize={use(CountContext)}
      style={style}
      className="border-b border-line"
    >
      {children}
    </li>
  )
}

const isSuspect = ({ scan, refused }: SkillCandidate) => refused !== null || scan.findings.length > 0
