import type { ReactNode } from 'react'
import type { Approval } from '../../../shared/contract/run.ts'
import { Block } from './Block.tsx'

const riskNames = {
  read: 'Reads',
  write: 'Changes files',
  execute: 'Runs a command',
  network: 'Uses the network',
}

/** The exact action, where it applies, and why it needs approval. */
export function ApprovalDetail({ approval }: { approval: Approval }): ReactNode {
  return (
    <div className="approval-detail">
      {approval.detail !== '' && <Detail approval={approval} />}
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-2">
        <span>{riskNames[approval.risk]}</span>
        {approval.folder !== '' && (
          <span className="min-w-0 break-all">
            Folder: <bdi className="font-mono">{approval.folder}</bdi>
          </span>
        )}
      </p>
      {approval.reason !== '' && <p className="text-sm text-ink-2">{approval.reason}</p>}
    </div>
  )
}

/** A new skill is shown as text even if it resembles a diff; a changed skill is shown as a diff. */
function Detail({ approval: { tool, detail } }: { approval: Approval }) {
  if (tool !== 'skill_manage') return <Block label="What exactly would run" text={detail} />
  const isDiff = detail.startsWith('@@ ')
  return <Block label={isDiff ? 'What would change' : 'What it says'} text={detail} diff={isDiff} />
}
