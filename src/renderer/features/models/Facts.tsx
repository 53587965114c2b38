import { useId, type ReactNode } from 'react'

/** A label and its value. The value is empty when unknown. */
export type Fact = readonly [name: string, value: string]

/** A short table of facts. Unknown facts are left out. */
export function Facts({ title, facts }: { title: string; facts: readonly Fact[] }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-1.5">
      <h2 id={id} className="text-xs font-semibold text-ink-2">
        {title}
      </h2>
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="auto" className="min-w-0 break-words">
                {value}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
