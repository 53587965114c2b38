import { useRef, type KeyboardEvent } from 'react'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { writeInto } from '../../../ui/fields/write-into.ts'
import { useOpenChat } from '../store/open-chats.ts'

/** Whether a key was used. */
type OnKey = (event: KeyboardEvent<HTMLTextAreaElement>) => boolean

/**
 * Up in the empty message field brings the last message back, and again the ones before it; Down leads the other way, to the empty
 * field. Once such a text is changed, or the caret moved in it, the arrows are its own. What is brought is written through the field,
 * so that it can be undone.
 */
export function useRecalledMessages(): OnKey {
  const { store } = useOpenChat()
  /** How many messages back the text in the field is from. */
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
    // In an empty field Down has nothing to do, and the first message has none before it.
    if (value === '' && back < 0) return false
    const text = back < 0 ? '' : sent[back]
    if (text === undefined) return value !== ''
    recalled.current = text === '' ? null : { back, text }
    writeInto(field, text)
    return true
  }
}
