import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Gpu } from '../../../../shared/contract/models/model.ts'
import { writeAtomic } from '../../../lib/disk/durable-files.ts'
import { isRefusal, parseJson, type Refusal } from '../../../lib/expected-errors.ts'
import { backendNames, installedBackends } from './process/backends.ts'
import type { Backend, GpuChoice } from './process/backends.ts'
import type { RuntimeFacts } from './process/protocol.ts'

/** The result of probing the graphics card. */
type GpuProbe = { runtime: RuntimeFacts } | Refusal

/** The state of the graphics card since the start. A failed card is not retried until the setting changes. */
export type GpuState = {
  /** The back end for the next engine. */
  readonly choice: GpuChoice
  /** The reason a requested card is not used, as a sentence; null if all is well. */
  readonly trouble: string | null
  /** The card as last probed; undefined before the first probe. */
  readonly card: Gpu | null | undefined
  /** The card to expect before the first probe: the last one found on this computer. */
  readonly expected: Gpu | null
  /** The facts that the library reported, on any back end. */
  readonly runtime: RuntimeFacts | undefined
  /** Record the result of a probe. */
  recordProbe(probe: GpuProbe): void
  /** Use the processor from now on, because an engine failed with the card. */
  giveUpCard(why: string): void
}

type Parts = {
  setting: () => GpuChoice
  /** Back ends with binaries; by default the installed ones. */
  installed?: () => readonly Backend[]
  report: (error: unknown) => void
  /** Folder for disposable data; without one, no card is expected. */
  cacheFolder?: string | undefined
}

/** Create the state. This does not probe the card. */
export function createGpuState({
  setting,
  installed = installedBackends,
  report,
  cacheFolder,
}: Parts): GpuState {
  let known: { setting: GpuChoice; choice: GpuChoice; trouble: string | null; card?: Gpu | null } | undefined
  let runtime: RuntimeFacts | undefined
  const lastFound =
    cacheFolder === undefined ? undefined : openLastFound(join(cacheFolder, CARD_FILE), report)

  const first = (wish: GpuChoice): NonNullable<typeof known> => {
    const cards = installed().filter(backend => backend !== 'cpu')
    if (wish === 'off' || (wish === 'auto' && cards.length === 0)) {
      return { setting: wish, choice: 'off', trouble: null, card: null }
    }
    if (wish === 'auto' || cards.includes(wish)) return { setting: wish, choice: wish, trouble: null }
    const trouble = `The processor is used: this Talaria came without what ${backendNames[wish]} needs.`
    return { setting: wish, choice: 'off', trouble, card: null }
  }
  const now = () => {
    const wish = setting()
    if (known?.setting !== wish) known = first(wish)
    return known
  }
  const turnOff = (trouble: string | null) => {
    known = { setting: setting(), choice: 'off', trouble, card: null }
  }

  return {
    get choice() {
      return now().choice
    },
    get trouble() {
      return now().trouble
    },
    get card() {
      return now().card
    },
    get expected() {
      return now().card ?? (now().choice === 'off' ? null : (lastFound?.read(setting()) ?? null))
    },
    get runtime() {
      return runtime
    },
    recordProbe(probe) {
      const here = now()
      if (isRefusal(probe)) {
        if (here.choice === 'off') return
        report(new Error(`No graphics card: ${probe.refused}`))
        lastFound?.write(here.setting, null)
        // With `auto` the user did not ask for a card, so there is nothing to report.
        turnOff(here.setting === 'auto' ? null : `The processor is used: ${probe.refused}`)
        return
      }
      runtime = probe.runtime
      if (here.choice === 'off') return
      const card = cardOf(probe.runtime)
      lastFound?.write(here.setting, card)
      if (card) here.card = card
      else turnOff(null)
    },
    giveUpCard(why) {
      report(new Error(`The graphics card is given up: ${why}`))
      turnOff(`The processor is used, which is slower: ${why}`)
    },
  }
}

function cardOf({ backend, devices, totalBytes, freeBytes }: RuntimeFacts): Gpu | null {
  return backend === 'cpu' ? null : { backend, names: devices, totalBytes, freeBytes }
}

const CARD_FILE = 'graphics-card.json'
const LastFound = z.object({
  version: z.literal(1),
  computer: z.string(),
  setting: z.string(),
  card: Gpu.nullable(),
})

/**
 * Open the record of the card that the last probe found on this computer, with its setting. The next probe
 * finds the card again, so an unreadable file counts as no card.
 */
function openLastFound(path: string, report: (error: unknown) => void) {
  const read = (setting: GpuChoice): Gpu | null => {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch {
      return null
    }
    const file = LastFound.safeParse(parseJson(text))
    // A home folder may be on a disk that moves between computers.
    const isHere = file.success && file.data.computer === hostname() && file.data.setting === setting
    return isHere ? file.data.card : null
  }
  const write = (setting: GpuChoice, card: Gpu | null): void => {
    try {
      if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 })
      writeAtomic(path, `${JSON.stringify({ version: 1, computer: hostname(), setting, card })}\n`)
    } catch (error) {
      report(error)
    }
  }
  return { read, write }
}
