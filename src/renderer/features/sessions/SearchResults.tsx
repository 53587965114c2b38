import { useEffect, useState, type ReactNode } from 'react'
import type { Session } from '../../../shared/contract/session.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/cx.ts'
import { Highlight } from '../../ui/Highlight.tsx'
import { moveByKey } from './rows.ts'
import { sessionsText } from './strings.ts'

/** What is typed within this many milliseconds is one question. */
const TYPING_MS = 120

type Props = { activeId: string | null; query: string; onOpen: (id: string) => void }

/** Chats whose title or text has the words, with the words marked. */
export function SearchResults({ activeId, onOpen, query }: Props): ReactNode {
  const found = useFound(query)
  return (
    <div role="presentation" onKeyDown={moveByKey}>
      <output className="block px-2.5 pt-3 pb-1 text-xs text-ink-3">
        {found === undefined ? sessionsText.searching : summary(found, query)}
      </output>
      {found?.ok && (
        <ul>
          {found.value.map((session, index) => (
            <li key={session.id}>
              <button
                type="button"
                data-row=""
                tabIndex={index === 0 ? 0 : -1}
                aria-current={session.id === activeId ? 'page' : undefined}
                className={cx('side-item block', session.id === activeId && 'bg-active text-ink')}
                onClick={() => onOpen(session.id)}
              >
                <span dir="auto" className="block truncate">
                  <Highlight text={session.title || sessionsText.untitled} query={query} />
                </span>
                {session.preview !== '' && (
                  <span dir="auto" className="line-clamp-2 text-xs text-ink-3">
                    <Highlight text={session.preview} query={query} />
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function summary(found: Outcome<readonly Session[]>, query: string): string {
  if (!found.ok) return sessionsText.searchFailed(found.fault.message)
  return found.value.length === 0 ? sessionsText.noResults(query) : sessionsText.results(found.value.length)
}

/** The newest answer; it stays while the next one is on its way, so that the list does not flicker. */
function useFound(query: string): Outcome<readonly Session[]> | undefined {
  const find = useHost(host => host.findSessions)
  const [found, setFound] = useState<Outcome<readonly Session[]>>()
  useEffect(() => {
    const over = new AbortController()
    const timer = setTimeout(() => {
      void find(query, over.signal).then(answer => !over.signal.aborted && setFound(answer))
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [find, query])
  return found
}
