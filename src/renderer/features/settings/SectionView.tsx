import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { goTo } from '../../route.ts'
import { ProviderKeys } from './ProviderKeys.tsx'
import { ApiPanel } from './api/ApiPanel.tsx'
import { LockCard, FirstSteps, Part } from './SectionParts.tsx'
import { DataParts } from './data/DataParts.tsx'
import { About, Places } from './PlacesAndAbout.tsx'
import { Ledger } from './network/Ledger.tsx'
import { RuleList } from './rules/RuleList.tsx'
import { isResettable } from './setting-texts.ts'
import { sectionOf, type Section, sectionTitles } from '../../../shared/words/setting-words.ts'
import { SettingGroups } from './SettingRows.tsx'
import { useSettingList, useSettingsPlace, useSettingActions } from './use-settings.ts'
import { ShortcutList } from './Shortcuts.tsx'
import { formatCount } from '../../ui/text/format-values.ts'
import { UpdatesPanel } from './updates/UpdatesPanel.tsx'
import { UsagePanel } from './usage/UsagePanel.tsx'
import { WebSources } from './web/WebSources.tsx'

const ABOUT = {
  general: 'How the window looks, and how much it shows.',
  chat: 'How messages are sent, and how long an answer may take.',
  models: 'Your models, which one answers, and how the engine runs models on this computer.',
  learning: 'What is remembered between chats, and how Talaria learns from them.',
  permissions: 'What the agent may do without asking you. Each chat can have its own.',
  tools: 'Which tools the agent has, and their limits.',
  api: 'Programs on this computer can use your models through an API like OpenAI’s or Anthropic’s.',
  privacy: 'What leaves this computer, when and why, and the offline lock.',
  usage: 'What the models have read and written. The figures stay on this computer.',
  data: 'Where everything is stored, how much space it takes, and how to export, back up, restore and import it.',
  desktop: 'Notifications, the tray, starting at login and the quick window of the desktop app.',
  shortcuts: 'All keyboard shortcuts.',
  updates: 'Newer versions of Talaria, and how this copy gets them.',
  about: 'Version, system, and what to copy into a bug report.',
} as const

/** Content from other features that the settings page shows. */
export type Others = {
  /** The list of models. */
  models: ReactNode
  /** The form that exports all chats. */
  exporting: ReactNode
  /** The button that imports chats. */
  import: ReactNode
  /** The button that shows the deleted chats. */
  deleted: ReactNode
  /** The toolsets of every chat. */
  toolsets: ReactNode
  /** Whether commands run confined on this computer. */
  confinement: ReactNode
}

/** One section: its description, its settings and its extra content. */
export function SectionView({ section, ...others }: Others & { section: Section }): ReactNode {
  // Render nothing until the settings are loaded, because they would push the rest down.
  const { settings, problem } = useSettingList()
  const isAwaited = settings === null && problem === null
  return (
    <>
      <Heading section={section} />
      {!isAwaited && <Content section={section} {...others} />}
    </>
  )
}

function Heading({ section }: { section: Section }) {
  const { settings } = useSettingList()
  const { reset } = useSettingActions()
  const changed = (settings ?? []).filter(each => isResettable(each) && sectionOf(each) === section)
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <h2 tabIndex={-1} className="text-lg font-semibold outline-none">
          {sectionTitles[section]}
        </h2>
        <p className="text-sm text-ink-2">{ABOUT[section]}</p>
      </div>
      {changed.length > 0 && (
        <p className="flex items-center gap-2 text-xs text-ink-3">
          {`${formatCount(changed.length)} changed`}
          <button type="button" className="btn btn-secondary" onClick={() => void reset(changed)}>
            <RotateCcw size={14} className="rtl:-scale-x-100" />
            Reset this section
          </button>
        </p>
      )}
    </div>
  )
}

function Content(props: Others & { section: Section }) {
  const { section, models, exporting, import: importing, deleted, toolsets, confinement } = props
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
          <Part
            id="model-list"
            title="Models"
            hint="The tick marks the model of this chat. The star chooses the model for new chats."
          >
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
            <button type="button" className="link-btn" onClick={() => goTo({ page: 'activity' })}>
              What was learned
            </button>
            <button type="button" className="link-btn" onClick={() => goTo({ page: 'memory' })}>
              What is remembered
            </button>
          </p>
        </>
      )
    case 'permissions':
      return (
        <>
          {groups}
          {confinement}
          <RuleList />
          <p className="text-xs text-ink-3">
            What you allow in a chat, but not in its folder, applies only to that chat. You see it under the
            permissions in the header of the chat.
          </p>
        </>
      )
    case 'api':
      return <ApiPanel>{groups}</ApiPanel>
    case 'privacy':
      return (
        <>
          <LockCard />
          {groups}
          <Ledger />
          <ProviderKeys />
        </>
      )
    case 'usage':
      return <UsagePanel />
    case 'data':
      return (
        <>
          <Places />
          <DataParts exporting={exporting}>
            <Part
              id="deleted"
              title="Deleted chats"
              hint="A deleted chat can be restored for some days. Then it is deleted for good."
            >
              {deleted}
            </Part>
            <Part
              id="import"
              title="Other programs"
              hint="Import your chats and memories from Hermes, ChatGPT or Claude. The originals stay where they are."
            >
              {importing}
            </Part>
          </DataParts>
        </>
      )
    case 'shortcuts':
      return <ShortcutList />
    case 'updates':
      return <UpdatesPanel>{groups}</UpdatesPanel>
    case 'about':
      return <About />
    case 'desktop':
    case 'chat':
      return groups
    case 'tools':
      return (
        <>
          <Part
            id="toolsets"
            title="Toolsets"
            hint="Which tools the agent has in every chat. To switch tools for a folder or a chat, use the Tools button beside the message field."
          >
            {toolsets}
          </Part>
          <Part
            id="web-sources"
            title="Sources of web searches"
            hint="Talaria asks them in this order until one answers. The web is off until you switch it on, above or beside the message field."
          >
            <WebSources />
          </Part>
          {groups}
        </>
      )
  }
}

function ModelsLink() {
  const { onModels } = useSettingsPlace()
  return (
    <button type="button" className="link-btn mt-2 text-sm" onClick={onModels}>
      Open the Models page
    </button>
  )
}
