import type { ReactNode } from 'react'
import type { Approval } from '../../../shared/contract/run.ts'
import { Block } from './Block.tsx'
import { chatText } from './strings.ts'

const text = chatText.approval

/** What would happen, to the letter, where, and why it is asked about. */
export function ApprovalDetail({ approval }: { approval: Approval }): ReactNode {
  return (
    <div className="approval-detail">
      {approval.detail !== '' && <Detail approval={approval} />}
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-2">
        <span>{text.risks[approval.risk]}</span>
        {approval.folder !== '' && (
          <span className="min-w-0 break-all">
            {text.folder}: <bdi className="font-mono">{approval.folder}</bdi>
          </span>
        )}
      </p>
      {approval.reason !== '' && <p className="text-sm text-ink-2">{approval.reason}</p>}
    </div>
  )
}

/** A skill that is new is a text, however much of it looks like a diff; one that changes is a diff. */
function Detail({ approval: { tool, detail } }: { approval: Approval }) {
  if (tool !== 'skill_manage') return <Block label={text.detail} text={detail} />
  const isDiff = detail.startsWith('@@ ')
  return <Block label={isDiff ? text.skillDiff : text.skillText} text={detail} diff={isDiff} />
}
