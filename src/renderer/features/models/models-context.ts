import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import type { ModelsStore } from './models-store.ts'
import type { ModelsTab } from './models-state.ts'

/** Shared by the parts of the page: the store, and actions that only the window can do. */
export type ModelsPageContext = {
  store: StoreApi<ModelsStore>
  show: (tab: ModelsTab) => void
  /** Open the dialog that adds a file or a server. */
  onAdd: ((how: 'file' | 'server') => void) | undefined
  /** Start a new chat with a model. */
  onChat: ((model: Model) => void) | undefined
}

export const ModelsContext = createContext<ModelsPageContext | null>(null)

export function useModelsPage(): ModelsPageContext {
  const context = use(ModelsContext)
  if (!context) throw new Error('A part of the models was drawn outside of ModelsPage.')
  return context
}

/** Selects a part of the store. The component re-renders only when that part changes. */
export const useModels = <T>(select: (models: ModelsStore) => T): T => useStore(useModelsPage().store, select)

/**
 * The id of the loaded model, which affects fits. Null when none is loaded, undefined until the host
 * answers.
 */
export const useInMemory = (): string | null | undefined =>
  useHost(host => {
    if (host.hello === null) return undefined
    return host.engine.phase === 'ready' || host.engine.phase === 'busy' ? host.engine.modelId : null
  })
