import { CircleX, CircleHelp, Snail, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CatalogueFile, CatalogueModel } from '../../../../shared/contract/models/download.ts'
import { cx } from '../../../ui/style.ts'
import { countOf, formatBytes } from '../../../ui/text/format-values.ts'
import { expectedSpeed } from '../../../expected-speed.ts'

/** Words per second from which an answer arrives about as fast as people read aloud. */
const FAST = 5

type Speed = { kind: 'fast' | 'fair' | 'slow' | 'too big' | 'unknown'; text: string }

/**
 * Tell how a catalogue model would run on this computer: fast, slow, or too big. The words per second are the
 * middle of the estimated range.
 * @internal Tested by itself.
 */
export function tellSpeed(
  model: Pick<CatalogueModel, 'activeShare'>,
  file: Pick<CatalogueFile, 'sizeBytes' | 'fit'>,
  cores: number,
): Speed {
  const { fit } = file
  if (fit?.label === 'too_big')
    return {
      kind: 'too big',
      text: `Too big for this computer: ${formatBytes(fit.missingBytes)} of memory missing`,
    }
  const speed = expectedSpeed(model, file, cores)
  if (!fit || !speed) return { kind: 'unknown', text: 'Cannot tell whether it fits' }
  // The geometric mean, because the range is a factor up and down.
  const words = Math.max(1, Math.round(Math.sqrt(speed.low * speed.high)))
  const rate = countOf(words, 'word', 'words')
  if (words >= 3 * FAST) return { kind: 'fast', text: `Fast here: about ${rate} a second` }
  if (words >= FAST) return { kind: 'fair', text: `Runs well here: about ${rate} a second` }
  return { kind: 'slow', text: `Slow here: about ${rate} a second` }
}

const SIGNS = {
  fast: [Zap, 'fit-good'],
  fair: [Zap, 'fit-unsure'],
  slow: [Snail, 'fit-warn'],
  'too big': [CircleX, 'fit-bad'],
  unknown: [CircleHelp, 'fit-unsure'],
} as const

type Props = { model: CatalogueModel; file: CatalogueFile | undefined; cores: number }

/** A short label with a sign: fast, slow or too big for this computer. */
export function SpeedLabel({ model, file, cores }: Props): ReactNode {
  if (!file?.fit) return null
  const { kind, text } = tellSpeed(model, file, cores)
  const [Sign, tone] = SIGNS[kind]
  return (
    <span className={cx('fit-label speed-label', tone)} title={file.fit.uncertain || undefined}>
      <Sign aria-hidden="true" size={14} className="shrink-0" />
      {text}
    </span>
  )
}
