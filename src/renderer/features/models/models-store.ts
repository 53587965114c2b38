import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { EngineInfo, Fit, Machine } from '../../../shared/contract/model.ts'
import type { Transfer } from '../../../shared/contract/download.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import { showToast } from '../../ui/Toasts.tsx'
import type { ModelsTab } from './models-state.ts'
import { sendFile, type SendFile } from '../../rpc/page-token.ts'

export type Catalogue = Awaited<ReturnType<HostClient['catalogue.list']>>

/** Data that is always read from the host as a whole. */
type Read = 'machine' | 'catalogue' | 'engine'

type ModelsState = {
  tab: ModelsTab
  /** The model whose card is open. */
  openId: string | null
  machine: Machine | null
  catalogue: Catalogue | null
  engine: EngineInfo | null
  /** Fits with the current options, by model id. */
  fits: ReadonlyMap<string, Fit>
  /** Error messages of failed reads. */
  problems: Partial<Record<Read, string>>
}

export type ModelsStore = ModelsState & {
  show: (tab: ModelsTab) => void
  open: (id: string | null) => void
  loadMachine: () => Promise<void>
  loadCatalogue: () => Promise<void>
  loadEngine: () => Promise<void>
  /** Reload the fits of these models and drop all others. */
  loadFits: (ids: readonly string[], how: { now?: true }) => Promise<void>
  /**
   * Announce files to the host one after the other and send their bytes. Resolves when all uploads have
   * started.
   */
  send: (files: readonly File[]) => Promise<Outcome<unknown>>
}

/**
 * How to ask for fits: estimates at once while the host looks for a graphics card, which ends with its answer about
 * the machine.
 */
export const fitHow = ({ machine, problems }: Pick<ModelsState, 'machine' | 'problems'>): { now?: true } =>
  machine === null && problems.machine === undefined ? { now: true } : {}

/** State and host calls of the Models page. The store outlives the page, so the state survives navigation. */
export function createModelsStore(
  { client }: Pick<Link, 'client'>,
  put: SendFile = sendFile,
): StoreApi<ModelsStore> {
  return createStore<ModelsStore>(set => {
    let lastFits = 0

    async function load<R extends Read>(read: R, asked: Promise<NonNullable<ModelsState[R]>>) {
      const answer = await attemptCall(asked)
      set(({ problems }) => {
        const { [read]: _over, ...others } = problems
        if (!answer.ok) return { problems: { ...others, [read]: answer.fault.message } }
        return { [read]: answer.value, problems: others }
      })
    }

    /** Fail an upload whose bytes never reached the host. The host reports all other errors itself. */
    async function lost({ id, name }: Transfer) {
      const answer = await attemptCall(client['download.list']({}))
      const state = answer.ok && answer.value.transfers.find(transfer => transfer.id === id)?.state
      if (state !== 'waiting') return
      showToast(`${name} could not be sent. Is it still there?`, { level: 'error' })
      await attemptCall(client['download.cancel']({ id }))
    }

    return {
      tab: 'installed',
      openId: null,
      machine: null,
      catalogue: null,
      engine: null,
      fits: new Map(),
      problems: {},

      show: tab => set({ tab }),
      open: openId => set({ openId }),
      loadMachine: () => load('machine', client['machine.look']({})),
      loadCatalogue: () => load('catalogue', client['catalogue.list']({})),
      loadEngine: () => load('engine', client['engine.info']({})),

      async loadFits(ids, how) {
        const turn = ++lastFits
        const answers = await Promise.all(ids.map(id => attemptCall(client['model.fit']({ id, ...how }))))
        if (turn !== lastFits) return
        // A model without a memory estimate gets no label. Its card shows its own error.
        const found = answers.flatMap((answer, at) => (answer.ok ? [[ids[at]!, answer.value] as const] : []))
        set({ fits: new Map(found) })
      },

      async send(files) {
        for (const file of files) {
          const made = await attemptCall(client['download.upload']({ name: file.name, sizeBytes: file.size }))
          if (!made.ok) return made
          // The host reports the progress, as for every transfer.
          void put(made.value.id, file).then(taken => (taken ? undefined : lost(made.value)))
        }
        return { ok: true, value: {} }
      },
    }
  })
}
