import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { listNames } from '../../../../shared/text/amounts.ts'
import { sayAdvice, sayAdvising, type Advising } from '../../../../shared/words/answer-words.ts'
import type { Advice } from '../../../../shared/contract/chats/messages.ts'
import { showHidden, showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { useKept } from '../../../ui/row-state.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'

/** The advice that the models of a mixture gave before an answer, collapsed below it. */
export function AdviceFold({ id, advice }: { id: string; advice: Advice }): ReactNode {
  const [open, setOpen] = useKept(`${id}:advice`, false)
  return (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      className="mt-1"
      inline
      line={
        <>
          <Users size={16} className="shrink-0" />
          <span dir="auto" className="truncate">
            {showHiddenInLine(sayAdvice(advice))}
          </span>
        </>
      }
    >
      <ul
        aria-label={`Advice in ${advice.mixture}`}
        className="ms-2 mb-2 grid gap-2 border-s-2 border-line ps-4"
      >
        {advice.given.map(({ model, text, problem }) => (
          <li key={model} className="text-sm break-words text-ink-2">
            <p dir="auto" className="font-medium">
              {showHiddenInLine(model)}
            </p>
            <p dir="auto" className="whitespace-pre-wrap">
              {problem === undefined ? showHidden(text) : `No advice. ${showHidden(problem)}`}
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

/** The progress of the models that give advice before an answer. Stop ends all of them. */
export function AdvisingRow({ advising }: { advising: Advising }): ReactNode {
  const { models, answered = [], failed = [] } = advising
  const waiting = models.filter(name => !answered.includes(name) && !failed.includes(name))
  const said = [
    ...(answered.length > 0 ? [`${listNames(answered)} answered`] : []),
    ...(failed.length > 0 ? [`${listNames(failed)} failed`] : []),
    `waiting for ${listNames(waiting)}`,
  ]
  return (
    <div className="flex items-start gap-2 py-2 text-sm text-ink-3">
      <span className="mt-0.5 shrink-0">
        <Spinner />
      </span>
      <output className="block min-w-0">
        {sayAdvising(advising)}
        <span dir="auto" className="block text-xs break-words">
          {showHiddenInLine(said.join(' · '))}
        </span>
      </output>
    </div>
  )
}
