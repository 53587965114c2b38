import { History } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ActivityItem, Proposal } from '../../../shared/contract/learned/learning.ts'
import { MANY } from '../../ui/style.ts'
import { formatCount } from '../../ui/text/format-values.ts'
import { groupItems, keyOf, waitingIn } from './activity-state.ts'
import { useCardKeys } from './card-focus.ts'
import { ActivityBulkBar, ActivityFilterBar, rejectQuestion } from './CardBars.tsx'
import { ChangeCard } from './ChangeCard.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { ProposalCard } from './ProposalCard.tsx'
import { ReviewLine, ReviewsUnderWay } from './Reviews.tsx'
import { useActivity, useActivityActions, useSearch, useView } from './use-activity.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { More } from '../../ui/Progress.tsx'
import { byCount } from '../../../shared/text/amounts.ts'

const groupTitles = { waiting: 'Waiting for you', today: 'Today', week: 'This week', older: 'Older' }

/** Waiting, running and finished items, newest first. */
export function CardsTab(): ReactNode {
  const view = useView()
  const filter = useActivity(activity => activity.filter)
  useCardKeys()
  if (!view) return null
  const { waiting, items, reviews, more } = view
  const shown = waitingIn(filter, waiting)
  const isEmpty = shown.length === 0 && items.length === 0
  const isLong = waiting.length + items.length >= MANY || more || filter !== 'all'
  return (
    <>
      <ReviewsUnderWay />
      <Notes />
      {filter === 'all' && isEmpty ? (
        reviews.length === 0 && <Empty />
      ) : (
        <>
          {isLong && <ActivityFilterBar hidden={waiting.length - shown.length} />}
          {shown.length > 0 && <Waiting proposals={shown} />}
          <Past items={items} />
          {isEmpty && <p className="mt-4 text-sm text-ink-3">Nothing of this kind yet.</p>}
          <MoreCards />
          <ActivityBulkBar />
        </>
      )}
    </>
  )
}

function Waiting({ proposals }: { proposals: readonly Proposal[] }) {
  const { keep, reject } = useActivityActions()
  const name = 'Waiting for you'
  return (
    <div className="mt-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="group-title flex-1">
          {name} <span className="badge">{proposals.length}</span>
        </h2>
        {proposals.length > 1 && (
          <>
            <Confirm
              label="Keep all"
              question={byCount(proposals.length, 'Keep it?', `Keep ${formatCount(proposals.length)} cards?`)}
              onYes={() => void keep(proposals)}
            />
            <Confirm
              danger
              label="Reject all"
              question={rejectQuestion(proposals.length)}
              onYes={() => void reject(proposals.map(({ id }) => id))}
            />
          </>
        )}
      </div>
      <ul aria-label={name} className="card-list">
        {proposals.map(proposal => (
          <ProposalCard key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </div>
  )
}

function Past({ items }: { items: readonly ActivityItem[] }) {
  // Fixed at mount: regrouping cards at midnight would be worse than an outdated day.
  const [now] = useState(() => Date.now())
  return groupItems(items, now).map(([group, items]) => (
    <div key={group} className="mt-5">
      <h2 className="group-title">{groupTitles[group]}</h2>
      <ul aria-label={groupTitles[group]} className="card-list">
        {items.map(item => (
          <Item key={keyOf(item)} item={item} />
        ))}
      </ul>
    </div>
  ))
}

function Item({ item }: { item: ActivityItem }) {
  switch (item.type) {
    case 'proposal':
      return <ProposalCard proposal={item.proposal} />
    case 'change':
      return <ChangeCard change={item.change} />
    case 'review':
      return <ReviewLine review={item.review} />
  }
}

function MoreCards() {
  const more = useView()?.more ?? false
  const { readMore: loadMore } = useSearch()
  return <More list={{ more, loadMore }} />
}

const modeHints = {
  ask: 'Nothing is saved until you keep it.',
  save: 'Everything is saved at once, and you can undo it here.',
  off: 'Learning is off, so Talaria reviews no chat unless you ask.',
}

/** The empty state: explains what will appear here. */
function Empty(): ReactNode {
  const mode = useView()?.settings.mode ?? 'ask'
  const setTab = useActivity(activity => activity.setTab)
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-10 text-center">
      <History size={28} className="text-ink-3" />
      <h2 className="text-lg font-semibold">Nothing learned yet</h2>
      <p className="text-sm text-ink-2">
        When a chat ends, and every few turns, Talaria reviews it in the background. What it finds worth
        keeping appears here as a card, with the words it comes from.
      </p>
      <p className="text-sm text-ink-2">{modeHints[mode]}</p>
      <button type="button" className="btn btn-secondary mt-2" onClick={() => setTab('controls')}>
        How it learns
      </button>
    </div>
  )
}

/** The side effects of a decision: added rules, and changes that could not be undone. */
function Notes(): ReactNode {
  const written = useActivity(activity => activity.written)
  const left = useActivity(activity => activity.left)
  const note = useActivity(activity => activity.note)
  const setTab = useActivity(activity => activity.setTab)
  const { removeRule } = useActivityActions()
  const close = (onClick: () => void) => (
    <IconButton small label="Close" onClick={onClick}>
      <Icon name="close" size={14} />
    </IconButton>
  )
  return (
    <div aria-live="polite" className="notice-stack">
      {written.map(rule => (
        <Banner
          key={rule.id}
          level="info"
          actions={
            <>
              <button type="button" className="btn btn-secondary" onClick={() => void removeRule(rule.id)}>
                Undo the rule
              </button>
              <button type="button" className="btn btn-quiet" onClick={() => setTab('controls')}>
                All rules
              </button>
              {close(() => note({ written: [] }))}
            </>
          }
        >
          <span className="break-words">{`Rule added: ${rule.text}. Reviews follow it from now on.`}</span>
        </Banner>
      ))}
      {left.length > 0 && (
        <Banner level="warning" actions={close(() => note({ left: [] }))}>
          Some changes could not be undone:
          <ul className="list-disc ps-5">
            {[...new Set(left)].map(each => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  )
}
