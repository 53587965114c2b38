import type { ReactNode } from 'react'
import { memoryText } from './strings.ts'
import type { Paged } from '../../rpc/use-asked.ts'

/** The way to what is not shown yet of a list. */
export function More({ list }: { list: Pick<Paged<unknown>, 'more' | 'loadMore'> }): ReactNode {
  if (!list.more) return null
  return (
    <button
      type="button"
      className="btn btn-secondary mt-3 justify-self-start"
      onClick={() => void list.loadMore()}
    >
      {memoryText.history.more}
    </button>
  )
}
