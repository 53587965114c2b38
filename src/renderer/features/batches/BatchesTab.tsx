import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { Problem } from '../../ui/Banner.tsx'
import { BatchCard } from './BatchCard.tsx'
import { useBatches } from './use-batches.ts'

/**
 * The batches that this host runs or remembers. If there are none, explains batches and the command that
 * starts one.
 */
export function BatchesTab(): ReactNode {
  const { batches, problem } = useBatches()
  return (
    <>
      {problem !== '' && <Problem text={`The batches could not be read: ${problem}`} />}
      {batches?.length === 0 && <NoBatches />}
      {batches && batches.length > 0 && (
        <ul aria-label="Batches" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {batches.map(batch => (
            <BatchCard key={batch.out} batch={batch} />
          ))}
        </ul>
      )}
    </>
  )
}

function NoBatches() {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-line-strong px-4 py-10 text-center">
      <Layers size={28} className="text-ink-3" aria-hidden="true" />
      <p className="text-sm font-medium">No batches here</p>
      <p className="max-w-md text-sm text-ink-2">
        A batch lets a model answer every row of a file, each in its own folder, and writes training data.
        Start one in a terminal to see it here:
      </p>
      <code
        dir="ltr"
        className="max-w-full rounded-lg bg-sunken px-3 py-2 text-start font-mono text-xs wrap-anywhere text-ink"
      >
        talaria batch rows.jsonl --out results
      </code>
      <p className="max-w-md text-xs text-ink-3">
        This list is empty after Talaria closes. The folder of a batch keeps everything, and the same command
        resumes it.
      </p>
    </div>
  )
}
