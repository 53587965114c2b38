import type { ReactNode } from 'react'
import { Banner } from '../../ui/Banner.tsx'
import { useMemory } from './memory-context.ts'
import { OutsideEdits } from './OutsideEdits.tsx'
import { memoryText } from './strings.ts'

/** What stands in the way: no answer, files that cannot be read, and files that another program changed. */
export function Trouble(): ReactNode {
  const problem = useMemory(memory => memory.problem)
  const unreadable = useMemory(memory => memory.view?.unreadable)
  const load = useMemory(memory => memory.load)
  const again = (label: string) => (
    <button type="button" className="btn btn-secondary" onClick={() => void load()}>
      {label}
    </button>
  )
  return (
    <>
      <div role="alert" className="notice-stack">
        {problem !== null && (
          <Banner level="error" actions={again(memoryText.retry)}>
            {memoryText.loadFailed(problem)}
          </Banner>
        )}
        {unreadable?.map(({ path, reason }) => (
          <Banner key={path} level="warning" actions={again(memoryText.lookAgain)}>
            <span className="break-words">{memoryText.unreadable(path, reason)}</span>
          </Banner>
        ))}
      </div>
      <OutsideEdits />
    </>
  )
}
