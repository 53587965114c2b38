import { useMemo, useState, type ReactNode } from 'react'
import { useStore, type StoreApi } from 'zustand'
import { attemptCall } from '../rpc/attempt.ts'
import { useHost, useLink } from '../rpc/host-context.tsx'
import { useAsked } from '../rpc/use-asked.ts'
import { useAllActions } from '../use-actions.ts'
import { BareDialog } from '../ui/Dialog.tsx'
import { keyText } from '../ui/keys.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import type { OpenChat } from '../features/chat/chats.ts'
import { useKnownSkills } from '../features/chat/known-skills.ts'
import type { SettingsStore } from '../features/settings/settings-store.ts'
import { cutAtMarks } from '../features/sessions/search/excerpts.ts'
import { findEntries, type Entry, type Found } from './entries.ts'
import { PickList, type Pick } from '../ui/PickList.tsx'
import { actionEntries, chatEntries, modelEntries, pageEntries, skillEntries } from './sources.tsx'
import { settingEntries, useLoadedSettings } from './setting-entries.tsx'
import { keepValue, readKept } from '../ui/local-storage.ts'
import type { WindowActions } from '../window-actions.ts'

type Props = {
  /** The chat on the screen; null on other pages. */
  chat: OpenChat | null
  settings: StoreApi<SettingsStore>
  actions: WindowActions
  onClose: () => void
}

/** Finds every action, chat, page, setting, skill and model by a few letters, and does or opens it. */
export function Palette({ chat, settings, actions, onClose }: Props): ReactNode {
  const [query, setQuery] = useState('')
  const [recent] = useState(readRecent)
  const { entries, isReading } = useEntries({ chat, settings, actions })
  const groups = useMemo(() => findEntries(query, entries, recent), [query, entries, recent])
  const searched = query.trim()

  const choose = (entry: Entry, isOther: boolean) => {
    noteRecent(entry.id)
    onClose()
    afterClosing(isOther && entry.other ? entry.other.run : entry.run)
  }
  return (
    <BareDialog label="Command palette" className="palette" onClose={onClose}>
      <PickList
        label="Command palette"
        hint="Actions, chats, pages, settings, skills, models"
        query={query}
        onQuery={setQuery}
        groups={groups.map(({ title, found }) => ({ title, picks: found.map(asPick) }))}
        onPick={({ entry }, { other }) => choose(entry, other)}
        isReading={isReading}
        empty={
          isReading ? (
            <p>Reading…</p>
          ) : (
            <div className="grid justify-items-center gap-2">
              <p>Nothing has this name.</p>
              <button
                type="button"
                className="btn btn-secondary max-w-full"
                onClick={() => {
                  onClose()
                  afterClosing(() => actions.searchChats(searched))
                }}
              >
                <span className="truncate">Search all messages for “{searched}”</span>
              </button>
            </div>
          )
        }
        renderFooter={pick => <Footer entry={pick?.entry} isReading={isReading} />}
      />
    </BareDialog>
  )
}

/** The dialog gives the focus back before what was chosen takes it. */
function afterClosing(run: () => void) {
  requestAnimationFrame(() => requestAnimationFrame(run))
}

function Footer({ entry, isReading }: { entry: Entry | undefined; isReading: boolean }) {
  if (!entry) return <span>{isReading && 'Enter waits for the first that fits. '}Esc closes.</span>
  return (
    <>
      <span>
        <kbd className="kbd">{keyText('enter')}</kbd> {entry.does}
      </span>
      {entry.other && (
        <span>
          <kbd className="kbd">{keyText('mod+enter')}</kbd> {entry.other.does}
        </span>
      )}
    </>
  )
}

type EntryPick = Pick & { entry: Entry }

function asPick({ entry, marks }: Found): EntryPick {
  const { id, title, icon, end, danger } = entry
  return {
    id,
    entry,
    icon,
    ...(end !== undefined && { end }),
    ...(danger && { danger }),
    text: cutAtMarks(title, marks).map(({ text, hit }, index) =>
      // The index is the only stable key of a part.
      // oxlint-disable-next-line react/no-array-index-key
      hit ? <mark key={index}>{showHidden(text)}</mark> : showHidden(text),
    ),
  }
}

type Entries = {
  entries: Entry[]
  /** Whether the chats, models or settings are still read. */
  isReading: boolean
}

/** Everything that can be found, in the order in which it is listed. */
function useEntries({ chat, settings, actions }: Omit<Props, 'onClose'>): Entries {
  const { client } = useLink()
  const all = useAllActions()
  const [doable] = useState(() => all?.now() ?? new Map())
  const known = useHost(host => host.sessions)
  const titles = useAsked(signal => attemptCall(client['session.titles']({}, { signal })), '')
  const models = useHost(host => host.models)
  const skills = useKnownSkills()
  const { shown, keys, sections } = useLoadedSettings(settings)

  // Those in the list are here at once; the rest of many thousands takes a moment.
  const chats = useMemo(
    () => chatEntries(titles?.ok ? titles.value.chats : Object.values(known), actions),
    // oxlint-disable-next-line react/exhaustive-deps -- the window's actions are the same at each drawing
    [titles, known],
  )
  const others = useMemo(
    () => [
      ...pageEntries(actions),
      ...settingEntries({ shown, keys, sections }),
      ...skillEntries(skills, chat),
      ...modelEntries(models, chat, actions),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- the same
    [shown, keys, sections, skills, models, chat],
  )
  const entries = useMemo(() => [...actionEntries(doable), ...chats, ...others], [doable, chats, others])
  const isWithoutSettings = useStore(settings, state => state.settings === null && state.problem === null)
  // The built-in model is always in the list.
  return { entries, isReading: titles === undefined || models.length === 0 || isWithoutSettings }
}

/** Where the browser keeps what was chosen, and how much of it. */
const RECENT_KEY = 'palette'
const MOST_RECENT = 30

/** The ids of what was chosen lately, the newest first. */
function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(readKept(RECENT_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(each => typeof each === 'string').slice(0, MOST_RECENT) : []
  } catch {
    return []
  }
}

/** Note that this was chosen now. */
function noteRecent(id: string): void {
  keepValue(
    RECENT_KEY,
    JSON.stringify([id, ...readRecent().filter(each => each !== id)].slice(0, MOST_RECENT)),
  )
}
