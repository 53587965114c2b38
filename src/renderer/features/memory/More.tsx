import type { ReactNode } from 'react'
import type { Paged } from '../../rpc/use-asked.ts'

/** Loads the next page of a list. */
export function More({ list }: { list: Pick<Paged<unknown>, 'more' | 'loadMore'> }): ReactNode {
  if (!list.more) return null
  return (
    <button
      type="button"
      className="btn btn-secondary mt-3 justify-self-start"
      onClick={() => void list.loadMore()}
    >
      Show more
    </button>
  )
}
