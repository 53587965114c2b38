import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { PromptSection } from '../../../../shared/contract/session.ts'
import { formatCount, formatShare } from '../../../ui/format.ts'
import { CopyButton } from '../../../ui/IconButton.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { cx } from '../../../ui/style.ts'

type Props = {
  section: PromptSection
  /** The tokens of all parts together. */
  of: number
}

/** One part of the context: a line with its size that expands to the exact text. */
export function ContextSection({ section, of }: Props): ReactNode {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { name, title, tokens, text, stale, leftOut } = section
  const share = of > 0 ? tokens / of : 0
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
        <span className="min-w-0 truncate text-ink">{title}</span>
        {leftOut !== undefined && (
          <span className="badge shrink-0 bg-warn-soft whitespace-nowrap text-warn">left out</span>
        )}
        {stale && (
          <span className="badge shrink-0 bg-warn-soft whitespace-nowrap text-warn">changed since</span>
        )}
        <span className="ms-auto shrink-0 text-xs tabular-nums">
          {formatCount(tokens)}
          <span className="sr-only"> tokens</span>
        </span>
        <span className="w-9 shrink-0 text-end text-xs tabular-nums">{formatShare(share)}</span>
        <ChevronRight
          size={14}
          className={cx('shrink-0 transition-transform', open ? 'rotate-90' : 'rtl:rotate-180')}
        />
      </button>
      {open && (
        <div id={id} className="relative mx-2 mb-2 rounded-lg border border-line bg-side">
          {leftOut !== undefined && (
            <p className="p-2 pe-9 text-xs whitespace-pre-line text-ink-2">Left out: {leftOut.text}</p>
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

/** The sizes of all parts, side by side. */
export function Bar({ sections, tokens }: { sections: readonly PromptSection[]; tokens: number }): ReactNode {
  if (tokens === 0) return null
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
    </div>
  )
}
