import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillChats, indexPassages, openBenchStore, sentencesOf } from '../fill-chats.ts'

/** The home folders of the cases. */
export type Homes = {
  /** The folder that the chats work in. */
  workspace: string
  /** Make a home after its first run, whose model is on the server at `baseUrl`. */
  make(name: string, baseUrl: string): string
  /** Add a chat of 100,000 messages and other chats of 2,000 to a home. */
  addLongChats(home: string): Promise<void>
  /** Add a million messages to a home, in chats of fifty. */
  addMillion(home: string): Promise<void>
}

const LONGEST = 100_000
const LONG = 2_000
/** The number of chats in a home with long chats. The first is the longest. */
export const LONG_CHATS = 21
const MILLION = 1_000_000
const IN_CHAT = 50
const WORDS = 16

// A family that is known to take tools. Others get none, and then no file would be changed.
const MODEL = { id: 'served', name: 'Served model', model: 'qwen3', context_tokens: 131_072 }

/**
 * Make homes below a folder. The long chats take half a minute to write, so they are written once and copied.
 */
export function openHomes(folder: string): Homes {
  const { sentence } = sentencesOf(7)
  const workspace = join(folder, 'notes')
  mkdirSync(workspace)
  const said = {
    textOf: () => sentence(WORDS),
    titleOf: () => sentence(6),
    model: 'server:served',
    workspace,
  }
  const longHome = join(folder, 'long')
  const longChats = [LONGEST, ...Array.from({ length: LONG_CHATS - 1 }, () => LONG)]

  async function fill(home: string, chats: readonly number[]): Promise<void> {
    fillChats(home, { ...said, chats })
    const store = openBenchStore(home)
    await indexPassages(store)
    store.close()
  }

  return {
    workspace,
    make(name, baseUrl) {
      const home = join(folder, name)
      mkdirSync(home)
      const config = {
        ui: { setup_done: true },
        models: { default: 'server:served', servers: [{ ...MODEL, base_url: baseUrl }] },
      }
      // JSON is valid YAML.
      writeFileSync(join(home, 'config.yaml'), JSON.stringify(config))
      return home
    },
    async addLongChats(home) {
      if (!existsSync(longHome)) {
        mkdirSync(longHome)
        await fill(longHome, longChats)
      }
      cpSync(join(longHome, 'state.db'), join(home, 'state.db'))
    },
    addMillion: home =>
      fill(
        home,
        Array.from({ length: MILLION / IN_CHAT }, () => IN_CHAT),
      ),
  }
}
