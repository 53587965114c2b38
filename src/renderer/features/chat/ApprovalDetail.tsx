import type { ReactNode } from 'react'
import type { Approval } from '../../../shared/contract/run.ts'
import { Block } from './Block.tsx'
import { chatText } from './strings.ts'

/** What would happen, to the letter, where, and why it is asked about. */
export function ApprovalDetail({ approval }: { approval: Approval }): ReactNode {
  return (
    <div className="grid gap-2">
      {approval.detail !== '' && <Block label={chatText.approval.detail} text={approval.detail} />}
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-2">
        <span>{chatText.approval.risks[approval.risk]}</span>
        {approval.folder !== '' && (
          <span className="min-w-0 break-all">
            {chatText.approval.folder}: <bdi className="font-mono">{approval.folder}</bdi>
          </span>
        )}
      </p>
      {approval.reason !== '' && <p className="text-sm text-ink-2">{approval.reason}</p>}
    </div>
  )
}
