import type { ReactNode } from 'react'
import { Banner } from '../../ui/Banner.tsx'
import { useMemory } from './memory-context.ts'
import { OutsideEdits } from './OutsideEdits.tsx'

/** Problems: no response, unreadable files, and files changed by another program. */
export function MemoryTrouble(): ReactNode {
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
          <Banner level="error" actions={again('Try again')}>
            {`The memory could not be read: ${problem}`}
          </Banner>
        )}
        {unreadable?.map(({ path, reason }) => (
          <Banner key={path} level="warning" actions={again('Check again')}>
            <span className="break-words">{`${path} cannot be read (${reason}). It is left alone until you repair or move it.`}</span>
          </Banner>
        ))}
      </div>
      <OutsideEdits />
    </>
  )
}
