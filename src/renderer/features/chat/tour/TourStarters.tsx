import { BookOpen, Brain, Check, FilePen, type LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useChat } from '../chats.ts'
import { steps, type StepId, stepTexts } from './steps.ts'
import { useTour } from './tour-store.ts'

const icons: Partial<Record<StepId, LucideIcon>> = { remember: Brain, file: FilePen, skill: BookOpen }

/** The starters for the built-in model. Each shows a feature that only Talaria has. */
export function TourStarters({ onStarted }: { onStarted: () => void }): ReactNode {
  const send = useChat(chat => chat.send)
  const { tried } = useTour()
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mx-auto grid w-full max-w-lg gap-2.5">
      <div className="text-center">
        <h3 id={heading} className="text-sm font-medium">
          See it work in a minute
        </h3>
        <p className="text-sm text-balance text-ink-3">
          Three things to try with the built-in demo model. Click one; nothing leaves this computer.
        </p>
      </div>
      <ul className="grid gap-2">
        {steps
          .filter(({ needs }) => needs === undefined)
          .map(({ id, ask }) => {
            const Icon = icons[id] ?? Brain
            return (
              <li key={id}>
                <button
                  type="button"
                  className="tour-starter"
                  onClick={() => {
                    onStarted()
                    void send(ask)
                  }}
                >
                  <Icon size={17} className="mt-0.5 shrink-0 text-ink-3" />
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium">{stepTexts[id].title}</span>
                    <span className="block text-ink-3">{ask}</span>
                  </span>
                  {tried.has(id) && (
                    <span className="flex shrink-0 items-center gap-1 text-xs text-ok">
                      <Check size={14} />
                      Tried
                    </span>
                  )}
                </button>
              </li>
            )
          })}
      </ul>
    </section>
  )
}
