import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { go } from '../../route.ts'
import { Keys } from './network/Keys.tsx'
import { Ledger } from './network/Ledger.tsx'
import { LockCard } from './network/LockCard.tsx'
import { isResettable, sectionOf, type Section } from './sections.ts'
import { About } from './sections/About.tsx'
import { FirstSteps } from './sections/FirstSteps.tsx'
import { Part } from './sections/Part.tsx'
import { Places } from './sections/Places.tsx'
import { SettingGroups } from './SettingGroups.tsx'
import { useSettings, useSettingsPlace } from './settings-context.ts'
import { ShortcutList } from './ShortcutList.tsx'
import { settingsText } from './strings.ts'
import { UsagePanel } from './usage/UsagePanel.tsx'
import { useActions } from './use-actions.ts'

/** What belongs to other features and is reached from here. */
export type Others = {
  /** The list of models. */
  models: ReactNode
  /** The button that imports chats. */
  import: ReactNode
  newChatKey: string
}

/** One section: what it is about, its settings, and whatever else belongs there. */
export function SectionView({ section, ...others }: Others & { section: Section }): ReactNode {
  return (
    <>
      <Heading section={section} />
      <Content section={section} {...others} />
    </>
  )
}

function Heading({ section }: { section: Section }) {
  const settings = useSettings(each => each.settings)
  const { reset } = useActions()
  const changed = (settings ?? []).filter(each => isResettable(each) && sectionOf(each) === section)
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <h2 tabIndex={-1} className="text-lg font-semibold outline-none">
          {settingsText.sections[section]}
        </h2>
        <p className="text-sm text-ink-2">{settingsText.about[section]}</p>
      </div>
      {changed.length > 0 && (
        <p className="flex items-center gap-2 text-xs text-ink-3">
          {settingsText.changedCount(changed.length)}
          <button type="button" className="btn btn-secondary" onClick={() => void reset(changed)}>
            <RotateCcw size={14} className="rtl:-scale-x-100" />
            {settingsText.resetAll}
          </button>
        </p>
      )}
    </div>
  )
}

function Content({ section, models, import: importing, newChatKey }: Others & { section: Section }) {
  const groups = <SettingGroups section={section} />
  switch (section) {
    case 'general':
      return (
        <>
          {groups}
          <FirstSteps />
        </>
      )
    case 'models':
      return (
        <>
          <Part id="model-list" title={settingsText.models} hint={settingsText.modelsHint}>
            {models}
            <ModelsLink />
          </Part>
          {groups}
        </>
      )
    case 'learning':
      return (
        <>
          {groups}
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <button type="button" className="link-btn" onClick={() => go({ page: 'activity' })}>
              {settingsText.activityPage}
            </button>
            <button type="button" className="link-btn" onClick={() => go({ page: 'memory' })}>
              {settingsText.memoryPage}
            </button>
          </p>
        </>
      )
    case 'permissions':
      return (
        <>
          {groups}
          <p className="text-xs text-ink-3">{settingsText.rulesHint}</p>
        </>
      )
    case 'privacy':
      return (
        <>
          <LockCard />
          <Ledger />
          <Keys />
        </>
      )
    case 'usage':
      return <UsagePanel />
    case 'data':
      return (
        <>
          <Places />
          <Part id="import" title={settingsText.others} hint={settingsText.othersHint}>
            {importing}
          </Part>
        </>
      )
    case 'shortcuts':
      return <ShortcutList newChatKey={newChatKey} />
    case 'about':
      return <About />
    case 'appearance':
    case 'chat':
    case 'tools':
      return groups
  }
}

function ModelsLink() {
  const { onModels } = useSettingsPlace()
  return (
    <button type="button" className="link-btn mt-2 text-sm" onClick={onModels}>
      {settingsText.modelsPage}
    </button>
  )
}
