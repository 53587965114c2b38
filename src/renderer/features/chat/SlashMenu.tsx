import { useEffect, useRef, type ReactNode } from 'react'
import { cx } from '../../ui/style.ts'
import type { SlashMenu as Menu } from './use-slash-menu.ts'
import { formatCount } from '../../ui/format.ts'

/** The slash menu above the message field. The field keeps the focus. */
export function SlashMenu({ menu }: { menu: Menu }): ReactNode {
  const { id, offers, hidden, at, optionId, point, choose } = menu
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    // A press in the menu must not take the focus from the field.
    <div role="presentation" className="slash-menu" onMouseDown={event => event.preventDefault()}>
      {/* HTML has no element for a list controlled by another field. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div ref={list} id={id} role="listbox" tabIndex={0} aria-label="Skills and commands">
        {offers.map((offer, index) => (
          // The field handles the keys and names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={offer.word}
            id={optionId(index)}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="option"
            aria-selected={index === at}
            className={cx('slash-option', index === at && 'bg-hover')}
            onPointerMove={() => index !== at && point(index)}
            onClick={() => choose(offer)}
          >
            <span dir="ltr" className="max-w-3/5 shrink-0 truncate font-medium text-ink">
              {offer.word}
            </span>
            <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
              {offer.says === '' ? 'No description.' : offer.says}
            </span>
            {offer.loads > 0 && (
              <span className="shrink-0 text-xs text-ink-3">
                {offer.loads === 1 ? 'used once' : `used ${formatCount(offer.loads)} times`}
              </span>
            )}
          </div>
        ))}
      </div>
      {hidden > 0 && (
        <p className="px-2.5 py-1 text-xs text-ink-3">{`${formatCount(hidden)} more. Keep typing to find them.`}</p>
      )}
      <output className="sr-only">{`${offers.length === 1 ? '1 entry' : `${formatCount(offers.length)} entries`}. The arrow keys choose, Enter inserts, Esc closes the list.`}</output>
    </div>
  )
}
