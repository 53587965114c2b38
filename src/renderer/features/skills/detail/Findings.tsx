import { Info, ShieldAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ScanFinding } from '../../../../shared/contract/learned/skills.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { cx } from '../../../ui/style.ts'

const SEVERITIES = { info: 'note', low: 'low', medium: 'medium', high: 'high', critical: 'critical' } as const

const CATEGORIES = {
  exfiltration: 'Sends data away',
  'prompt-injection': 'Gives the model hidden instructions',
  destructive: 'Destroys data',
  persistence: 'Installs itself permanently',
  obfuscation: 'Hides what it does',
  'supply-chain': 'Downloads other code',
  'privilege-escalation': 'Gains more rights',
  'path-traversal': 'Leaves its folder',
  credentials: 'Reads secrets',
  structure: 'Built differently from most skills',
} as const

/** Number of findings shown before the list is expanded. */
const FIRST = 12

type Props = { findings: readonly ScanFinding[]; onJump?: (finding: ScanFinding) => void }

/** The scan findings, most severe first, each with its place, reason and excerpt. */
export function Findings({ findings, onJump }: Props): ReactNode {
  const [all, setAll] = useState(false)
  const ordered = findings.toSorted((a, b) => Number(b.block) - Number(a.block))
  const shown = all ? ordered : ordered.slice(0, FIRST)
  if (findings.length === 0) return null
  return (
    <>
      <ul aria-label="What was found" className="grid gap-2">
        {shown.map((finding, index) => (
          // One rule can have two findings on the same line.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="finding">
            <Finding finding={finding} onJump={onJump} />
          </li>
        ))}
      </ul>
      {shown.length < ordered.length && (
        <button type="button" className="btn btn-secondary mt-2" onClick={() => setAll(true)}>
          {`Show ${formatCount(ordered.length - shown.length)} more`}
        </button>
      )}
    </>
  )
}

function Finding({ finding, onJump }: { finding: ScanFinding; onJump: Props['onJump'] }) {
  const { path, line, category, severity, block, reason, excerpt } = finding
  const Sign = block ? ShieldAlert : Info
  const place = category === 'structure' ? path || 'the whole skill' : `${path}, line ${line}`
  return (
    <>
      <Sign size={16} className={cx('mt-0.5 shrink-0', block ? 'text-danger' : 'text-warn')} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="text-sm">{reason}</p>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
          <span className={cx(block && 'text-danger')}>{CATEGORIES[category]}</span>
          <span>{SEVERITIES[severity]}</span>
          {onJump && path !== '' ? (
            <button
              type="button"
              aria-label={`Go to ${place}`}
              className="link-btn"
              onClick={() => onJump(finding)}
            >
              {place}
            </button>
          ) : (
            <span>{place}</span>
          )}
        </p>
        {excerpt !== '' && (
          <code dir="ltr" className="finding-excerpt">
            {excerpt}
          </code>
        )}
      </div>
    </>
  )
}
