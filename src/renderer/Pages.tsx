import { useState, type ComponentProps, type ReactNode } from 'react'
import { createActivity } from './features/activity/activity-store.ts'
import { ActivityPage } from './features/activity/ActivityPage.tsx'
import { BatchesTab } from './features/batches/BatchesTab.tsx'
import { ChatPage } from './features/chat/ChatPage.tsx'
import {
  useChat,
  useModel,
  useSession,
  useWorkspace,
  type OpenChat,
} from './features/chat/store/open-chats.ts'
import { ConnectionsPage } from './features/connections/ConnectionsPage.tsx'
import { ExportForm, createExport } from './features/export/Export.tsx'
import { HelpPage } from './features/help/HelpPage.tsx'
import { createImport } from './features/import/import-store.ts'
import { createMemory } from './features/memory/memory-store.ts'
import { MemoryPage } from './features/memory/MemoryPage.tsx'
import { MessengersPage } from './features/messengers/MessengersPage.tsx'
import { ModelsPage } from './features/models/ModelsPage.tsx'
import { createModelsStore } from './features/models/use-models.ts'
import { ProjectsPage } from './features/projects/ProjectsPage.tsx'
import { ChatProcesses } from './features/processes/ProcessList.tsx'
import { ChatActions } from './features/sessions/ChatActions.tsx'
import { createBackupJobs, createSettings } from './features/settings/settings-store.ts'
import { ScheduleForm } from './features/schedules/ScheduleForm.tsx'
import { SchedulesPage } from './features/schedules/SchedulesPage.tsx'
import { SettingsPage } from './features/settings/SettingsPage.tsx'
import { createSkills } from './features/skills/skills-store.ts'
import { SkillsPage } from './features/skills/SkillsPage.tsx'
import { ProjectToolsets, ToolsetSettings, ToolsMenu } from './features/toolsets/Toolsets.tsx'
import { WebSwitch } from './features/toolsets/WebSwitch.tsx'
import { ConfinementNote } from './features/status/ConfinementSign.tsx'
import { ChatControls, ChatModels, ChatSigns, FullFrame } from './ChatControls.tsx'
import { goTo, useRoute } from './route.ts'
import { useLink } from './rpc/host-context.tsx'
import type { WindowActions } from './window-actions.ts'
import { showToast } from './ui/Toasts.tsx'

type PageStores = ReturnType<typeof usePageStores>

/** The stores of the pages. They live as long as the window, so a page reopens in its last state. */
export function usePageStores() {
  const link = useLink()
  const [stores] = useState(() => ({
    memory: createMemory(),
    skills: createSkills(),
    activity: createActivity(),
    imports: createImport(link),
    models: createModelsStore(),
    settings: createSettings(),
    backups: createBackupJobs(link),
    exportAll: createExport(link),
    exportOne: createExport(link),
  }))
  return stores
}

type Props = {
  chat: OpenChat
  stores: PageStores
  actions: WindowActions
  /** Whether the list of chats is beside the page. */
  isListShown: boolean
  /** Shown at the start of the page header. */
  start: ReactNode
}

/** The page of the current route. */
export function ShownPage({ chat, stores, actions, isListShown, start }: Props): ReactNode {
  const page = useRoute(route => route.page)
  const tab = useRoute(route => route.tab)
  const item = useRoute(route => route.itemId)
  /** The text after /schedule in the message field, while its form is open. */
  const [scheduled, setScheduled] = useState<string | null>(null)
  const { addModel, openChat, openImport, openModels, openSettings } = actions
  switch (page) {
    case 'memory':
      return <MemoryPage store={stores.memory} start={start} />
    case 'skills':
      return <SkillsPage store={stores.skills} start={start} onTry={actions.trySkill} />
    case 'activity':
      return <ActivityPage store={stores.activity} start={start} batches={<BatchesTab />} />
    case 'projects':
      return (
        <ProjectsPage
          start={start}
          renderToolsets={id => <ProjectToolsets projectId={id} />}
          onOpenChat={openChat}
          onNewChat={actions.startInProject}
        />
      )
    case 'schedules':
      return <SchedulesPage start={start} onOpenChat={openChat} />
    case 'connections':
      return <ConnectionsPage start={start} />
    case 'messengers':
      return <MessengersPage start={start} onOpenChat={openChat} />
    case 'models':
      return (
        <ModelsPage
          store={stores.models}
          start={start}
          tab={tab}
          onTab={to => goTo({ page: 'models', tab: to })}
          onAdd={addModel}
          onChat={actions.tryModel}
          onSettings={() => openSettings('models')}
        />
      )
    case 'help':
      return <HelpPage start={start} id={item} anchor={tab} onShortcuts={actions.openShortcuts} />
    case 'settings':
      return (
        <SettingsPage
          store={stores.settings}
          jobs={stores.backups}
          start={start}
          section={tab}
          item={item}
          // Opening an item adds no step to the history.
          onSection={section => goTo({ page: 'settings', tab: section }, item === null ? 'push' : 'replace')}
          onModels={() => openModels()}
          models={<ChatModels onAddModel={addModel} />}
          exporting={<ExportForm job={stores.exportAll} />}
          import={<DialogButton label="Import chats and memories…" onClick={openImport} />}
          deleted={<DialogButton label="Recently deleted…" onClick={actions.openDeleted} />}
          confinement={<ConfinementNote />}
          toolsets={<ToolsetSettings />}
        />
      )
    case 'chat':
      return (
        <>
          <ChatPage
            key={chat.key}
            chat={chat}
            start={start}
            controls={
              <>
                <ChatControls
                  onAddModel={addModel}
                  onManage={() => openModels()}
                  onPrivacy={() => openSettings('privacy')}
                />
                <WebHere />
              </>
            }
            toolsets={<ToolsHere />}
            signs={<ChatSigns onPrivacy={() => openSettings('privacy')} />}
            processes={<ProcessesHere />}
            isListShown={isListShown}
            onOpenChat={openChat}
            onNewChat={actions.newChat}
            onAddModel={addModel}
            onSchedule={setScheduled}
          />
          <ActionsHere onOpen={openChat} onNew={actions.newChat} onExport={actions.exportChat} />
          {scheduled !== null && (
            <ScheduleForm
              schedule={undefined}
              draft={scheduled}
              onSaved={tellScheduled}
              onClose={() => setScheduled(null)}
            />
          )}
          <FullFrame />
        </>
      )
  }
}

/** The actions on the visible chat, once it is stored. */
function ActionsHere(ways: Omit<ComponentProps<typeof ChatActions>, 'session'>) {
  const session = useSession()
  return session && <ChatActions {...ways} session={session} />
}
const tellScheduled = () =>
  showToast('The schedule was added.', {
    action: { label: 'Show it', run: () => goTo({ page: 'schedules' }) },
  })

/** The background processes of the visible chat. */
function ProcessesHere() {
  return <ChatProcesses sessionId={useSession()?.id ?? null} />
}

/** The data of the visible chat that the switches beside the message field need. */
function useSwitchedChat() {
  const change = useChat(chat => chat.change)
  return { session: useSession(), workspace: useWorkspace(), begin: () => change({}) }
}

/** The toolsets of the visible chat. */
function ToolsHere() {
  return <ToolsMenu {...useSwitchedChat()} />
}

/** Whether the model of the visible chat may use the web. */
function WebHere() {
  return <WebSwitch {...useSwitchedChat()} model={useModel()} />
}

function DialogButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" className="btn btn-secondary" onClick={onClick}>
      {label}
    </button>
  )
}
