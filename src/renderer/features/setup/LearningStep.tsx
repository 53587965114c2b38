import { useId, type ReactNode } from 'react'
import type { LearningMode } from '../../../shared/contract/learning.ts'
import { setupText } from './strings.ts'
import type { LearningChoice } from './use-learning-choice.ts'

const text = setupText.learning
const MODES: readonly LearningMode[] = ['ask', 'save', 'off']

/** How to learn, and first sentences about the person. Both are kept when the person goes on. */
export function LearningStep({ choice }: { choice: LearningChoice }): ReactNode {
  const name = useId()
  const { mode, setMode } = choice
  return (
    <>
      <p className="text-ink-2">{text.about}</p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">{text.title}</legend>
        {MODES.map(each => (
          <label
            key={each}
            className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 rounded-xl border border-line bg-raised px-4 py-3 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              className="row-span-2 mt-1 self-start accent-accent outline-none"
              checked={mode === each}
              onChange={() => setMode(each)}
            />
            <span className="text-sm font-medium">{text.modes[each][0]}</span>
            <span className="text-sm text-ink-2">{text.modes[each][1]}</span>
          </label>
        ))}
      </fieldset>
      {mode === 'ask' && <Sample />}
      <About choice={choice} />
    </>
  )
}

/** A picture of a card: nothing in it can be pressed. */
function Sample() {
  return (
    <figure className="rounded-xl border border-dashed border-line-strong px-4 py-3">
      <figcaption className="mb-2 text-xs text-ink-3">{text.sample}</figcaption>
      <p className="text-sm font-medium">{text.sampleHeadline}</p>
      <p className="text-xs text-ink-2">{text.sampleWhy}</p>
      <p aria-hidden className="mt-2 flex gap-2">
        {text.sampleButtons.map(label => (
          <span key={label} className="badge px-3 py-1">
            {label}
          </span>
        ))}
      </p>
    </figure>
  )
}

function About({ choice: { about, setAbout, kept, problem } }: { choice: LearningChoice }) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {text.you}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={2}
        maxLength={1_000}
        placeholder={text.youPlaceholder}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
        className="field field-sizing-content max-h-40 min-h-15 resize-none"
        value={about}
        onChange={event => setAbout(event.target.value)}
      />
      <p
        id={`${id}-hint`}
        role={problem === undefined ? undefined : 'alert'}
        className={problem === undefined ? 'text-xs text-ink-3' : 'text-xs text-danger'}
      >
        {problem ?? text.youHint}
      </p>
      {kept.length > 0 && (
        <section aria-label={text.kept} className="mt-2 text-sm text-ink-2">
          <h2 className="text-xs font-medium text-ink-2">{text.kept}</h2>
          <ul className="list-disc ps-5">
            {kept.map((line, at) => (
              <li key={at} dir="auto" className="break-words">
                {line}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
