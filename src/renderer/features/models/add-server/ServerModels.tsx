import { useId, useState, type ReactNode } from 'react'
import type { ServerCheck } from '../../../../shared/contract/models/model.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { byCount } from '../../../../shared/text/amounts.ts'

/** Lists up to this length need no search field. */
const SHORT = 8
/** Maximum rows to render. Some servers list thousands of models. */
const MOST = 100

type Props = { models: ServerCheck['models']; chosen: string; onChoose: (id: string) => void }

/** The models of a server as a single choice. */
export function ServerModels({ models, chosen, onChoose }: Props): ReactNode {
  const name = useId()
  const [query, setQuery] = useState('')
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = models.filter(({ id }) => words.every(word => id.toLowerCase().includes(word)))
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <legend className="mb-1 text-xs font-medium text-ink-2">
        {byCount(models.length, 'Its only model', `Its ${formatCount(models.length)} models`)}
      </legend>
      {models.length > SHORT && (
        <input
          type="search"
          aria-label="Filter the list"
          placeholder="Filter the list"
          autoComplete="off"
          spellCheck={false}
          className="field"
          value={query}
          onChange={event => setQuery(event.target.value)}
          onKeyDown={event => {
            // Enter would submit the form while the user is still searching.
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
      )}
      <div className="max-h-48 overflow-y-auto rounded-lg border border-line">
        {found.slice(0, MOST).map(({ id, contextTokens }) => (
          <label
            key={id}
            className="flex cursor-pointer items-baseline gap-2 px-3 py-1.5 text-sm hover:bg-hover has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              className="accent-accent outline-none"
              checked={id === chosen}
              onChange={() => onChoose(id)}
            />
            <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-3">
              <bdi className="min-w-0 break-words">{id}</bdi>
              {contextTokens !== null && (
                <span className="text-xs text-ink-2">{`reads ${formatCount(contextTokens)} tokens`}</span>
              )}
            </span>
          </label>
        ))}
        {found.length === 0 && (
          <p className="px-3 py-1.5 text-sm text-ink-2">{`No model name contains “${query}”.`}</p>
        )}
        {found.length > MOST && (
          <p className="px-3 py-1.5 text-xs text-ink-2">{`${formatCount(found.length - MOST)} more. Filter the list to see them.`}</p>
        )}
      </div>
    </fieldset>
  )
}
