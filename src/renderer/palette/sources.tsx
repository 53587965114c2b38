import { Box, CircleQuestionMark, MessageSquare, Sparkles, TextQuote, Zap } from 'lucide-react'
import type { Model } from '../../shared/contract/models/model.ts'
import type { ChatTitle } from '../../shared/contract/chats/session.ts'
import type { Template } from '../../shared/contract/chats/templates.ts'
import type { HelpGroup } from '../../shared/contract/help.ts'
import type { Skill } from '../../shared/contract/learned/skills.ts'
import { actionText, keysOf, type ActionId, type BoundKeys } from '../action-table.ts'
import { goTo } from '../route.ts'
import type { ActionHandler } from '../use-actions.ts'
import { Kbd, When } from '../ui/text/InlineText.tsx'
import { showToast } from '../ui/Toasts.tsx'
import type { WindowActions } from '../window-actions.ts'
import type { OpenChat } from '../features/chat/store/open-chats.ts'
import { pages } from '../features/sessions/PageLinks.tsx'
import { entryOf, type Entry, type EntryGroup } from './entries.ts'

/** Actions that start something or show chats, in list order. */
const BEGINNING: readonly ActionId[] = [
  'chat.new',
  'chats.search',
  'chat.newTemporary',
  'chats.archived',
  'chats.deleted',
]

function groupOf(id: ActionId): EntryGroup {
  if (BEGINNING.includes(id)) return 'Start'
  if (id.startsWith('mode.')) return 'Permissions'
  return /^(?:settings|theme|network|shortcuts|sidebar)\./.test(id) ? 'Settings' : 'Commands'
}

/** The actions possible now, those of the chat first. */
export function actionEntries(doable: ReadonlyMap<ActionId, ActionHandler>, bound: BoundKeys): Entry[] {
  const entries = [...doable]
    .filter(([id]) => id !== 'palette.open')
    .map(([id, run]) => {
      const { label, words, danger, place } = actionText(id)
      const keys = keysOf(id, bound)
      return {
        place,
        entry: entryOf({
          id,
          group: groupOf(id),
          title: label,
          icon: <Zap size={16} />,
          does: 'does it',
          run: () => void run(),
          ...(words !== undefined && { words }),
          ...(keys !== undefined && { end: <Kbd keys={keys} /> }),
          ...(danger && { danger }),
        }),
      }
    })
  const rank = ({ entry, place }: (typeof entries)[number]) =>
    entry.group === 'Start' ? BEGINNING.indexOf(entry.id as ActionId) : place === 'chat' ? 0 : 1
  return entries.toSorted((a, b) => rank(a) - rank(b)).map(({ entry }) => entry)
}

/** Chats by their titles, the newest first. */
export function chatEntries(chats: readonly ChatTitle[], actions: Pick<WindowActions, 'openChat'>): Entry[] {
  const newest = chats.toSorted((a, b) => b.updatedAt - a.updatedAt)
  return newest.map(({ id, title, updatedAt, archived }, index) =>
    entryOf({
      id: `chat:${id}`,
      group: 'Chats',
      title: title || 'New chat',
      icon: <MessageSquare size={16} />,
      end: (
        <>
          {archived && 'archived · '}
          <When at={updatedAt} />
        </>
      ),
      weight: 1 - index / newest.length,
      does: 'opens the chat',
      run: () => actions.openChat(id),
    }),
  )
}

export function pageEntries(actions: Pick<WindowActions, 'openPage'>): Entry[] {
  return pages.map(({ page, label, Icon, words = '' }) =>
    entryOf({
      id: `page:${page}`,
      group: 'Pages',
      title: label,
      icon: <Icon size={16} />,
      words: `page go ${words}`,
      does: 'shows the page',
      run: () => actions.openPage(page),
    }),
  )
}

/** The pages of Help and their headings. */
export function helpEntries(groups: readonly HelpGroup[]): Entry[] {
  const entry = (id: string, anchor: string | null, title: string, end: string) =>
    entryOf({
      id: `help:${id}${anchor === null ? '' : `#${anchor}`}`,
      group: 'Help',
      title,
      words: `help ${anchor === null ? '' : end}`,
      icon: <CircleQuestionMark size={16} />,
      end,
      does: 'opens Help there',
      run: () => goTo({ page: 'help', itemId: id, tab: anchor }),
    })
  const pages = groups.flatMap(group => group.pages.map(page => ({ ...page, group: group.title })))
  // Pages come first: they take precedence over a heading of the same name.
  return [
    ...pages.map(({ id, title, group }) => entry(id, null, title, group)),
    ...pages.flatMap(({ id, title, headings }) =>
      headings.map(({ text, anchor }) => entry(id, anchor, text, title)),
    ),
  ]
}

/** The skills in use. In a chat, Enter puts a skill before the message; elsewhere it opens the skill. */
export function skillEntries(skills: readonly Skill[], chat: OpenChat | null): Entry[] {
  const used = skills.filter(skill => skill.shadowedBy === null)
  const most = Math.max(1, ...used.map(skill => skill.uses.loads))
  return used
    .toSorted((a, b) => b.uses.loads - a.uses.loads)
    .map(({ id, name, description, enabled, blocked, unavailable, uses }) => {
      const open = { does: 'opens the skill', run: () => goTo({ page: 'skills', skillId: id }) }
      const isReady = enabled && blocked === null && unavailable === null
      const attach = chat && isReady ? attachIn(chat, name) : null
      return entryOf({
        id: `skill:${id}`,
        group: 'Skills',
        title: name,
        words: description,
        icon: <Sparkles size={16} />,
        weight: uses.loads / most,
        ...(!isReady && { end: 'not in use' }),
        ...(attach ? { ...attach, other: open } : open),
      })
    })
}

const attachIn = (chat: OpenChat, name: string) => ({
  does: 'attaches it to the message',
  run: () => putBefore(chat, name),
})

/** Puts a skill or a template before the message, in place of an earlier one. */
function putBefore({ store }: OpenChat, name: string) {
  const { draft, setDraft } = store.getState()
  setDraft(`/${name} ${draft.replace(/^\/[\p{L}\d._-]{1,64}\s*/u, '')}`)
  document.querySelector<HTMLElement>('.composer-field')?.focus()
}

/** The templates that can be used. Sending the message fills one in. */
export const templateEntries = (templates: readonly Template[], chat: OpenChat): Entry[] =>
  templates
    .filter(({ problem }) => problem === null)
    .map(({ name, text }) =>
      entryOf({
        id: `template:${name}`,
        group: 'Templates',
        title: name,
        words: `template prompt ${text.slice(0, 200)}`,
        icon: <TextQuote size={16} />,
        does: 'puts it before the message',
        run: () => putBefore(chat, name),
      }),
    )

/** The models. In a chat, Enter switches to the model; elsewhere it shows the card of the model. */
export function modelEntries(
  models: readonly Model[],
  chat: OpenChat | null,
  actions: Pick<WindowActions, 'showModel'>,
): Entry[] {
  return models.map(({ id, name, demo, problem }) => {
    const show = { does: 'shows its card', run: () => actions.showModel(id) }
    const choose =
      chat && problem === null ? { does: 'uses it in this chat', run: () => void use(chat, id) } : null
    return entryOf({
      id: `model:${id}`,
      group: 'Models',
      title: demo ? 'Built-in demo model' : name,
      words: 'model',
      icon: <Box size={16} />,
      ...(problem !== null && { end: 'cannot be used' }),
      ...(choose ? { ...choose, other: show } : show),
    })
  })
}

async function use({ store }: OpenChat, modelId: string) {
  const changed = await store.getState().change({ modelId })
  if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
}
