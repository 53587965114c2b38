import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { Kbd } from '../../../ui/text/InlineText.tsx'
import { cx } from '../../../ui/style.ts'

type Props = {
  card: RefObject<HTMLElement | null>
  /** Handles the shortcut keys that are shown on its buttons. */
  onKeyDown: (event: KeyboardEvent) => void
  icon: ReactNode
  title: ReactNode
  /** Why the last answer did not arrive; empty otherwise. */
  problem: string
  answers: ReactNode
  className?: string
  children?: ReactNode
}

/** The frame of a question to the user: a title, details and the answers. */
export function AskingCard({ card, onKeyDown, icon, title, problem, answers, className, children }: Props) {
  return (
    // The card handles the shortcut keys shown on its buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={card}
      aria-label="A question for you"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      data-approval=""
      className={cx('approval-card', className)}
    >
      <header className="flex items-start gap-2">
        <span className="mt-0.5 shrink-0">{icon}</span>
        <h2 dir="auto" className="min-w-0 flex-1 text-sm font-semibold break-words">
          {title}
        </h2>
        <span className="key-hint items-center gap-1 text-2xs text-ink-3">
          Answer by keyboard
          <Kbd keys="mod+j" />
        </span>
      </header>
      {children}
      {problem !== '' && (
        <p role="alert" className="text-sm text-danger">
          {`Your answer did not arrive: ${problem}`}
        </p>
      )}
      {answers}
    </section>
  )
}
