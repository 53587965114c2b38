import { useId, useState, type ReactNode } from 'react'
import type { LearningMode } from '../../../shared/contract/learned/learning.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'

const MODE_TEXTS = {
  ask: ['Ask me first', 'What it finds waits on the Activity page until you keep or reject it.'],
  save: ['Save and tell me', 'Small things are saved at once, and you can undo them.'],
  off: ['Off', 'Chats are never reviewed. You can still tell it to remember something.'],
} as const

const SAMPLE_BUTTONS = ['Keep', 'Edit', 'Reject'] as const

const MODES: readonly LearningMode[] = ['ask', 'save', 'off']

/** Asks how Talaria learns and for first facts about the user. Both are saved on continue. */
export function LearningStep({ choice }: { choice: LearningChoice }): ReactNode {
  const name = useId()
  const { mode, setMode } = choice
  return (
    <>
      <p className="text-ink-2">
        After a chat, Talaria can review it for things about you that are worth remembering.
      </p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">How should it learn?</legend>
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
            <span className="text-sm font-medium">{MODE_TEXTS[each][0]}</span>
            <span className="text-sm text-ink-2">{MODE_TEXTS[each][1]}</span>
          </label>
        ))}
      </fieldset>
      {mode === 'ask' && <Sample />}
      <About choice={choice} />
    </>
  )
}

/** An illustration of a card, without working controls. */
function Sample() {
  return (
    <figure className="rounded-xl border border-dashed border-line-strong px-4 py-3">
      <figcaption className="mb-2 text-xs text-ink-3">This is what asking looks like</figcaption>
      <p className="text-sm font-medium">You use pnpm</p>
      <p className="text-xs text-ink-2">You said “we use pnpm here, not npm”.</p>
      <p aria-hidden className="mt-2 flex gap-2">
        {SAMPLE_BUTTONS.map(label => (
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
        About you (optional)
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={2}
        maxLength={1_000}
        placeholder="Prefers short answers in plain words."
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
        {problem ??
          'One thing per line. New chats start with exactly these words. You can change them later.'}
      </p>
      {kept.length > 0 && (
        <section aria-label="Kept on the Memory page" className="mt-2 text-sm text-ink-2">
          <h2 className="text-xs font-medium text-ink-2">Kept on the Memory page</h2>
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

const PATH = 'learning.mode'
const modes: readonly LearningMode[] = ['ask', 'save', 'off']

/** The learning mode and the user's facts, until both are saved. */
export type LearningChoice = {
  mode: LearningMode
  setMode: (mode: LearningMode) => void
  about: string
  setAbout: (about: string) => void
  /** Facts saved on an earlier visit to this step. */
  kept: readonly string[]
  problem: string | undefined
  /** Save both; resolves to whether all of it was saved. Idempotent. */
  save: () => Promise<boolean>
}

/** Starts from the current settings, because the user may run the setup again. */
export function useLearningChoice(): LearningChoice {
  const { client } = useLink()
  const asked = useAnswer('settings.list', {})
  const [chosen, setChosen] = useState<LearningMode>()
  const [about, setAbout] = useState('')
  const [kept, setKept] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string>()
  const known = asked?.ok ? asked.value.settings.find(each => each.path === PATH)?.value : undefined
  const mode = chosen ?? modes.find(each => each === known) ?? 'ask'

  const failed = (answer: Outcome<unknown>) => {
    if (!answer.ok) setProblem(answer.fault.message)
    return !answer.ok
  }
  return {
    mode,
    setMode: setChosen,
    about,
    setAbout(next) {
      setAbout(next)
      setProblem(undefined)
    },
    kept,
    problem,
    async save() {
      setProblem(undefined)
      // Leave an untouched setting unchanged, even if it could not be read.
      if (chosen !== undefined && chosen !== known) {
        if (failed(await attemptCall(client['settings.set']({ path: PATH, value: chosen })))) return false
      }
      const lines = linesOf(about)
      for (const [at, line] of lines.entries()) {
        if (failed(await attemptCall(client['memory.add']({ target: 'user', text: line })))) return false
        setAbout(lines.slice(at + 1).join('\n'))
        setKept(all => [...all, line])
      }
      return true
    },
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
