import type { ReactNode } from 'react'
import { Banner } from '../../ui/Banner.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useActivity } from './activity-context.ts'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'

/** What an answer has brought about beyond its card: rules that were written, and what could not be taken back. */
export function Notes(): ReactNode {
  const written = useActivity(activity => activity.written)
  const left = useActivity(activity => activity.left)
  const forgetWritten = useActivity(activity => activity.forgetWritten)
  const forgetLeft = useActivity(activity => activity.forgetLeft)
  const setTab = useActivity(activity => activity.setTab)
  const { removeRule } = useActions()
  const text = activityText.rule
  const close = (onClick: () => void) => (
    <IconButton small label={activityText.close} onClick={onClick}>
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
                {text.undo}
              </button>
              <button type="button" className="btn btn-quiet" onClick={() => setTab('controls')}>
                {text.all}
              </button>
              {close(forgetWritten)}
            </>
          }
        >
          <span className="break-words">{text.written(rule.text)}</span>
        </Banner>
      ))}
      {left.length > 0 && (
        <Banner level="warning" actions={close(forgetLeft)}>
          {activityText.left}
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
