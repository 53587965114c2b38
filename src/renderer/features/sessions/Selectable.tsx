import { createContext, use, useState, type KeyboardEvent, type ReactNode } from 'react'
import { readRoute } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { isKey } from '../../ui/keyboard/keys.ts'
import { chatRowIds, focusedChatRow, focusRow } from './chat-row-focus.ts'
import { useManyChats } from './many-chats.ts'
import { SelectionBar } from './SelectionBar.tsx'

type Chosen = { ids: readonly string[]; anchor: string | null }
const NOTHING: Chosen = { ids: [], anchor: null }

/** The selected chats of a list, for its rows. `range`: select all from the last one to this one. */
export type Selection = {
  ids: readonly string[]
  choose: (id: string, how: 'toggle' | 'range') => void
}

const SelectionContext = createContext<Selection>({ ids: NOTHING.ids, choose: () => {} })

/** The selection of the list that a row is in. */
export const useSelection = (): Selection => use(SelectionContext)

type Props = {
  activeId: string | null
  onNew: () => void
  onExport: (ids: readonly string[]) => void
  children: ReactNode
}

/**
 * A list of chats with multiple selection: Ctrl or Cmd with a click adds one, Shift with a click a range. By
 * keyboard: Ctrl+Space, Shift with the arrows, and Ctrl+A. Esc clears the selection.
 */
export function Selectable({ activeId, onNew, onExport, children }: Props): ReactNode {
  const [chosen, setChosen] = useState(NOTHING)
  const sessions = useHost(host => host.sessions)
  const { change } = useManyChats()
  const chats = chosen.ids.flatMap(id => sessions[id] ?? [])
  const ids = chats.map(({ id }) => id)
  const clear = () => setChosen(NOTHING)

  const choose: Selection['choose'] = (id, how) => {
    if (how === 'toggle')
      return setChosen({ ids: ids.includes(id) ? ids.filter(each => each !== id) : [...ids, id], anchor: id })
    const anchor = chosen.anchor ?? activeId ?? id
    setChosen({ ids: rangeOf(chatRowIds(), anchor, id), anchor })
  }
  const extend = (which: 'next' | 'previous') => {
    const anchor = chosen.anchor ?? focusedChatRow() ?? null
    focusRow(which)
    const id = focusedChatRow()
    if (id !== undefined && anchor !== null) setChosen({ ids: rangeOf(chatRowIds(), anchor, id), anchor })
  }
  const removeAll = () => {
    void change(ids, { removed: true }).then(isDone => {
      if (!isDone) return
      // The chat that is open now, not the one at the time of the click.
      const { chatId } = readRoute(location.hash)
      if (chatId !== null && ids.includes(chatId)) onNew()
      clear()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const id = focusedChatRow()
    if (id === undefined) return
    const isChoosing = ids.length > 0
    const act = (
      [
        ['shift+arrowdown', () => extend('next')],
        ['shift+arrowup', () => extend('previous')],
        ['mod+a', () => setChosen({ ids: chatRowIds(), anchor: id })],
        ['mod+ ', () => choose(id, 'toggle')],
        [' ', isChoosing && (() => choose(id, 'toggle'))],
        ['delete', isChoosing && removeAll],
        ['escape', isChoosing && clear],
      ] as const
    ).find(([key, does]) => does && isKey(event, key))?.[1]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <SelectionContext value={{ ids, choose }}>
      {/* Runs before the row handles the key. */}
      <div role="presentation" onKeyDownCapture={onKeyDown}>
        {children}
      </div>
      {chats.length > 0 && (
        <SelectionBar
          chats={chats}
          onRemove={removeAll}
          onExport={() => onExport(ids)}
          onDone={() => {
            clear()
            focusRow('first')
          }}
        />
      )}
    </SelectionContext>
  )
}

/** The ids from one to another, in either direction. */
function rangeOf(order: readonly string[], from: string, to: string): string[] {
  const end = order.indexOf(to)
  const start = order.includes(from) ? order.indexOf(from) : end
  return end < 0 ? [] : order.slice(Math.min(start, end), Math.max(start, end) + 1)
}
