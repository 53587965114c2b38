import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { PromptSection } from '../../../../shared/contract/chats/session.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { CopyButton } from '../../../ui/IconButton.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { cx } from '../../../ui/style.ts'

/** One part of the context: a line with its size that expands to the exact text. */
export function ContextSection({ section }: { section: PromptSection }): ReactNode {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { name, title, tokens, text, stale, leftOut } = section
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className="context-line"
        onClick={() => setOpen(!open)}
      >
        <span aria-hidden="true" data-part={name} className="part size-2.5 shrink-0 rounded-[3px]" />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 wrap-anywhere text-ink">{title}</span>
          {leftOut !== undefined && (
            <span className="badge bg-warn-soft whitespace-nowrap text-warn">
              {tokens > 0 ? 'not complete' : 'left out'}
            </span>
          )}
          {stale && <span className="badge bg-warn-soft whitespace-nowrap text-warn">changed since</span>}
        </span>
        <span className="shrink-0 text-xs tabular-nums">
          {formatCount(tokens)}
          <span className="sr-only"> tokens</span>
        </span>
        <ChevronRight
          size={14}
          className={cx('shrink-0 transition-transform', open ? 'rotate-90' : 'rtl:rotate-180')}
        />
      </button>
      {open && (
        <div id={id} className="relative mx-2 mb-2 rounded-lg border border-line bg-side">
          {leftOut !== undefined && (
            <p className="p-2 pe-9 text-xs whitespace-pre-line text-ink-2">{`Left out: ${leftOut.text}`}</p>
          )}
          <CopyButton
            label={`Copy: ${title}`}
            doneLabel="Copied"
            text={() => text}
            className="absolute end-1 top-1 bg-side"
          />
          <Scrollable as="pre" label={title} dir="auto" className="context-text">
            {text === '' ? <span className="italic">This part is empty.</span> : text}
          </Scrollable>
        </div>
      )}
    </li>
  )
}

type BarProps = {
  sections: readonly PromptSection[]
  /** The number of free tokens in the context window. */
  free: number
}

/** A bar with the sizes of all parts and the free space after them. */
export function Bar({ sections, free }: BarProps): ReactNode {
  return (
    <div aria-hidden="true" className="flex h-2.5 gap-px overflow-hidden rounded-full bg-sunken">
      {sections
        .filter(section => section.tokens > 0)
        .map((section, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key
            key={`${section.name}${index}`}
            data-part={section.name}
            className="part min-w-0.5"
            style={{ flexGrow: section.tokens }}
          />
        ))}
      <span style={{ flexGrow: free }} />
    </div>
  )
}
