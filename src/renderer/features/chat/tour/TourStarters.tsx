import { BookOpen, Brain, Check, FilePen, type LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useChat } from '../chats.ts'
import { steps, type StepId } from './steps.ts'
import { tourText as text } from './strings.ts'
import { useTour } from './tour-store.ts'

const icons: Partial<Record<StepId, LucideIcon>> = { remember: Brain, file: FilePen, skill: BookOpen }

/** The ways to begin with the built-in model: each shows something that only Talaria does. */
export function TourStarters({ onStarted }: { onStarted: () => void }): ReactNode {
  const send = useChat(chat => chat.send)
  const { tried } = useTour()
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mx-auto grid w-full max-w-lg gap-2.5">
      <div className="text-center">
        <h3 id={heading} className="text-sm font-medium">
          {text.title}
        </h3>
        <p className="text-sm text-balance text-ink-3">{text.about}</p>
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
                    <span className="block font-medium">{text.steps[id].title}</span>
                    <span className="block text-ink-3">{ask}</span>
                  </span>
                  {tried.has(id) && (
                    <span className="flex shrink-0 items-center gap-1 text-xs text-ok">
                      <Check size={14} />
                      {text.tried}
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
