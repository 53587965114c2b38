import { Ellipsis, RefreshCw, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useStore, type StoreApi } from 'zustand'
import { useRoute } from '../../route.ts'
import { useAnswers } from '../../rpc/host-context.tsx'
import { useLastValue, useReading } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import type { ActivityStore } from './activity-store.ts'
import { focusCard, keepCardFocus } from './card-focus.ts'
import { CardsTab } from './CardsTab.tsx'
import { UndoSince } from './UndoMany.tsx'
import { ControlsTab } from './ControlsTab.tsx'
import { TimelineTab } from './TimelineTab.tsx'
import { viewReading } from './read-activity.ts'
import {
  ActivityContext,
  useActivity,
  useActivityActions,
  useActivityPage,
  useReviewLabel,
  useSearch,
  useView,
} from './use-activity.ts'

const tabNames = { cards: 'Learned', timeline: 'Timeline', controls: 'How it learns', batches: 'Batches' }
const tabAbout = {
  cards: 'What Talaria learned from your chats, why, and from which words. You can undo all of it.',
  timeline: 'What was learned each week. Choose a week to see it.',
  controls: 'When chats are reviewed, and what happens to the findings.',
  batches: 'Files whose rows a model answers one by one, for training data and comparisons.',
}

type Props = {
  store: StoreApi<ActivityStore>
  /** Rendered at the start of the header. */
  start?: ReactNode
  /** The content of the tab Batches. */
  batches: ReactNode
}

/** Changes, proposals that wait for a decision, and the learning settings. */
export function ActivityPage({ store, start, batches }: Props): ReactNode {
  const answers = useAnswers()
  const filter = useStore(store, activity => activity.filter)
  const { value, problem } = useReading(viewReading(answers, store, filter))
  const view = useLastValue(value)
  useEffect(() => {
    if (view) store.getState().follow(view)
  }, [store, view])
  return (
    <ActivityContext value={useMemo(() => ({ store, view, problem }), [store, view, problem])}>
      <Page start={start} batches={batches} />
    </ActivityContext>
  )
}

function Page({ start, batches }: Pick<Props, 'start' | 'batches'>) {
  const tab = useActivity(activity => activity.tab)
  const setTab = useActivity(activity => activity.setTab)
  const waiting = useView()?.waiting.length ?? 0
  useReveal()

  return (
    <section aria-label="Activity" data-activity="" className="flex min-h-0 flex-1 flex-col">
      <ActivityHeader start={start} />
      <Tabs
        label="Parts of the activity"
        tabs={(['cards', 'timeline', 'controls', 'batches'] as const).map(value => ({
          value,
          label: tabNames[value],
          ...(value === 'cards' && waiting > 0 ? { count: String(waiting) } : {}),
        }))}
        value={tab}
        onChange={setTab}
      >
        <div className="column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">{tabAbout[tab]}</p>
          <Trouble />
          {tab === 'cards' && <CardsTab />}
          {tab === 'timeline' && <TimelineTab />}
          {tab === 'controls' && <ControlsTab />}
          {tab === 'batches' && batches}
        </div>
      </Tabs>
    </section>
  )
}

function Trouble() {
  const { problem } = useActivityPage()
  const { renew } = useAnswers()
  return (
    <div role="alert" className="notice-stack">
      {problem !== null && (
        <Banner
          level="error"
          actions={
            <button type="button" className="btn btn-secondary" onClick={() => void renew(['learning'])}>
              Try again
            </button>
          }
        >
          {`The activity could not be read: ${problem}`}
        </Banner>
      )}
    </div>
  )
}

/** Reveal the card named in the URL once, as soon as it is loaded. */
function useReveal() {
  const itemId = useRoute(route => route.itemId)
  const isKnown = useView() !== null
  const { reveal } = useSearch()
  useEffect(() => {
    if (itemId === null || !isKnown) return
    let isLeft = false
    void reveal(itemId).then(isThere => {
      // Wait a frame, until the list has rendered the card.
      if (isThere && !isLeft) requestAnimationFrame(() => focusCard(itemId))
    })
    return () => {
      isLeft = true
    }
  }, [itemId, isKnown, reveal])
}

/** The page title, and the actions on everything learned. */
function ActivityHeader({ start }: { start?: ReactNode }): ReactNode {
  const [isUndoing, setUndoing] = useState(false)
  const chatId = useRoute(route => route.chatId)
  const isEmpty = (useView()?.items.length ?? 0) === 0
  const { review } = useActivityActions()
  const close = () => {
    setUndoing(false)
    keepCardFocus()
  }
  const now = useReviewLabel(chatId)
  return (
    <header>
      <div className="chat-header">
        {start}
        <h1
          tabIndex={-1}
          data-activity-title=""
          className="min-w-0 flex-1 truncate px-2 text-sm font-semibold outline-none"
        >
          Activity
        </h1>
        <button
          type="button"
          aria-label={now}
          title={now}
          className="btn btn-quiet min-w-0"
          onClick={() => void review(chatId ?? undefined)}
        >
          <RefreshCw size={16} className="shrink-0" />
          <span className="hidden max-w-72 truncate rail:inline">{now}</span>
        </button>
        <Menu
          label="More"
          align="end"
          entries={[
            {
              id: 'now',
              label: 'Review now',
              hint: 'Waiting reviews start when no answer is running.',
              icon: <RefreshCw size={16} />,
              onSelect: () => void review(),
            },
            {
              id: 'since',
              label: 'Undo everything since…',
              icon: <Undo2 size={16} className="rtl:-scale-x-100" />,
              danger: true,
              disabled: isEmpty,
              onSelect: () => setUndoing(true),
            },
          ]}
          renderButton={props => (
            <IconButton label="More" {...props}>
              <Ellipsis size={18} />
            </IconButton>
          )}
        />
      </div>
      {isUndoing && (
        <div className="px-5 pb-3">
          <UndoSince onClose={close} />
        </div>
      )}
    </header>
  )
}
