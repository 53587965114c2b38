import { useState, type ReactNode } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import type { UsageSum } from '../../../../shared/contract/connections/network.ts'
import { goTo } from '../../../route.ts'
import { useAnswers, useHost } from '../../../rpc/host-context.tsx'
import { useLastValue, useReading } from '../../../rpc/use-answer.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { Part } from '../SectionParts.tsx'
import { barsOf, localDay, startOfDay, formatCost, formatHours } from './measures.ts'
import { Chart, SumTable } from './Chart.tsx'
import { formatCount, formatShare } from '../../../ui/text/format-values.ts'

const KIND_NAMES = {
  chat: 'Chats',
  learning: 'Learning',
  question: 'Single questions',
  api: 'Other programs',
} as const

const ranges = { week: '7 days', month: '30 days', quarter: '90 days', year: 'A year', all: 'All' } as const

type Range = keyof typeof ranges
type Usage = Awaited<ReturnType<HostClient['usage.read']>>

/** Days in a range, including today. Null for all time. */
const lengths: Record<Range, number | null> = { week: 7, month: 30, quarter: 90, year: 365, all: null }

/** Token use, time and cost of the models, by purpose. */
export function UsagePanel(): ReactNode {
  const { ask, renew } = useAnswers()
  const [range, setRange] = useState<Range>('month')
  // Reload when an answer has ended.
  const running = useHost(
    host => Object.values(host.sessions).filter(({ activeRunId }) => activeRunId !== null).length,
  )
  const { value, problem } = useReading(
    {
      queryKey: ['usage.read', { range, running }],
      async queryFn({ signal }) {
        const length = lengths[range]
        const now = new Date()
        const from = length === null ? null : startOfDay(now, length - 1)
        const answer = await ask('usage.read', from === null ? {} : { from: from.getTime() }, signal)
        if (!answer.ok) throw answer.fault
        return { from, today: localDay(now), usage: answer.value }
      },
    },
    { isBrief: true },
  )
  const shown = useLastValue(value)
  return (
    <>
      <div>
        <div className="max-w-xl">
          <Segmented
            label="Period"
            options={(Object.keys(ranges) as Range[]).map(value => ({
              value,
              label: ranges[value],
            }))}
            value={range}
            onChange={setRange}
          />
        </div>
        <div role="alert" className="notice-stack *:mt-4">
          {problem !== null && (
            <Banner
              level="error"
              actions={
                <button type="button" className="btn btn-secondary" onClick={() => void renew(['usage'])}>
                  Try again
                </button>
              }
            >
              {`The figures could not be read: ${problem}`}
            </Banner>
          )}
        </div>
      </div>
      {shown && problem === null && <Figures {...shown} />}
    </>
  )
}

function Figures({ usage, from, today }: { usage: Usage; from: Date | null; today: string }) {
  const { total, days, models, chats, kinds } = usage
  if (total.answers === 0) return <p className="text-sm text-ink-2">No model has answered in this period.</p>
  const first = from === null ? (days[0]?.day ?? today) : localDay(from)
  const isPriced = total.costUsd !== null
  return (
    <>
      <Part id="totals" title="Total">
        <Totals total={total} />
      </Part>
      <Chart bars={barsOf(days, first, today)} isPriced={isPriced} />
      <SumTable
        caption="By model"
        label="Model"
        isPriced={isPriced}
        rows={models.map(each => ({ id: each.modelId, name: <bdi>{each.name}</bdi>, sum: each }))}
      />
      {chats.length > 0 && (
        <SumTable
          caption="By chat"
          label="Chat"
          isPriced={isPriced}
          rows={chats.map(each => ({ id: each.sessionId, name: <ChatName {...each} />, sum: each }))}
        />
      )}
      <SumTable
        caption="By purpose"
        label="Purpose"
        isPriced={isPriced}
        rows={kinds.map(each => ({ id: each.kind, name: KIND_NAMES[each.kind], sum: each }))}
      />
    </>
  )
}

function ChatName({ sessionId, title }: { sessionId: string; title: string }) {
  if (title === '') return <span className="text-ink-3">Untitled or deleted</span>
  return (
    <button
      type="button"
      className="link-btn"
      title={`Open the chat “${title}”`}
      onClick={() => goTo({ chatId: sessionId })}
    >
      <bdi>{title}</bdi>
    </button>
  )
}

function Totals({ total }: { total: UsageSum }) {
  const { answers, promptTokens, cachedTokens, outputTokens, ms, costUsd } = total
  const share = promptTokens === 0 ? 0 : cachedTokens / promptTokens
  const rows: readonly (readonly [string, string, string?])[] = [
    ['Answers', formatCount(answers)],
    ['Tokens read', formatCount(promptTokens), `${formatShare(share)} of them from the cache`],
    ['Tokens written', formatCount(outputTokens)],
    ['Time', formatHours(ms)],
    costUsd === null
      ? [
          'Cost',
          'No prices known',
          'Servers can report prices. You can also write them into the server’s entry.',
        ]
      : ['Cost', formatCost(costUsd), 'Where prices are known'],
  ]
  return (
    <dl className="usage-totals">
      {rows.map(([name, value, hint]) => (
        <div key={name} className="usage-total">
          <dt className="text-xs text-ink-3">{name}</dt>
          <dd>
            <span className="block text-lg font-semibold tabular-nums">{value}</span>
            {hint !== undefined && <span className="block text-xs text-ink-3">{hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
