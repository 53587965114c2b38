import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { DraftStore } from './draft-store.ts'

export const DraftContext = createContext<StoreApi<DraftStore> | null>(null)

/** The store of the edited skill, for code that runs outside rendering. */
function useDraftStore(): StoreApi<DraftStore> {
  const draft = use(DraftContext)
  if (!draft) throw new Error('Part of the editor was rendered outside SkillEditor.')
  return draft
}

/** Select a part of the draft. The component renders again only when that part changes. */
export const useDraft = <T>(select: (draft: DraftStore) => T): T => useStore(useDraftStore(), select)
