import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode, type Ref } from 'react'
import {
  Virtualizer,
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  type VirtualizerHandle,
} from 'virtua'
import type { SkillCandidate, SkillImport } from '../../../../shared/contract/skill-imports.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { StepHeading } from '../../../ui/StepHeading.tsx'
import { CandidateRow } from './CandidateRow.tsx'
import { wrongNames } from './choices.ts'
import { useImport } from './import-context.ts'
import { LeftOut } from './LeftOut.tsx'
import { importText } from './strings.ts'

/** Fewer are seen at a glance, and need neither a search nor a place that scrolls by itself. */
const MANY = 8

type Props = { found: SkillImport; installing: boolean; problem: string }

/** What was fetched, candidate by candidate, before anything of it is installed. */
export function ReviewStep({ found, installing, problem }: Props): ReactNode {
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

  const suspect = useMemo(() => candidates.filter(isSuspect), [candidates])
  const shown = useMemo(() => {
    const words = query.trim().toLowerCase()
    return (onlyFound ? suspect : candidates).filter(({ name, description, path }) =>
      `${name} ${description} ${path}`.toLowerCase().includes(words),
    )
  }, [candidates, suspect, query, onlyFound])
  const wrong = useMemo(() => wrongNames(candidates, choices), [candidates, choices])
  const count = candidates.filter(({ path }) => choices[path] && choices[path].act !== 'skip').length
  const paths = shown.map(({ path }) => path)

  // Only once everything is shown its place in the list is known.
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
    <div className="grid min-w-0 gap-3">
      <div className="grid gap-1">
        <StepHeading>{importText.found(candidates.length)}</StepHeading>
        <Source source={found.source} />
        <LeftOut leftOut={found.leftOut} />
      </div>
      {candidates.length > MANY && (
        <input
          type="text"
          aria-label={importText.filter}
          placeholder={importText.filter}
          spellCheck={false}
          value={query}
          className="field"
          onChange={event => setQuery(event.target.value)}
        />
      )}
      {candidates.length > 1 && (
        <div className="flex flex-wrap items-center gap-1.5">
          <button type="button" className="btn btn-quiet" onClick={() => select(paths, true)}>
            {importText.all}
          </button>
          <button type="button" className="btn btn-quiet" onClick={() => select(paths, false)}>
            {importText.none}
          </button>
          {suspect.length > 0 && (
            <button
              type="button"
              aria-pressed={onlyFound}
              className={onlyFound ? 'filter filter-on' : 'filter'}
              onClick={() => setOnlyFound(!onlyFound)}
            >
              {importText.onlyFound(suspect.length)}
            </button>
          )}
        </div>
      )}
      {candidates.length > MANY ? (
        <div ref={scroller} className="h-[55dvh] overflow-y-auto rounded-xl border border-line">
          <CountContext value={shown.length}>
            <Virtualizer ref={list} scrollRef={scroller} bufferSize={300} as={List} item={Item}>
              {shown.map(candidate => (
                <CandidateRow key={candidate.path} candidate={candidate} wrong={wrong.get(candidate.path)} />
              ))}
            </Virtualizer>
          </CountContext>
        </div>
      ) : (
        <ul aria-label={importText.list} className="rounded-xl border border-line">
          {shown.map(candidate => (
            <li key={candidate.path} className="border-t border-line first:border-transparent">
              <CandidateRow candidate={candidate} wrong={wrong.get(candidate.path)} />
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 && <p className="text-sm text-ink-3">{importText.noneShown}</p>}
      {problem !== '' && (
        <p role="alert" className="text-sm break-words whitespace-pre-wrap text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {wrong.size > 0 && (
          <p className="me-auto text-sm text-danger">
            {importText.wrongNames(wrong.size)}{' '}
            <button type="button" className="link-btn" onClick={showWrong}>
              {importText.showWrong}
            </button>
          </p>
        )}
        <button type="button" className="btn btn-secondary" disabled={installing} onClick={restart}>
          {importText.another}
        </button>
        <button
          type="button"
          className="btn btn-primary px-5"
          disabled={installing || count === 0 || wrong.size > 0}
          onClick={() => void install()}
        >
          {installing && <Spinner />}
          {installing ? importText.installing : importText.install(count)}
        </button>
      </div>
    </div>
  )
}

/** How many rows there are; only those in sight exist. */
const CountContext = createContext(0)

function List({ children, style, ref }: CustomContainerComponentProps & { ref?: Ref<HTMLUListElement> }) {
  return (
    <ul ref={ref} aria-label={importText.list} style={style}>
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

/** Where it was fetched, and which state of it. */
export function Source({ source: { address, commit } }: { source: SkillImport['source'] }): ReactNode {
  return (
    <p className="text-xs break-words text-ink-3">
      {importText.from}{' '}
      <span dir="ltr" className="font-mono break-all">
        {address}
      </span>
      {commit !== null && (
        <>
          {' '}
          {importText.commit}{' '}
          <span dir="ltr" className="font-mono" title={commit}>
            {commit.slice(0, 12)}
          </span>
        </>
      )}
    </p>
  )
}
