import { useState } from 'react'
import type { LearningMode } from '../../../shared/contract/learning.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'

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
      // Leave an untouched setting unchanged, even if it could not be read.
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
