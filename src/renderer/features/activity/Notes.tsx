import type { ReactNode } from 'react'
import { Banner } from '../../ui/Banner.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { useActivity, useActivityActions } from './use-activity.ts'

/** Side effects of a decision: added rules, and what could not be undone. */
export function Notes(): ReactNode {
  const written = useActivity(activity => activity.written)
  const left = useActivity(activity => activity.left)
  const forgetWritten = useActivity(activity => activity.forgetWritten)
  const forgetLeft = useActivity(activity => activity.forgetLeft)
  const setTab = useActivity(activity => activity.setTab)
  const { removeRule } = useActivityActions()
  const close = (onClick: () => void) => (
    <IconButton small label="Close" onClick={onClick}>
      <Icon name="close" size={14} />
    </IconButton>
  )
  return (
    <div aria-live="polite" className="notice-stack">
      {written.map(rule => (
        <Banner
          key={rule.id}
          level="info"
          actions={
            <>
              <button type="button" className="btn btn-secondary" onClick={() => void removeRule(rule.id)}>
                Undo the rule
              </button>
              <button type="button" className="btn btn-quiet" onClick={() => setTab('controls')}>
                All rules
              </button>
              {close(forgetWritten)}
            </>
          }
        >
          <span className="break-words">{`Rule added: ${rule.text}. Reviews follow it from now on.`}</span>
        </Banner>
      ))}
      {left.length > 0 && (
        <Banner level="warning" actions={close(forgetLeft)}>
          Some changes could not be undone:
          <ul className="list-disc ps-5">
            {[...new Set(left)].map(each => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  )
}
