import { Box, MessageSquare, Sparkles, Zap } from 'lucide-react'
import type { Model } from '../../shared/contract/model.ts'
import type { ChatTitle } from '../../shared/contract/session.ts'
import type { Skill } from '../../shared/contract/skills.ts'
import { actionText, type ActionId } from '../action-table.ts'
import { goTo } from '../route.ts'
import type { ActionHandler } from '../use-actions.ts'
import { Kbd, When } from '../ui/InlineText.tsx'
import { showToast } from '../ui/Toasts.tsx'
import type { WindowActions } from '../window-actions.ts'
import type { OpenChat } from '../features/chat/chats.ts'
import { pages } from '../features/sessions/PageLinks.tsx'
import { entryOf, type Entry } from './entries.ts'

/** What can be done now, those of the chat first. */
export function actionEntries(doable: ReadonlyMap<ActionId, ActionHandler>): Entry[] {
  const entries = [...doable]
    .filter(([id]) => id !== 'palette.open')
    .map(([id, run]) => {
      const { label, words, keys, danger, place } = actionText(id)
      return {
        place,
        entry: entryOf({
          id,
          group: 'Actions',
          title: label,
          icon: <Zap size={15} />,
          does: 'does it',
          run: () => void run(),
          ...(words !== undefined && { words }),
          ...(keys !== undefined && { end: <Kbd keys={keys} /> }),
          ...(danger && { danger }),
        }),
      }
    })
  const ofChat = entries.filter(({ place }) => place === 'chat')
  return [...ofChat, ...entries.filter(({ place }) => place !== 'chat')].map(({ entry }) => entry)
}

/** Chats by their titles, the newest first. */
export function chatEntries(chats: readonly ChatTitle[], actions: Pick<WindowActions, 'openChat'>): Entry[] {
  const newest = chats.toSorted((a, b) => b.updatedAt - a.updatedAt)
  return newest.map(({ id, title, updatedAt, archived }, index) =>
    entryOf({
      id: `chat:${id}`,
      group: 'Chats',
      title: title || 'New chat',
      icon: <MessageSquare size={15} />,
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
      icon: <Icon size={15} />,
      words: `page go ${words}`,
      does: 'shows the page',
      run: () => actions.openPage(page),
    }),
  )
}

/** The skills in use. In a chat Enter puts one before the message, elsewhere it opens it. */
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
        icon: <Sparkles size={15} />,
        weight: uses.loads / most,
        ...(!isReady && { end: 'not in use' }),
        ...(attach ? { ...attach, other: open } : open),
      })
    })
}

function attachIn({ store }: OpenChat, name: string) {
  return {
    does: 'attaches it to the message',
    run() {
      const { draft, setDraft } = store.getState()
      // One skill goes with a message, so another one takes its place.
      setDraft(`/${name} ${draft.replace(/^\/[\p{L}\d._-]{1,64}\s*/u, '')}`)
      document.querySelector<HTMLElement>('.composer-field')?.focus()
    },
  }
}

/** Models: in a chat Enter switches it to one, elsewhere it shows its card. */
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
      icon: <Box size={15} />,
      ...(problem !== null && { end: 'cannot be used' }),
      ...(choose ? { ...choose, other: show } : show),
    })
  })
}

async function use({ store }: OpenChat, modelId: string) {
  const changed = await store.getState().change({ modelId })
  if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
}
