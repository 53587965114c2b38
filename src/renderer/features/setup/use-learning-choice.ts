import { useState } from 'react'
import type { LearningMode } from '../../../shared/contract/learning.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'

const PATH = 'learning.mode'
const modes: readonly LearningMode[] = ['ask', 'save', 'off']

/** How Talaria is to learn and what the person says of themselves, until both are kept. */
export type LearningChoice = {
  mode: LearningMode
  setMode: (mode: LearningMode) => void
  about: string
  setAbout: (about: string) => void
  /** What was kept on an earlier visit of the step. */
  kept: readonly string[]
  problem: string | undefined
  /** Keep it; resolves to whether all of it was. Doing it twice keeps nothing twice. */
  save: () => Promise<boolean>
}

/** Begins with what is set already, because a person may walk through the first steps again. */
export function useLearningChoice(): LearningChoice {
  const { client } = useLink()
  const asked = useAsked(() => attempt(client['settings.list']({})), PATH)
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
      // What nobody touched stays as it is, also when it could not be read.
      if (chosen !== undefined && chosen !== known) {
        if (failed(await attempt(client['settings.set']({ path: PATH, value: chosen })))) return false
      }
      const lines = linesOf(about)
      for (const [at, line] of lines.entries()) {
        if (failed(await attempt(client['memory.add']({ target: 'user', text: line })))) return false
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
