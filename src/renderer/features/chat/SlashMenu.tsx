import { useEffect, useRef, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { skillText } from './skill-strings.ts'
import type { SlashMenu as Menu } from './use-slash-menu.ts'

/** What can stand after a slash, above the field that it is written in; the field keeps the focus. */
export function SlashMenu({ menu }: { menu: Menu }): ReactNode {
  const { id, offers, hidden, at, optionId, point, choose } = menu
  const list = useRef<HTMLDivElement>(null)
  const { menu: text } = skillText
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    // A press in it must not take the focus from the field.
    <div role="presentation" className="slash-menu" onMouseDown={event => event.preventDefault()}>
      {/* A list that belongs to another field has no element of its own. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div ref={list} id={id} role="listbox" tabIndex={0} aria-label={text.label}>
        {offers.map((offer, index) => (
          // The keys are taken by the field, which says which option is meant.
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
              {offer.says === '' ? text.noDescription : offer.says}
            </span>
            {offer.loads > 0 && <span className="shrink-0 text-xs text-ink-3">{text.uses(offer.loads)}</span>}
          </div>
        ))}
      </div>
      {hidden > 0 && <p className="px-2.5 py-1 text-xs text-ink-3">{text.more(hidden)}</p>}
      <output className="sr-only">{text.found(offers.length)}</output>
    </div>
  )
}
