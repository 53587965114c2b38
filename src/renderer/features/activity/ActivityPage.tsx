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
import { Header } from './Header.tsx'
import { focusCard } from './rows.ts'
import { activityText } from './strings.ts'
import { TimelineTab } from './TimelineTab.tsx'

type Props = {
  store: StoreApi<ActivityStore>
  /** Stands at the start of the header. */
  start?: ReactNode
}

/** What was learned, what waits for an answer, and how it is learned. */
export function ActivityPage({ store, start }: Props): ReactNode {
  return (
    <ActivityContext value={store}>
      <Page start={start} />
    </ActivityContext>
  )
}

function Page({ start }: Pick<Props, 'start'>) {
  const load = useActivity(activity => activity.load)
  // What waits says when its target has changed, whoever changed that.
  const version = useHost(host => host.learningVersion + host.memoryVersion + host.skillsVersion)
  const tab = useActivity(activity => activity.tab)
  const setTab = useActivity(activity => activity.setTab)
  const waiting = useActivity(activity => activity.view?.waiting.length ?? 0)
  useEffect(() => {
    // It goes up with the first greeting and then with every change.
    if (version > 0) void load()
  }, [load, version])
  useReveal()

  return (
    <section aria-label={activityText.title} data-activity="" className="flex min-h-0 flex-1 flex-col">
      <Header start={start} />
      <Tabs
        label={activityText.tabList}
        tabs={(['cards', 'timeline', 'controls'] as const).map(value => ({
          value,
          label: activityText.tabs[value],
          ...(value === 'cards' && waiting > 0 ? { count: String(waiting) } : {}),
        }))}
        value={tab}
        onChange={setTab}
      >
        <div className="column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">{activityText.about[tab]}</p>
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
              {activityText.retry}
            </button>
          }
        >
          {activityText.loadFailed(problem)}
        </Banner>
      )}
    </div>
  )
}

/** A card that the address names is brought into sight once, as soon as it is known. */
function useReveal() {
  const itemId = useRoute(route => route.itemId)
  const isKnown = useActivity(activity => activity.view !== null)
  const reveal = useActivity(activity => activity.reveal)
  useEffect(() => {
    if (itemId === null || !isKnown) return
    let isLeft = false
    void reveal(itemId).then(isThere => {
      // The card is drawn with the list.
      if (isThere && !isLeft) requestAnimationFrame(() => focusCard(itemId))
    })
    return () => {
      isLeft = true
    }
  }, [itemId, isKnown, reveal])
}
