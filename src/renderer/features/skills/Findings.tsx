import { Info, ShieldAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ScanFinding } from '../../../shared/contract/skills.ts'
import { cx } from '../../ui/cx.ts'
import { skillsText } from './strings.ts'

const text = skillsText.scan

/** Findings that are shown at once. */
const FIRST = 12

type Props = { findings: readonly ScanFinding[]; onJump?: (finding: ScanFinding) => void }

/** What the scan found, the worst first: what it is, where, why, and what stands there. */
export function Findings({ findings, onJump }: Props): ReactNode {
  const [all, setAll] = useState(false)
  const ordered = findings.toSorted((a, b) => Number(b.block) - Number(a.block))
  const shown = all ? ordered : ordered.slice(0, FIRST)
  if (findings.length === 0) return null
  return (
    <>
      <ul aria-label={text.list} className="grid gap-2">
        {shown.map((finding, index) => (
          // Two findings of one rule can stand on one line.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="finding">
            <Finding finding={finding} onJump={onJump} />
          </li>
        ))}
      </ul>
      {shown.length < ordered.length && (
        <button type="button" className="btn btn-secondary mt-2" onClick={() => setAll(true)}>
          {text.more(ordered.length - shown.length)}
        </button>
      )}
    </>
  )
}

function Finding({ finding, onJump }: { finding: ScanFinding; onJump: Props['onJump'] }) {
  const { path, line, category, severity, block, reason, excerpt } = finding
  const Sign = block ? ShieldAlert : Info
  return (
    <>
      <Sign size={15} className={cx('mt-0.5 shrink-0', block ? 'text-danger' : 'text-warn')} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="text-sm">{reason}</p>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
          <span className={cx(block && 'text-danger')}>{text.categories[category]}</span>
          <span>{text.severities[severity]}</span>
          {onJump ? (
            <button
              type="button"
              aria-label={text.jumpTo(path, line)}
              className="link-btn"
              onClick={() => onJump(finding)}
            >
              {text.jump(path, line)}
            </button>
          ) : (
            <span>{text.jump(path, line)}</span>
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
