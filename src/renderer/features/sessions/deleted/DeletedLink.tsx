import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDeleted } from './use-deleted.ts'

/** Opens the deleted chats, from the end of the list of chats. Hidden while there are none. */
export function DeletedLink({ onClick }: { onClick: () => void }): ReactNode {
  const answer = useDeleted()
  if (!answer?.ok || answer.value.chats.length + answer.value.removing === 0) return null
  return (
    <button type="button" aria-haspopup="dialog" className="side-item mt-3 text-ink-3" onClick={onClick}>
      <Trash2 size={15} />
      <span className="flex-1">Recently deleted</span>
      <span className="text-xs">{answer.value.chats.length}</span>
    </button>
  )
}
