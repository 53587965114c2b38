import { useState } from 'react'
import { useOpenChat } from './chats.ts'

/** Whether part of the transcript is expanded. The state survives while its row is unmounted. */
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
