import { useMemo, type ReactNode } from 'react'
import type { Approval } from '../../../shared/contract/run.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { useFold } from '../../ui/fold.tsx'
import { cx } from '../../ui/style.ts'
import { hasRun, sayRecord } from '../../../shared/call-words.ts'
import { readPlan } from '../../../shared/plan.ts'
import { PlanList } from './Plan.tsx'
import { LeavingText } from './web/LeavingText.tsx'
import { WebPages } from './web/WebPages.tsx'
import { useChat } from './chats.ts'
import type { Card } from './tool-calls.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** The arguments of a call, its result, and why it was allowed. */
export function ToolDetail({ card }: { card: Card }): ReactNode {
  const why = card.result ? sayRecord(card.result.record) : ''
  const ran = card.phase !== 'denied' && (!card.result || hasRun(card.result.record))
  const web = card.result?.ok ? card.result.record.web : undefined
  const plan = card.call.name === 'todo' && card.result?.ok ? readPlan(card.result.text) : undefined
  return (
    <>
      {plan ? <PlanList steps={plan} /> : <Arguments values={card.call.arguments} />}
      {web && <WebPages label="Pages" pages={web.pages} answeredBy={web.answeredBy} />}
      {plan ? null : card.result ? (
        <Block
          label={web ? 'What the model got' : 'Result'}
          text={card.result.text}
          tone={card.phase === 'failed' ? 'danger' : 'plain'}
        />
      ) : (
        <LiveOutput callId={card.call.id} />
      )}
      {why !== '' && (
        <p className="text-xs text-ink-3">
          {ran ? 'Why it ran' : 'Why it did not run'}: {showHidden(why)}
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
              <dt className="text-ink-3">{showHidden(name)}</dt>
              <dd dir="ltr" className="min-w-0 font-mono break-words text-ink">
                {showHidden(text)}
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

function kindOf({ tool, uses, risk }: Approval): string {
  if (tool === 'schedule') return 'Changes what runs by itself'
  return uses === undefined ? riskNames[risk] : `Uses ${showHidden(uses)}`
}

/** The exact action, where it applies, and why it needs approval. */
export function ApprovalDetail({ approval }: { approval: Approval }): ReactNode {
  return (
    <div className="approval-detail">
      {approval.sends ? (
        <LeavingText sends={approval.sends} />
      ) : (
        approval.detail !== '' && <Detail approval={approval} />
      )}
      {approval.parts !== undefined && <Parts parts={approval.parts} />}
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-2">
        {approval.parts === undefined && <span className="min-w-0 break-words">{kindOf(approval)}</span>}
        {!approval.sends && !approval.title.includes(approval.folder) && (
          <span className="min-w-0 break-all">
            Folder: <bdi className="font-mono">{showHidden(approval.folder)}</bdi>
          </span>
        )}
      </p>
      {approval.reason !== '' && <p className="text-sm text-ink-2">{showHidden(approval.reason)}</p>}
    </div>
  )
}

/** What each simple command does. A single one is above already, so only its reasons are listed. */
function Parts({ parts }: { parts: NonNullable<Approval['parts']> }) {
  return (
    <ul aria-label="What it does" className="grid gap-0.5 text-sm text-ink">
      {parts.map(({ command, reasons }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity beyond their place
        <li key={at} className="flex flex-wrap gap-x-2">
          {parts.length > 1 && (
            <bdi dir="ltr" className="min-w-0 font-mono text-xs leading-5 break-all text-ink-2">
              {showHidden(command)}
            </bdi>
          )}
          <span>{capitalise(reasons.join(', '))}</span>
        </li>
      ))}
    </ul>
  )
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const detailNames = {
  read: 'What would be read',
  write: 'What would change',
  execute: 'What exactly would run',
  network: 'What exactly would run',
}

/** A new skill is shown as text even if it resembles a diff; a changed skill is shown as a diff. */
function Detail({ approval: { tool, risk, detail, uses } }: { approval: Approval }) {
  if (uses !== undefined) return <Block label="What it is given" text={detail} dir="ltr" />
  if (tool === 'describe_picture') return <p className="text-sm break-words">{showHidden(detail)}</p>
  if (tool === 'schedule') return <Block label="What would run by itself" text={detail} />
  if (tool !== 'skill_manage') return <Block label={detailNames[risk]} text={detail} dir="ltr" />
  const isDiff = detail.startsWith('@@ ')
  return <Block label={isDiff ? 'What would change' : 'What it says'} text={detail} diff={isDiff} />
}

type BlockProps = {
  label: string
  text: string
  tone?: 'plain' | 'danger'
  /** Keeps the end in view while the text grows. */
  live?: boolean
  /** Of a command, `ltr`: letters of right-to-left scripts in it must not turn the whole line around. */
  dir?: 'auto' | 'ltr'
  /** Whether the text is a diff. When undefined, the text is inspected to decide. */
  diff?: boolean
}

/** A piece of output or a command, shown verbatim with hidden characters written out. A unified diff is coloured. */
export function Block({
  label,
  text,
  tone = 'plain',
  live = false,
  dir = 'auto',
  diff = isDiff(text),
}: BlockProps): ReactNode {
  const visible = useMemo(() => showHidden(text), [text])
  const { shown, buttons } = useFold(visible, 'output', live)
  return (
    <figure className={cx('output-block', tone === 'danger' && 'border-danger/30 bg-danger-soft')}>
      <figcaption>
        <span>{label}</span>
        <CopyButton label={`Copy: ${label}`} doneLabel="Copied" text={() => text} />
      </figcaption>
      <Scrollable as="pre" label={label} dir={dir} atEnd={live}>
        {text === '' ? (
          <span className="text-ink-3 italic">It printed nothing.</span>
        ) : diff ? (
          diffLines(shown)
        ) : (
          shown
        )}
      </Scrollable>
      {buttons}
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
