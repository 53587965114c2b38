import type { ReactNode } from 'react'
import type { HelpGroup, HelpPassage } from '../../../shared/contract/help.ts'
import { tellingWords } from '../../../shared/text/telling-words.ts'
import { goTo } from '../../route.ts'
import { cx } from '../../ui/style.ts'
import { countOf } from '../../ui/text/format-values.ts'
import { Highlight } from '../../ui/text/InlineText.tsx'

type ListProps = {
  groups: readonly HelpGroup[]
  /** The page that is shown; null for none. */
  id: string | null
  /** Whether to show a description below each title. */
  isRoomy: boolean
}

/** The Help pages in their groups. */
export function HelpList({ groups, id, isRoomy }: ListProps): ReactNode {
  return (
    <nav aria-label="Help pages" className="grid grid-cols-1 gap-4">
      {groups.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <h2 className="help-group">{title}</h2>
          {pages.map(page => (
            <button
              key={page.id}
              type="button"
              aria-current={page.id === id ? 'page' : undefined}
              className={cx('side-item help-row', page.id === id && 'bg-hover font-medium text-ink')}
              onClick={() => goTo({ page: 'help', itemId: page.id })}
            >
              <span className="max-w-full truncate">{page.title}</span>
              {isRoomy && page.about !== '' && (
                <span className="line-clamp-2 text-xs text-ink-3">{page.about}</span>
              )}
            </button>
          ))}
        </section>
      ))}
    </nav>
  )
}

type FoundProps = { passages: readonly HelpPassage[]; query: string }

/** The results of a search in Help. */
export function HelpFound({ passages, query }: FoundProps): ReactNode {
  const marked = tellingWords(query).join(' ')
  return (
    <section aria-label="Found in Help">
      <output className="mb-2 block px-2.5 text-xs text-ink-3">
        {passages.length === 0
          ? `Help says nothing about “${query}”.`
          : countOf(passages.length, 'passage found', 'passages found')}
      </output>
      {passages.map(({ id, title, heading, anchor, excerpt }) => (
        <button
          key={`${id}#${anchor}`}
          type="button"
          className="side-item help-row"
          onClick={() => goTo({ page: 'help', itemId: id, tab: anchor })}
        >
          <span className="max-w-full break-words text-ink">
            <Highlight text={heading ?? title} query={marked} />
          </span>
          {heading !== null && <span className="text-xs text-ink-3">{title}</span>}
          <span className="line-clamp-3 text-xs break-words text-ink-2">
            <Highlight text={excerpt} query={marked} />
          </span>
        </button>
      ))}
    </section>
  )
}
