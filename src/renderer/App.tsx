import { Menu as MenuIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Model } from '../shared/contract/model.ts'
import type { Skill } from '../shared/contract/skills.ts'
import { createActivity } from './features/activity/activity-store.ts'
import { ActivityPage } from './features/activity/ActivityPage.tsx'
import { ChatContext, useShownChat } from './features/chat/chats.ts'
import { ChatPage } from './features/chat/ChatPage.tsx'
import { createImport } from './features/import/import-store.ts'
import { ImportDialog } from './features/import/ImportDialog.tsx'
import { createMemory } from './features/memory/memory-store.ts'
import { MemoryPage } from './features/memory/MemoryPage.tsx'
import { DropModel } from './features/models/add/DropModel.tsx'
import { ScanDialog } from './features/models/add/ScanDialog.tsx'
import { AddModelDialog } from './features/models/AddModelDialog.tsx'
import { TransferToasts } from './features/models/downloads/TransferToasts.tsx'
import { createModelsStore } from './features/models/models-store.ts'
import { ModelsPage } from './features/models/ModelsPage.tsx'
import { Banners } from './features/notices/Banners.tsx'
import { Unreachable } from './features/notices/Unreachable.tsx'
import { Rail } from './features/sessions/Rail.tsx'
import { Sidebar } from './features/sessions/Sidebar.tsx'
import { Ledger } from './features/settings/network/Ledger.tsx'
import { createSettings } from './features/settings/settings-store.ts'
import { SettingsPage } from './features/settings/SettingsPage.tsx'
import { ShortcutsDialog } from './features/settings/ShortcutsDialog.tsx'
import { FirstModel } from './features/setup/FirstModel.tsx'
import { SetupPage } from './features/setup/SetupPage.tsx'
import { createSkills } from './features/skills/skills-store.ts'
import { SkillsPage } from './features/skills/SkillsPage.tsx'
import { ChatControls, ChatModels, ChatStatus, FullFrame } from './ChatControls.tsx'
import { go, useChatId, useRoute, type Page } from './route.ts'
import { attempt } from './rpc/attempt.ts'
import { useHost, useLink } from './rpc/host-context.tsx'
import { Drawer } from './ui/Dialog.tsx'
import { IconButton } from './ui/IconButton.tsx'
import { showToast } from './ui/toasts.ts'
import { Toasts } from './ui/Toasts.tsx'
import { useMedia } from './ui/style.ts'
import { useAdopt } from './use-adopt.ts'
import { newChatKey, useShortcuts } from './use-shortcuts.ts'
import { useTheme, useTitle } from './window-look.ts'

type Overlay =
  | { kind: 'shortcuts' | 'import' | 'scan' }
  | { kind: 'list'; search: boolean }
  | { kind: 'model'; how: 'file' | 'server' }

/** The window: sidebar, page, status bar and overlays. */
export function App(): ReactNode {
  useTheme()
  const connected = useHost(host => host.hello !== null)
  return connected ? <Window /> : <Unreachable />
}

function Window() {
  const chatId = useChatId()
  const page = useRoute(route => route.page)
  const chat = useShownChat(chatId)
  const link = useLink()
  const [memory] = useState(() => createMemory(link))
  const [skills] = useState(() => createSkills(link))
  const [activity] = useState(() => createActivity(link))
  const [imports] = useState(() => createImport(link))
  const [models] = useState(() => createModelsStore(link))
  const [settings] = useState(() => createSettings(link))
  const tab = useRoute(route => route.tab)
  const setupDone = useHost(host => host.setupDone)
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const wide = useMedia('(min-width: 56.25rem)')
  const rail = useMedia('(min-width: 35rem)')
  useTitle({ page, chatId })

  const close = () => setOverlay(null)
  const openChat = (id: string | null, messageId: number | null = null) => {
    close()
    go({ chatId: id, messageId })
    if (id === null)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }
  /** Trying a skill opens a new chat whose draft starts with the skill's name. */
  const tryOut = ({ name, project }: Skill) =>
    void attempt(link.client['session.create'](project === null ? {} : { workspace: project })).then(
      async made => {
        if (!made.ok) return showToast(made.fault.message, { level: 'error' })
        await attempt(link.client['session.update']({ id: made.value.id, draft: `/${name} ` }))
        openChat(made.value.id)
      },
    )
  const openSettings = (section: string | null = null) => {
    close()
    go({ page: 'settings', tab: section })
  }
  const openModels = (to: string | null = null) => {
    close()
    go({ page: 'models', tab: to })
  }
  // The onboarding shows its own progress.
  const showModels = (to: string | null = null) => void (setupDone && openModels(to))
  const openList = (search: boolean) => setOverlay({ kind: 'list', search })
  useShortcuts(setupDone, {
    newChat: () => openChat(null),
    search: () => openList(true),
    settings: () => openSettings(),
    shortcuts: () => setOverlay({ kind: 'shortcuts' }),
  })

  const sidebar = {
    page,
    activeId: page === 'chat' ? chatId : null,
    newChatKey,
    onOpen: openChat,
    onNew: () => openChat(null),
    onPage: (to: Page) => {
      close()
      go(to === 'chat' ? { chatId } : { page: to })
    },
    onSettings: () => openSettings(),
    onShortcuts: () => setOverlay({ kind: 'shortcuts' }),
  }
  /** Trying a model opens a new chat. */
  const chatWith = ({ id }: Model) =>
    void attempt(link.client['session.create']({ modelId: id })).then(made =>
      made.ok ? openChat(made.value.id) : showToast(made.fault.message, { level: 'error' }),
    )
  const addModel = (how: 'file' | 'server' = 'file') => setOverlay({ kind: 'model', how })
  const adopt = useAdopt(chat)
  const start = !rail && <ListButton onClick={() => openList(false)} />

  return (
    <ChatContext value={chat}>
      {setupDone ? (
        <div className="flex h-dvh flex-col">
          <div className="flex min-h-0 flex-1">
            {rail && (
              <aside
                className={
                  wide
                    ? 'w-66 shrink-0 border-e border-line bg-side'
                    : 'w-13 shrink-0 border-e border-line bg-side'
                }
              >
                {wide ? (
                  <Sidebar {...sidebar} />
                ) : (
                  <Rail {...sidebar} onList={() => openList(false)} onSearch={() => openList(true)} />
                )}
              </aside>
            )}
            <main className="relative flex min-w-0 flex-1 flex-col">
              <Banners />
              {page === 'memory' && <MemoryPage store={memory} start={start} />}
              {page === 'skills' && <SkillsPage store={skills} start={start} onTry={tryOut} />}
              {page === 'activity' && <ActivityPage store={activity} start={start} />}
              {page === 'models' && (
                <ModelsPage
                  store={models}
                  start={start}
                  tab={tab}
                  onTab={to => go({ page: 'models', tab: to })}
                  onAdd={addModel}
                  onChat={chatWith}
                  onSettings={() => openSettings('models')}
                />
              )}
              {page === 'settings' && (
                <SettingsPage
                  store={settings}
                  start={start}
                  section={tab}
                  onSection={section => go({ page: 'settings', tab: section })}
                  onModels={() => openModels()}
                  models={<ChatModels onAddModel={addModel} />}
                  import={<ImportButton onClick={() => setOverlay({ kind: 'import' })} />}
                  newChatKey={newChatKey}
                />
              )}
              {page === 'chat' && (
                <>
                  <ChatPage
                    key={chat.key}
                    chat={chat}
                    start={start}
                    controls={<ChatControls onAddModel={addModel} onManage={() => openModels()} />}
                    onOpenChat={openChat}
                    onNewChat={() => openChat(null)}
                    onAddModel={addModel}
                  />
                  <FullFrame />
                </>
              )}
            </main>
          </div>
          <ChatStatus
            onAddModel={addModel}
            onManage={() => openModels()}
            onPrivacy={() => openSettings('privacy')}
          />
        </div>
      ) : (
        <SetupPage
          onAddFile={() => addModel('file')}
          onAddServer={() => addModel('server')}
          onScan={() => setOverlay({ kind: 'scan' })}
          onStart={() => openChat(null)}
          banners={<Banners />}
          ledger={<Ledger />}
        />
      )}
      {overlay?.kind === 'import' && <ImportDialog store={imports} onClose={close} />}
      {overlay?.kind === 'shortcuts' && <ShortcutsDialog newChatKey={newChatKey} onClose={close} />}
      {overlay?.kind === 'model' && (
        <AddModelDialog
          how={overlay.how}
          onClose={close}
          onAdded={model => {
            close()
            void adopt(model, { chat: setupDone && page === 'chat' })
          }}
        />
      )}
      {overlay?.kind === 'scan' && <ScanDialog onClose={close} />}
      {overlay?.kind === 'list' && (
        <Drawer label="Chats" onClose={close}>
          <Sidebar {...sidebar} searchFirst={overlay.search} />
        </Drawer>
      )}
      <DropModel
        store={models}
        onShow={showModels}
        onAdded={model => void adopt(model, { chat: setupDone && page === 'chat', told: true })}
      />
      <FirstModel />
      <TransferToasts onShow={showModels} />
      <Toasts label="Messages" closeLabel="Close" />
    </ChatContext>
  )
}

function ListButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton label="Open the list of chats" aria-haspopup="dialog" onClick={onClick}>
      <MenuIcon size={18} />
    </IconButton>
  )
}

function ImportButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" className="btn btn-secondary" onClick={onClick}>
      Import chats and memories…
    </button>
  )
}
