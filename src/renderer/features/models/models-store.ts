import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { EngineInfo, Fit, Machine } from '../../../shared/contract/model.ts'
import type { Transfer } from '../../../shared/contract/transfers.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import { showToast } from '../../ui/toasts.ts'
import { sendFile, type SendFile } from './add/send-file.ts'
import { addText } from './add/strings.ts'
import type { ModelsTab } from './models-state.ts'

export type Catalogue = Awaited<ReturnType<HostClient['catalogue.list']>>

/** What is read from the host as a whole. */
export type Read = 'machine' | 'catalogue' | 'engine'

export type ModelsState = {
  tab: ModelsTab
  /** The model that is shown in full. */
  openId: string | null
  machine: Machine | null
  catalogue: Catalogue | null
  engine: EngineInfo | null
  /** Whether models fit as they are set, by their ids. */
  fits: ReadonlyMap<string, Fit>
  /** Why some of these could not be read. */
  problems: Partial<Record<Read, string>>
}

export type ModelsStore = ModelsState & {
  show: (tab: ModelsTab) => void
  open: (id: string | null) => void
  loadMachine: () => Promise<void>
  loadCatalogue: () => Promise<void>
  loadEngine: () => Promise<void>
  /** Ask anew whether these models fit; the answers for others are forgotten. */
  loadFits: (ids: readonly string[]) => Promise<void>
  /** Announce files of this page to the host, one after the other, and send their bytes; resolves when all are on their way. */
  send: (files: readonly File[]) => Promise<Outcome<unknown>>
}

/** The Models page and what it may ask of the host; it outlives the page, so that the way back finds it as it was. */
export function createModelsStore(
  { client }: Pick<Link, 'client'>,
  put: SendFile = sendFile,
): StoreApi<ModelsStore> {
  return createStore<ModelsStore>(set => {
    let lastFits = 0

    async function load<R extends Read>(read: R, asked: Promise<NonNullable<ModelsState[R]>>) {
      const answer = await attempt(asked)
      set(({ problems }) => {
        const { [read]: _over, ...others } = problems
        if (!answer.ok) return { problems: { ...others, [read]: answer.fault.message } }
        return { [read]: answer.value, problems: others }
      })
    }

    /** The host tells what went wrong with bytes that it got; of those that never came it cannot know. */
    async function lost({ id, name }: Transfer) {
      const answer = await attempt(client['transfer.list']({}))
      const state = answer.ok && answer.value.transfers.find(transfer => transfer.id === id)?.state
      if (state !== 'waiting') return
      showToast(addText.notSent(name), { level: 'error' })
      await attempt(client['transfer.cancel']({ id }))
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

      async loadFits(ids) {
        const turn = ++lastFits
        const answers = await Promise.all(ids.map(id => attempt(client['model.fit']({ id }))))
        if (turn !== lastFits) return
        // A model whose memory cannot be foretold has no label, and says by itself what is wrong with it.
        const found = answers.flatMap((answer, at) => (answer.ok ? [[ids[at]!, answer.value] as const] : []))
        set({ fits: new Map(found) })
      },

      async send(files) {
        for (const file of files) {
          const made = await attempt(client['transfer.upload']({ name: file.name, sizeBytes: file.size }))
          if (!made.ok) return made
          // How it goes is told by the host, like the progress of everything that comes in.
          void put(made.value.id, file).then(taken => (taken ? undefined : lost(made.value)))
        }
        return { ok: true, value: {} }
      },
    }
  })
}
