import { useState, type ReactNode } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import type { UsageSum } from '../../../../shared/contract/usage.ts'
import { go } from '../../../route.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { Part } from '../sections/Part.tsx'
import { barsOf, localDay, startOfDay } from './bars.ts'
import { Chart } from './Chart.tsx'
import { usageText } from './strings.ts'
import { SumTable } from './SumTable.tsx'

type Range = keyof typeof usageText.ranges
type Usage = Awaited<ReturnType<HostClient['usage.read']>>

/** Days of a range, today included; none where it has no beginning. */
const lengths: Record<Range, number | null> = { week: 7, month: 30, quarter: 90, year: 365, all: null }

/** What models have read and written, what that took, and for what. */
export function UsagePanel(): ReactNode {
  const { client } = useLink()
  const [range, setRange] = useState<Range>('month')
  const [tries, setTries] = useState(0)
  // An answer that has ended counts.
  const running = useHost(
    host => Object.values(host.sessions).filter(({ activeRunId }) => activeRunId !== null).length,
  )
  const answer = useAsked(async signal => {
    const length = lengths[range]
    const now = new Date()
    const from = length === null ? null : startOfDay(now, length - 1)
    const asked = client['usage.read'](from === null ? {} : { from: from.getTime() }, { signal })
    const answer = await attempt(asked)
    return answer.ok
      ? { ok: true as const, value: { from, today: localDay(now), usage: answer.value } }
      : answer
  }, `${range} ${running} ${tries}`)
  return (
    <>
      <div>
        <div className="max-w-xl">
          <Segmented
            label={usageText.range}
            options={(Object.keys(usageText.ranges) as Range[]).map(value => ({
              value,
              label: usageText.ranges[value],
            }))}
            value={range}
            onChange={setRange}
          />
        </div>
        <div role="alert" className="notice-stack *:mt-4">
          {answer?.ok === false && (
            <Banner
              level="error"
              actions={
                <button type="button" className="btn btn-secondary" onClick={() => setTries(tries + 1)}>
                  {usageText.retry}
                </button>
              }
            >
              {usageText.failed(answer.fault.message)}
            </Banner>
          )}
        </div>
      </div>
      {answer?.ok && <Figures {...answer.value} />}
    </>
  )
}

function Figures({ usage, from, today }: { usage: Usage; from: Date | null; today: string }) {
  const { total, days, models, chats, kinds } = usage
  if (total.answers === 0) return <p className="text-sm text-ink-2">{usageText.nothing}</p>
  const first = from === null ? (days[0]?.day ?? today) : localDay(from)
  const isPriced = total.costUsd !== null
  return (
    <>
      <Part id="totals" title={usageText.totals}>
        <Totals total={total} />
      </Part>
      <Chart bars={barsOf(days, first, today)} isPriced={isPriced} />
      <SumTable
        caption={usageText.models}
        label={usageText.model}
        isPriced={isPriced}
        rows={models.map(each => ({ id: each.modelId, name: <bdi>{each.name}</bdi>, sum: each }))}
      />
      {chats.length > 0 && (
        <SumTable
          caption={usageText.chats}
          label={usageText.chat}
          isPriced={isPriced}
          rows={chats.map(each => ({ id: each.sessionId, name: <ChatName {...each} />, sum: each }))}
        />
      )}
      <SumTable
        caption={usageText.kinds}
        label={usageText.kind}
        isPriced={isPriced}
        rows={kinds.map(each => ({ id: each.kind, name: usageText.kindNames[each.kind], sum: each }))}
      />
    </>
  )
}

function ChatName({ sessionId, title }: { sessionId: string; title: string }) {
  if (title === '') return <span className="text-ink-3">{usageText.noTitle}</span>
  return (
    <button
      type="button"
      className="link-btn"
      title={usageText.openChat(title)}
      onClick={() => go({ chatId: sessionId })}
    >
      <bdi>{title}</bdi>
    </button>
  )
}

function Totals({ total }: { total: UsageSum }) {
  const { answers, promptTokens, cachedTokens, outputTokens, ms, costUsd } = total
  const share = promptTokens === 0 ? 0 : cachedTokens / promptTokens
  const rows: readonly (readonly [string, string, string?])[] = [
    [usageText.answers, usageText.count(answers)],
    [usageText.readTokens, usageText.count(promptTokens), usageText.cachedOf(share)],
    [usageText.writtenTokens, usageText.count(outputTokens)],
    [usageText.time, usageText.duration(ms)],
    costUsd === null
      ? [usageText.cost, usageText.noCost, usageText.noCostHint]
      : [usageText.cost, usageText.dollars(costUsd), usageText.costHint],
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
