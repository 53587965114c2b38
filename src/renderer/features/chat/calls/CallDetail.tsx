import { useMemo, type ReactNode } from 'react'
import { CopyButton } from '../../../ui/IconButton.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { useFold } from '../../../ui/text/fold-text.tsx'
import { cx } from '../../../ui/style.ts'
import { hasRun, sayRecord } from '../../../../shared/words/call-words.ts'
import { readPlan } from '../../../../shared/plan-steps.ts'
import { PlanList } from './Plan.tsx'
import { WebPages } from '../web/WebPages.tsx'
import { useChat } from '../store/open-chats.ts'
import type { Card } from './tool-calls.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

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

type ArgumentsProps = {
  values: Readonly<Record<string, unknown>>
  /** How to write a value; by default, text is written as it is. */
  write?: (value: unknown) => string
}

/** The arguments of a call: short values inline, long ones in a block. */
export function Arguments({ values, write = inWords }: ArgumentsProps): ReactNode {
  const entries = Object.entries(values).map(([name, value]) => [name, write(value)] as const)
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

type BlockProps = {
  label: string
  text: string
  tone?: 'plain' | 'danger'
  /** Keeps the end in view while the text grows. */
  live?: boolean
  /** `ltr` for commands: right-to-left letters in them must not reverse the whole line. */
  dir?: 'auto' | 'ltr'
  /** Whether the text is a diff. When undefined, the text is inspected to decide. */
  diff?: boolean
  /** Hide the label from sight, but not from screen readers, if the text speaks for itself. */
  bare?: boolean
  /** The text that the button copies, if it differs. */
  copied?: string
  /** Renders the shown part of the text, instead of plain lines. */
  draw?: (shown: string) => ReactNode
}

/** A piece of output or a command, shown verbatim with hidden characters written out. A unified diff is coloured. */
export function Block({
  label,
  text,
  tone = 'plain',
  live = false,
  dir = 'auto',
  diff = isDiff(text),
  bare = false,
  copied = text,
  draw = diff ? diffLines : shown => shown,
}: BlockProps): ReactNode {
  const visible = useMemo(() => showHidden(text), [text])
  const { shown, buttons } = useFold(visible, 'output', live)
  return (
    <figure
      className={cx(
        'output-block',
        bare && 'bare-block',
        tone === 'danger' && 'border-danger/30 bg-danger-soft',
      )}
    >
      <figcaption>
        <span className={bare ? 'sr-only' : undefined}>{label}</span>
        <CopyButton label={`Copy: ${label}`} doneLabel="Copied" text={() => copied} />
      </figcaption>
      <Scrollable as="pre" label={label} dir={dir} atEnd={live}>
        {text === '' ? <span className="text-ink-3 italic">It printed nothing.</span> : draw(shown)}
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
