import { useEffect, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import { useRoute } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ActivityContext, useActivity } from './activity-context.ts'
import type { ActivityStore } from './activity-store.ts'
import { CardsTab } from './CardsTab.tsx'
import { ControlsTab } from './ControlsTab.tsx'
import { ActivityHeader } from './ActivityHeader.tsx'
import { focusCard } from './card-focus.ts'
import { TimelineTab } from './TimelineTab.tsx'

const tabNames = { cards: 'Learned', timeline: 'Timeline', controls: 'How it learns' }
const tabAbout = {
  cards: 'What Talaria learned from your chats, why, and from which words. You can undo all of it.',
  timeline: 'What was learned each week. Choose a week to see it.',
  controls: 'When chats are reviewed, and what happens with the findings.',
}

type Props = {
  store: StoreApi<ActivityStore>
  /** Rendered at the start of the header. */
  start?: ReactNode
}

/** Changes, proposals that wait for a decision, and the learning settings. */
export function ActivityPage({ store, start }: Props): ReactNode {
  return (
    <ActivityContext value={store}>
      <Page start={start} />
    </ActivityContext>
  )
}

function Page({ start }: Pick<Props, 'start'>) {
  const load = useActivity(activity => activity.load)
  // Reload after memory and skill changes too, because proposals show whether their target has changed.
  const version = useHost(host => host.learningVersion + host.memoryVersion + host.skillsVersion)
  const tab = useActivity(activity => activity.tab)
  const setTab = useActivity(activity => activity.setTab)
  const waiting = useActivity(activity => activity.view?.waiting.length ?? 0)
  useEffect(() => {
    // The version rises with the first greeting of the host and with every change.
    if (version > 0) void load()
  }, [load, version])
  useReveal()

  return (
    <section aria-label="Activity" data-activity="" className="flex min-h-0 flex-1 flex-col">
      <ActivityHeader start={start} />
      <Tabs
        label="Parts of the activity"
        tabs={(['cards', 'timeline', 'controls'] as const).map(value => ({
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
        </div>
      </Tabs>
    </section>
  )
}

function Trouble() {
  const problem = useActivity(activity => activity.problem)
  const load = useActivity(activity => activity.load)
  return (
    <div role="alert" className="notice-stack">
      {problem !== null && (
        <Banner
          level="error"
          actions={
            <button type="button" className="btn btn-secondary" onClick={() => void load()}>
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
  const isKnown = useActivity(activity => activity.view !== null)
  const reveal = useActivity(activity => activity.reveal)
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
