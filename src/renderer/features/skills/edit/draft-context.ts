import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { DraftStore } from './draft-store.ts'

export const DraftContext = createContext<StoreApi<DraftStore> | null>(null)

/** The store of the skill that is being written, for code that acts outside of drawing. */
export function useDraftStore(): StoreApi<DraftStore> {
  const draft = use(DraftContext)
  if (!draft) throw new Error('A part of the editor was drawn outside of SkillEditor.')
  return draft
}

/** Read a part of the skill that is being written; the component draws again only when that part changes. */
export const useDraft = <T>(select: (draft: DraftStore) => T): T => useStore(useDraftStore(), select)
