import type { ReactNode } from 'react'
import { partsOf } from './parts-of.ts'

/** A summary with its headings and lists. All other text is shown literally, never as markup. */
export function SummaryText({ text }: { text: string }): ReactNode {
  return (
    <div dir="auto" className="grid gap-2 break-words">
      {partsOf(text).map(({ heading, lines }) => (
        <div key={heading}>
          {heading !== '' && <h3 className="font-medium">{heading}</h3>}
          <ul className="list-disc ps-5 text-ink-2">
            {lines.map((line, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines have no identity beyond their place
              <li key={at}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
