import type { Gpu } from '../../../shared/contract/model.ts'
import { backendNames, installedBackends } from './backends.ts'
import type { Backend, GpuChoice } from './backends.ts'
import type { RuntimeFacts } from './protocol.ts'

/** What a look at the graphics card came to. */
export type Look = { runtime: RuntimeFacts } | { unusable: string }

/** What is known of the graphics card since this start. A card that failed is not tried again before the setting is changed. */
export type Graphics = {
  /** What the next engine is to be opened for. */
  readonly choice: GpuChoice
  /** Why the processor is used although a card was asked for, as a sentence; null where all is as it should be. */
  readonly trouble: string | null
  /** The card as it was found last; undefined while nobody has looked. */
  readonly card: Gpu | null | undefined
  /** What the library said of itself, on whatever it runs. */
  readonly runtime: RuntimeFacts | undefined
  /** Keep what an engine found. */
  note(looked: Look): void
  /** Use the processor from now on, because an engine with the card came to grief. */
  giveUp(why: string): void
}

type Parts = {
  setting: () => GpuChoice
  /** Back ends whose binaries are there; default those that are installed. */
  installed?: () => readonly Backend[]
  report: (error: unknown) => void
}

/** Remember what became of the graphics card; nothing is looked for here. */
export function createGraphics({ setting, installed = installedBackends, report }: Parts): Graphics {
  let known: { setting: GpuChoice; choice: GpuChoice; trouble: string | null; card?: Gpu | null } | undefined
  let runtime: RuntimeFacts | undefined

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
    get runtime() {
      return runtime
    },
    note(looked) {
      const here = now()
      if ('unusable' in looked) {
        if (here.choice === 'off') return
        report(new Error(`No graphics card: ${looked.unusable}`))
        // Who left it to Talaria has lost nothing.
        turnOff(here.setting === 'auto' ? null : `The processor is used: ${looked.unusable}`)
        return
      }
      runtime = looked.runtime
      if (here.choice === 'off') return
      const card = cardOf(looked.runtime)
      if (card) here.card = card
      else turnOff(null)
    },
    giveUp(why) {
      report(new Error(`The graphics card is given up: ${why}`))
      turnOff(`The processor is used, which is slower: ${why}`)
    },
  }
}

function cardOf({ backend, devices, totalBytes, freeBytes }: RuntimeFacts): Gpu | null {
  return backend === 'cpu' ? null : { backend, names: devices, totalBytes, freeBytes }
}
