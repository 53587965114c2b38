import type { ReactNode } from 'react'
import type { Approval } from '../../../shared/contract/run.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { cx } from '../../ui/style.ts'
import { useChat } from './chats.ts'
import type { Card } from './tool-calls.ts'

/** The arguments of a call, its result, and why it was allowed. */
export function ToolDetail({ card }: { card: Card }): ReactNode {
  const ran = card.phase !== 'denied' && !['not run', 'stopped'].includes(card.result?.allowed ?? '')
  return (
    <>
      <Arguments values={card.call.arguments} />
      {card.result ? (
        <Block label="Result" text={card.result.text} tone={card.phase === 'failed' ? 'danger' : 'plain'} />
      ) : (
        <LiveOutput callId={card.call.id} />
      )}
      {card.result && card.result.allowed !== '' && (
        <p className="text-xs text-ink-3">
          {ran ? 'Why it ran' : 'Why it did not run'}: {card.result.allowed}
        </p>
      )}
    </>
  )
}

/** Short values are shown inline, long ones in a block. */
function Arguments({ values }: { values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values).map(([name, value]) => [name, inWords(value)] as const)
  const short = entries.filter(([, text]) => !isLong(text))
  return (
    <>
      {short.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs">
          {short.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="ltr" className="min-w-0 font-mono break-words text-ink">
                {text}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {entries
        .filter(([, text]) => isLong(text))
        .map(([name, text]) => (
          <Block key={name} label={name} text={text} />
        ))}
    </>
  )
}

const isLong = (text: string) => text.length > 160 || text.includes('\n')
const inWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

function LiveOutput({ callId }: { callId: string }) {
  const output = useChat(chat => chat.live.outputs[callId] ?? '')
  return output === '' ? null : <Block label="Output so far" text={output} live />
}

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

type BlockProps = {
  label: string
  text: string
  tone?: 'plain' | 'danger'
  /** Keeps the end in view while the text grows. */
  live?: boolean
  /** Whether the text is a diff. When undefined, the text is inspected to decide. */
  diff?: boolean
}

/** A piece of output or a command, shown verbatim. A unified diff is coloured. */
function Block({ label, text, tone = 'plain', live = false, diff = isDiff(text) }: BlockProps): ReactNode {
  return (
    <figure className={cx('output-block', tone === 'danger' && 'border-danger/30 bg-danger-soft')}>
      <figcaption>
        <span>{label}</span>
        <CopyButton label={`Copy: ${label}`} doneLabel="Copied" text={() => text} />
      </figcaption>
      <Scrollable as="pre" label={label} dir="auto" atEnd={live}>
        {text === '' ? (
          <span className="text-ink-3 italic">It printed nothing.</span>
        ) : diff ? (
          diffLines(text)
        ) : (
          text
        )}
      </Scrollable>
    </figure>
  )
}

const isDiff = (text: string) => /^@@ .* @@/mu.test(text) || (/^--- /mu.test(text) && /^\+\+\+ /mu.test(text))

const diffLines = (text: string): ReactNode[] =>
  text.split('\n').map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines have no identity beyond their place
    <span key={index} className={cx('block min-h-[1lh]', lineLook(line))}>
      {line}
    </span>
  ))

function lineLook(line: string): string {
  if (/^(?:\+\+\+|---|@@)/u.test(line)) return 'text-ink-3'
  if (line.startsWith('+')) return 'diff-added'
  return line.startsWith('-') ? 'diff-removed' : ''
}
