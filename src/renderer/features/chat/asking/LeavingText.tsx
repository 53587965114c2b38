import type { ReactNode } from 'react'
import type { Approval } from '../../../../shared/contract/runs/run.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { markParts } from './mark-parts.ts'

/** The whole text that a web call would send. Parts that come from texts of the chat are marked. */
export function LeavingText({ sends: { text, data } }: { sends: NonNullable<Approval['sends']> }): ReactNode {
  return (
    <figure className="output-block leaving-text">
      <figcaption className="pt-2 pb-1">
        <span>What leaves this computer</span>
      </figcaption>
      <Scrollable as="pre" label="What leaves this computer" dir="ltr">
        {markParts(text, data).map((part, at) =>
          // oxlint-disable-next-line react/no-array-index-key -- parts have no identity beyond their place
          at % 2 === 1 ? <mark key={at}>{showHidden(part)}</mark> : showHidden(part),
        )}
      </Scrollable>
    </figure>
  )
}
