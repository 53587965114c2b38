import { useState, type ReactNode } from 'react'
import type { ActivityItem, Proposal } from '../../../shared/contract/learning.ts'
import { groupItems, keyOf, waitingIn } from './activity-state.ts'
import { useActivity } from './activity-context.ts'
import { ActivityBulkBar } from './ActivityBulkBar.tsx'
import { ChangeCard } from './ChangeCard.tsx'
import { Confirm } from './Confirm.tsx'
import { Empty } from './Empty.tsx'
import { ActivityFilterBar } from './ActivityFilterBar.tsx'
import { Notes } from './Notes.tsx'
import { ProposalCard } from './ProposalCard.tsx'
import { ReviewLine } from './ReviewLine.tsx'
import { ReviewsUnderWay } from './ReviewsUnderWay.tsx'
import { useActivityActions } from './use-activity-actions.ts'
import { useCardKeys } from './use-card-keys.ts'
import { rejectQuestion } from './card-texts.ts'
import { plural } from '../../ui/format.ts'

const groupTitles = { waiting: 'Waiting for you', today: 'Today', week: 'This week', older: 'Older' }

/** Waiting, running and finished items, newest first. */
export function CardsTab(): ReactNode {
  const view = useActivity(activity => activity.view)
  const filter = useActivity(activity => activity.filter)
  useCardKeys()
  if (!view) return null
  const { waiting, items, reviews } = view
  const shown = waitingIn(filter, waiting)
  const isEmpty = shown.length === 0 && items.length === 0
  return (
    <>
      <ReviewsUnderWay />
      <Notes />
      {filter === 'all' && isEmpty ? (
        reviews.length === 0 && <Empty />
      ) : (
        <>
          <ActivityFilterBar hidden={waiting.length - shown.length} />
          {shown.length > 0 && <Waiting proposals={shown} />}
          <Past items={items} />
          {isEmpty && <p className="mt-4 text-sm text-ink-3">Nothing of this kind yet.</p>}
          <More />
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
              question={`Keep ${plural(proposals.length, 'it', 'cards')}?`}
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

function More() {
  const more = useActivity(activity => activity.view?.more ?? false)
  const loadMore = useActivity(activity => activity.loadMore)
  if (!more) return null
  return (
    <button type="button" className="btn btn-secondary mt-3" onClick={() => void loadMore()}>
      Show more
    </button>
  )
}
