import { useMemo, useState, type ReactNode } from 'react'
import { useHost } from '../rpc/host-context.tsx'
import { useAnswer } from '../rpc/use-answer.ts'
import { useAllActions } from '../use-actions.ts'
import { BareDialog } from '../ui/Dialog.tsx'
import { keyText } from '../ui/keyboard/keys.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import type { OpenChat } from '../features/chat/store/open-chats.ts'
import { useKnownSkills } from '../features/chat/composer/known-skills.ts'
import { useTemplates } from '../features/chat/composer/use-templates.ts'
import { cutAtMarks } from '../features/sessions/search/excerpts.ts'
import { findEntries, type Entry, type Found } from './entries.ts'
import { PickList, type Pick } from '../ui/PickList.tsx'
import {
  actionEntries,
  chatEntries,
  helpEntries,
  modelEntries,
  pageEntries,
  skillEntries,
  templateEntries,
} from './sources.tsx'
import { settingEntries, useLoadedSettings } from './setting-entries.tsx'
import { keepValue, readKept } from '../ui/local-storage.ts'
import type { WindowActions } from '../window-actions.ts'

type Props = {
  /** The chat on the screen; null on other pages. */
  chat: OpenChat | null
  actions: WindowActions
  onClose: () => void
}

/** Finds actions, chats, pages, settings, skills, templates, models and Help by a few letters. */
export function Palette({ chat, actions, onClose }: Props): ReactNode {
  const [query, setQuery] = useState('')
  const [chosen] = useState(readChosen)
  const { entries, isReading } = useEntries({ chat, actions })
  const groups = useMemo(() => findEntries(query, entries, chosen), [query, entries, chosen])
  const searched = query.trim()

  const choose = (entry: Entry, isOther: boolean) => {
    noteChosen(entry.id)
    onClose()
    afterClosing(isOther && entry.other ? entry.other.run : entry.run)
  }
  return (
    <BareDialog label="Command palette" className="palette" onClose={onClose}>
      <PickList
        label="Command palette"
        hint="Chats, pages, commands, skills, templates, models, settings, help"
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
              <p>Nothing matches.</p>
              <button
                type="button"
                className="btn btn-secondary max-w-full"
                onClick={() => {
                  onClose()
                  afterClosing(() => actions.searchChats(searched))
                }}
              >
                <span className="truncate">{`Search all messages for “${searched}”`}</span>
              </button>
            </div>
          )
        }
        renderFooter={pick => <Footer entry={pick?.entry} isReading={isReading} />}
      />
    </BareDialog>
  )
}

/** Run after the dialog has returned the focus, so that the chosen action can move it. */
function afterClosing(run: () => void) {
  requestAnimationFrame(() => requestAnimationFrame(run))
}

function Footer({ entry, isReading }: { entry: Entry | undefined; isReading: boolean }) {
  if (!entry)
    return (
      <span>{isReading && 'Press Enter to open the first match as soon as it is found. '}Esc closes.</span>
    )
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
  /** Whether the chats, models, settings or Help pages are still being read. */
  isReading: boolean
}

/** Everything that can be found, in the order in which it is listed. */
function useEntries({ chat, actions }: Omit<Props, 'onClose'>): Entries {
  const all = useAllActions()
  const [doable] = useState(() => all?.now() ?? new Map())
  const bound = useHost(host => host.settings.keys)
  const known = useHost(host => host.sessions)
  const titles = useAnswer('session.titles', {})
  const models = useHost(host => host.models)
  const skills = useKnownSkills()
  const templates = useTemplates(chat !== null)
  const { shown, keys, sections, isReading } = useLoadedSettings()
  const help = useAnswer('help.list', {}, { isTold: true })

  // Chats in the list are available at once; the others take a moment.
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
      ...(chat ? templateEntries(templates ?? [], chat) : []),
      ...modelEntries(models, chat, actions),
      ...helpEntries(help?.ok ? help.value.groups : []),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- the same
    [shown, keys, sections, skills, templates, models, chat, help],
  )
  const entries = useMemo(
    () => [...actionEntries(doable, bound), ...chats, ...others],
    [doable, bound, chats, others],
  )
  // The built-in model is always in the list.
  return {
    entries,
    isReading: titles === undefined || models.length === 0 || help === undefined || isReading,
  }
}

/** The storage key for chosen entries, and how many to keep. */
const CHOSEN_KEY = 'palette'
const MOST_CHOSEN = 200

/** The ids of chosen entries, newest first, one for each choice. */
function readChosen(): string[] {
  try {
    const kept: unknown = JSON.parse(readKept(CHOSEN_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(each => typeof each === 'string').slice(0, MOST_CHOSEN) : []
  } catch {
    return []
  }
}

/** Record that an entry was chosen. */
function noteChosen(id: string): void {
  keepValue(CHOSEN_KEY, JSON.stringify([id, ...readChosen()].slice(0, MOST_CHOSEN)))
}
