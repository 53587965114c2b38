import { useState } from 'react'
import { useOpenChat } from './chats.ts'

/** Whether something in the transcript is open; it stays so while its row is scrolled away and drawn anew. */
export function useOpened(key: string): [boolean, (open: boolean) => void] {
  const { opened } = useOpenChat().view
  const [open, setOpen] = useState(() => opened.has(key))
  return [
    open,
    next => {
      if (next) opened.add(key)
      else opened.delete(key)
      setOpen(next)
    },
  ]
}
