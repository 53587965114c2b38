import { mkdir, readdir, rm, utimes } from 'node:fs/promises'
import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import type { StateFolder } from '../process/protocol.ts'
import type { Reply } from '../decoding/reply-text.ts'
import { chatShare, cleanFolder, notesIn, removeElsewhere, removeOutdated } from './state-folder.ts'
import {
  familyOf,
  finishState,
  isIntact,
  newName,
  notePath,
  readNote,
  removeState,
  statePath,
  unfinishedPath,
} from './state-file.ts'
import type { ChatOf, SavedState, StateKind } from './state-file.ts'

/** The members of a sequence that are needed to save and restore it. */
type Savable = Pick<
  LlamaContextSequence,
  | 'contextSize'
  | 'contextTokens'
  | 'needsCheckpoints'
  | 'clearHistory'
  | 'saveStateToFile'
  | 'loadStateFromFile'
>

/** Evaluated prompts on disk. Nothing here throws: at worst a prompt is evaluated again. */
export type StateStore = {
  /**
   * Return how many of the first tokens are saved or about to be. `sessionId` excludes other chats'
   * histories.
   */
  covered(sequence: Savable, tokens: readonly Token[], sessionId?: string): Promise<number>
  /**
   * Fill a sequence with the state that shares the longest prefix with `tokens`, if that is clearly more than
   * the `held` tokens it already has. For the chat's own history, slightly more is enough. Returns the number
   * of shared tokens; 0 if the sequence is unchanged or empty. The caller erases any tokens beyond them.
   */
  restore(sequence: Savable, tokens: readonly Token[], held: number, sessionId?: string): Promise<number>
  /** Return the replies of a chat, in the tokens that the model wrote; empty if its history is not saved. */
  repliesOf(sessionId: string): Promise<readonly Reply[]>
  /**
   * Save the tokens of a sequence. When this resolves, the sequence may be used again although the file is
   * still being finished. `usedAt` is when the chat was last used, by default now.
   */
  save(sequence: Savable, kind: StateKind, chat?: ChatOf, usedAt?: number): Promise<void>
  /** The problem since the last call. Reported only once per store. */
  trouble(): string | undefined
  /** Wait until everything is written. */
  close(): Promise<void>
}

/** Minimum number of tokens worth saving. Fewer are evaluated about as fast as they are saved or read. */
export const worthRestoring = 256
/** Minimum gain from a chat's own history, in tokens. Lower: the rest of it need not be evaluated either. */
const worthContinuing = 16

/**
 * Open the store of a model. `settings` are everything besides the model that a state depends on: the library
 * version and the shape of the context.
 */
export function openStateStore(
  { folder, maxBytes, model }: StateFolder,
  settings: Record<string, unknown>,
): StateStore {
  const key = JSON.stringify({ model, ...settings })
  const family = familyOf(key)
  const known = new Map<string, SavedState>()
  const refused = new Set<string>()
  let unfinished: readonly Omit<SavedState, 'checksum'>[] = []
  let writing = removeOutdated(folder, settings['library'])
  let bytesPerToken = 0
  let trouble: { text: string; isTold: boolean } | undefined

  /** List the states that fit this model. Read each time: another process may add or delete some. */
  const list = async (): Promise<SavedState[]> => {
    const files = await readdir(folder).catch(() => [])
    const names = notesIn(files).filter(name => name.startsWith(family) && !refused.has(name))
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
    for (const name of names) {
      if (known.has(name)) continue
      const state = await readNote(folder, name, key)
      if (state) known.set(name, state)
      else await refuse(name)
    }
    return [...known.values()]
  }

  const refuse = async (name: string) => {
    refused.add(name)
    known.delete(name)
    await removeState(folder, name)
  }

  const load = async (sequence: Savable, state: SavedState): Promise<boolean> => {
    if (!(await isIntact(folder, state))) return false
    await sequence.clearHistory()
    try {
      await sequence.loadStateFromFile(statePath(folder, state.name), { acceptRisk: true })
      if (isSame(sequence.contextTokens, state.tokens)) return true
    } catch {
      // The library rejected the state, without a useful message. The prompt is evaluated instead.
    }
    await sequence.clearHistory()
    return false
  }

  const fail = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    trouble ??= { text: `What was evaluated could not be saved in ${folder}: ${reason}`, isTold: false }
  }

  const finish = async (state: Omit<SavedState, 'checksum'>, usedAt: number) => {
    try {
      const saved = await finishState(folder, key, state)
      await setTime(state.name, usedAt)
      // Earlier states of the same chat are obsolete.
      for (const { name, kind, tokens, chat } of state.kind === 'chat' ? await list() : []) {
        const isStart = commonTokens(tokens, state.tokens) === tokens.length
        const isOlder = kind === 'chat' && (chat ? chat.sessionId === state.chat?.sessionId : isStart)
        if (isOlder && name !== state.name) await removeState(folder, name)
      }
      if (state.chat) await removeElsewhere(folder, { model, family, sessionId: state.chat.sessionId })
      known.set(saved.name, saved)
      await cleanFolder(folder, maxBytes)
    } catch (error) {
      fail(error)
      await rm(unfinishedPath(folder, state.name), { force: true }).catch(() => undefined)
      await removeState(folder, state.name)
    } finally {
      unfinished = unfinished.filter(each => each !== state)
    }
  }

  const setTime = async (name: string, at: number) => {
    const time = new Date(at)
    await utimes(notePath(folder, name), time, time).catch(() => undefined)
  }

  return {
    async covered(sequence, tokens, sessionId) {
      const states = [...(await list()), ...unfinished].filter(
        ({ kind, chat }) => kind === 'prompt' || sessionId === undefined || chat?.sessionId === sessionId,
      )
      return Math.max(0, ...states.map(state => usable(state.tokens, tokens, sequence)))
    },
    async repliesOf(sessionId) {
      await writing
      return (await list()).findLast(({ chat }) => chat?.sessionId === sessionId)?.chat?.replies ?? []
    },
    async restore(sequence, tokens, held, sessionId) {
      if (tokens.length - held <= worthContinuing) return 0
      await writing
      const gain = ({ chat }: SavedState) =>
        chat && chat.sessionId === sessionId ? worthContinuing : worthRestoring
      for (;;) {
        const states = (await list()).map(state => ({
          state,
          common: usable(state.tokens, tokens, sequence),
        }))
        const best = states.toSorted((a, b) => b.common - a.common)[0]
        if (!best || best.common < held + gain(best.state)) return 0
        const { name } = best.state
        if (await load(sequence, best.state)) {
          await setTime(name, Date.now())
          return best.common
        }
        await refuse(name)
        held = Math.min(held, commonTokens(sequence.contextTokens, tokens))
      }
    },
    async save(sequence, kind, chat, usedAt = Date.now()) {
      const tokens = Uint32Array.from(sequence.contextTokens)
      const limit = kind === 'chat' ? maxBytes * chatShare : maxBytes
      if (tokens.length * bytesPerToken > limit) return
      const name = newName(key, kind)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const { fileSize } = await sequence.saveStateToFile(unfinishedPath(folder, name))
        bytesPerToken = fileSize / tokens.length
        const state = { name, kind, tokens, bytes: fileSize, chat }
        unfinished = [...unfinished, state]
        writing = writing.then(() => finish(state, usedAt))
      } catch (error) {
        fail(error)
        await rm(unfinishedPath(folder, name), { force: true }).catch(() => undefined)
      }
    },
    trouble() {
      if (!trouble || trouble.isTold) return undefined
      trouble.isTold = true
      return trouble.text
    },
    close: () => writing,
  }
}

/** Return how many tokens of a prompt a state covers. The last one must be evaluated, to predict the next. */
function usable(state: Uint32Array, tokens: readonly Token[], sequence: Savable): number {
  if (state.length > sequence.contextSize) return 0
  const common = Math.min(commonTokens(state, tokens), tokens.length - 1)
  // Some architectures cannot erase only an end.
  return sequence.needsCheckpoints && common < state.length ? 0 : common
}

/** Return the length of the common prefix of two lists. */
function commonTokens(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return at
  return length
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && commonTokens(a, b) === a.length
