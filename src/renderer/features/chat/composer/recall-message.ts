import { useRef, type KeyboardEvent } from 'react'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { writeInto } from '../../../ui/fields/write-into.ts'
import { useOpenChat } from '../store/open-chats.ts'

/** Handles a key and returns whether it used it. */
type OnKey = (event: KeyboardEvent<HTMLTextAreaElement>) => boolean

/**
 * In the empty message field, Up recalls the last message, and then earlier ones; Down goes the other way,
 * back to the empty field. Once a recalled text is edited, or the caret moved in it, the arrows only move the
 * caret. Recalled text is inserted through the field, so that it can be undone.
 */
export function useRecalledMessages(): OnKey {
  const { store } = useOpenChat()
  /** How many messages back the recalled text is. */
  const recalled = useRef<{ back: number; text: string } | null>(null)

  return event => {
    const isUp = isKey(event, 'arrowup')
    if (!isUp && !isKey(event, 'arrowdown')) return false
    const field = event.currentTarget
    const { selectionStart, selectionEnd, value } = field
    const isUnchanged = recalled.current?.text === value && selectionStart === value.length
    if (value !== '' && (!isUnchanged || selectionStart !== selectionEnd)) return false
    const { messages, pending } = store.getState()
    const sent = [
      ...(pending === null ? [] : [pending]),
      ...messages.flatMap(message => (message.role === 'user' ? [message.text] : [])).toReversed(),
    ].filter(text => text !== '')
    const back = value === '' ? (isUp ? 0 : -1) : recalled.current!.back + (isUp ? 1 : -1)
    // Down does nothing in an empty field, and Up does nothing at the first message.
    if (value === '' && back < 0) return false
    const text = back < 0 ? '' : sent[back]
    if (text === undefined) return value !== ''
    recalled.current = text === '' ? null : { back, text }
    writeInto(field, text)
    return true
  }
}
