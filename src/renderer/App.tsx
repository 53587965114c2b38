import { showTitle } from '../shared/visible-text/show-unseen.ts'
import { Menu as MenuIcon } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { ChatContext, useShownChat } from './features/chat/store/open-chats.ts'
import { ExportDialog, ExportManyDialog } from './features/export/Export.tsx'
import { ImportDialog } from './features/import/ImportDialog.tsx'
import { DropModel } from './features/models/add/DropModel.tsx'
import { ScanDialog } from './features/models/add/AddFound.tsx'
import { AddModelDialog } from './features/models/add/AddModelDialog.tsx'
import { TransferToasts } from './features/models/downloads/DownloadsTab.tsx'
import { Banners, Unreachable } from './features/notices/Notices.tsx'
import { DeletedChats } from './features/sessions/deleted/DeletedChats.tsx'
import { useFoldedSidebar } from './features/sessions/fold-sidebar.ts'
import { Rail } from './features/sessions/SideRail.tsx'
import { Sidebar } from './features/sessions/Sidebar.tsx'
import { RunToasts } from './features/schedules/RunToasts.tsx'
import { Ledger } from './features/settings/network/Ledger.tsx'
import { ShortcutsDialog } from './features/settings/Shortcuts.tsx'
import { FirstModel } from './features/setup/ModelDownload.tsx'
import { SetupPage } from './features/setup/SetupPage.tsx'
import { WindowActivity } from './ChatControls.tsx'
import { ShownPage, usePageStores } from './Pages.tsx'
import { useChatId, useRoute, type Page } from './route.ts'
import { useHost, useHostStore } from './rpc/host-context.tsx'
import { Drawer, makeWay } from './ui/Dialog.tsx'
import { IconButton } from './ui/IconButton.tsx'
import { cx, useMedia } from './ui/style.ts'
import { Toasts } from './ui/Toasts.tsx'
import { useShortcuts, useAdopt, useWindowActions, useWindowRequests } from './window-actions.ts'
import { Palette } from './palette/Palette.tsx'
import { newChatKey } from './action-table.ts'
import { ActionsContext, createActions, useActions } from './use-actions.ts'
import { pages } from './features/sessions/PageLinks.tsx'

/** Lazy, because it renders Markdown, which loads with the first answer. */
const PrintChat = lazy(() => import('./features/export/PrintChat.tsx'))

/** The window: sidebar, page, activity line and overlays. */
export function App(): ReactNode {
  useTheme()
  const connected = useHost(host => host.hello !== null)
  const [actions] = useState(createActions)
  return <ActionsContext value={actions}>{connected ? <Window /> : <Unreachable />}</ActionsContext>
}

function Window() {
  const chatId = useChatId()
  const page = useRoute(route => route.page)
  const chat = useShownChat(chatId)
  const stores = usePageStores()
  const setupDone = useHost(host => host.setupDone)
  const wide = useMedia('(min-width: 56.25rem)')
  const rail = useMedia('(min-width: 35rem)')
  const { overlay, actions } = useWindowActions(chatId, stores)
  const { close, openList, openModels, openSettings, addModel } = actions
  const adopt = useAdopt(chat)
  const isChat = setupDone && page === 'chat'
  useTitle({ page, chatId })
  useShortcuts(setupDone, actions, page === 'chat' ? chatId : null)
  useWindowRequests(chatId, chat, actions)
  const { isFolded, toggleFold } = useFoldedSidebar()
  const fold = () => {
    // A requested search ends with the list that shows it.
    if (overlay?.kind === 'search') close()
    toggleFold()
  }
  /** The same key toggles the list of chats as a drawer over the page. */
  const toggleList = () => (overlay?.kind === 'list' ? close() : makeWay() && openList(false))
  useActions(setupDone ? { 'sidebar.fold': wide ? fold : toggleList } : {})
  const isBeside = wide && !isFolded

  const sidebar = {
    page,
    activeId: page === 'chat' ? chatId : null,
    newChatKey,
    onOpen: actions.openChat,
    onNew: actions.newChat,
    onExport: actions.exportChat,
    onExportMany: actions.exportChats,
    onDeleted: actions.openDeleted,
    onPage: actions.openPage,
    onSettings: () => openSettings(),
    onHelp: actions.openHelp,
  }
  // The onboarding shows its own progress.
  const showModels = (tab: string | null = null) => void (setupDone && openModels(tab))

  return (
    <ChatContext value={chat}>
      {setupDone ? (
        <div className="flex h-dvh flex-col">
          <div className="flex min-h-0 flex-1">
            {rail && (
              <aside className={cx(isBeside ? 'w-66' : 'w-13', 'shrink-0 border-e border-line bg-side')}>
                {isBeside ? (
                  <Sidebar
                    {...sidebar}
                    asked={overlay?.kind === 'search' ? overlay.asked : undefined}
                    onFold={fold}
                  />
                ) : (
                  <Rail
                    {...sidebar}
                    onList={() => openList(false)}
                    onUnfold={wide ? fold : undefined}
                    onSearch={() => openList(true)}
                  />
                )}
              </aside>
            )}
            <main className="relative flex min-w-0 flex-1 flex-col">
              <Banners />
              <ShownPage
                chat={chat}
                stores={stores}
                actions={actions}
                isListShown={isBeside}
                start={!rail && <ListButton onClick={() => openList(false)} />}
              />
            </main>
          </div>
          <WindowActivity onOpenChat={actions.openChat} onDownloads={() => openModels('downloads')} />
        </div>
      ) : (
        <SetupPage
          onAddFile={() => addModel('file')}
          onAddServer={() => addModel('server')}
          onScan={actions.openScan}
          onStart={actions.newChat}
          banners={<Banners />}
          ledger={<Ledger />}
        />
      )}
      {overlay?.kind === 'import' && <ImportDialog store={stores.imports} onClose={close} />}
      {overlay?.kind === 'export' && (
        <ExportDialog
          job={stores.exportOne}
          chatId={overlay.chatId}
          onPrint={what => actions.printChat(overlay.chatId, what)}
          onClose={close}
        />
      )}
      {overlay?.kind === 'print' && (
        <Suspense>
          <PrintChat {...overlay} onDone={close} />
        </Suspense>
      )}
      {overlay?.kind === 'exportMany' && (
        <ExportManyDialog job={stores.exportOne} ids={overlay.ids} onClose={close} />
      )}
      {overlay?.kind === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      {overlay?.kind === 'palette' && (
        <Palette chat={isChat ? chat : null} actions={actions} onClose={close} />
      )}
      {overlay?.kind === 'model' && (
        <AddModelDialog
          how={overlay.how}
          onClose={close}
          onAdded={model => {
            close()
            void adopt(model, { chat: isChat })
          }}
        />
      )}
      {overlay?.kind === 'deleted' && <DeletedChats onOpen={actions.openChat} onClose={close} />}
      {overlay?.kind === 'scan' && <ScanDialog onClose={close} />}
      {overlay?.kind === 'list' && (
        <Drawer label="Chats" onClose={close}>
          <Sidebar {...sidebar} searchFirst={overlay.search} asked={overlay.asked} />
        </Drawer>
      )}
      <DropModel onShow={showModels} onAdded={model => void adopt(model, { chat: isChat, reported: true })} />
      <FirstModel />
      <TransferToasts onShow={showModels} />
      <RunToasts onOpenChat={actions.openChat} />
      <Toasts label="What just happened" closeLabel="Close" />
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

/** Sets the theme (light, dark or system), also for code. */
export function useTheme() {
  const theme = useHost(host => host.settings.theme)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  const code = useHost(host => host.settings.codeTheme)
  useEffect(() => {
    if (code === 'window') delete document.documentElement.dataset['code']
    else document.documentElement.dataset['code'] = code
  }, [code])
  const text = useHost(host => host.settings.textSize)
  useEffect(() => {
    document.documentElement.dataset['text'] = text
  }, [text])
}

const nameOfPage = (page: Page) =>
  pages.find(each => each.page === page)?.label ?? (page === 'help' ? 'Help' : 'Settings')

/** Sets the window title to the page or the chat, with a dot while an approval is pending in any chat. */
function useTitle({ page, chatId }: { page: Page; chatId: string | null }) {
  const store = useHostStore()
  const shown = useRef('')
  useEffect(() => {
    const show = () => {
      const { sessions } = store.getState()
      const waits = Object.values(sessions).some(session => session.waiting)
      const title = page === 'chat' ? sessions[chatId ?? '']?.title : nameOfPage(page)
      const text = `${waits ? '● ' : ''}${title ? `${showTitle(title)} – ` : ''}Talaria`
      if (text !== shown.current) document.title = shown.current = text
    }
    show()
    return store.subscribe(show)
  }, [store, page, chatId])
}
