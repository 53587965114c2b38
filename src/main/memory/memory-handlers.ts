import type { HostHandlers } from '../../shared/contract/index.ts'
import type { MemoryProject, MemoryRevision, MemoryTarget } from '../../shared/contract/learned/memory.ts'
import { Fault } from '../../shared/rpc.ts'
import type { ConfigHandle } from '../config/load.ts'
import { findEntries } from './find-entries.ts'
import type { ChangedBy } from './plan-change.ts'
import type { Place } from './note-files.ts'
import type { Memory } from './open-memory.ts'
import { memoryBlock } from './memory-block.ts'
import { resolveAsked } from '../files/workspace.ts'
import { isRefusal } from '../lib/expected-errors.ts'

type Parts = {
  memory: Memory
  config: ConfigHandle
  workspace: string
  count: (text: string) => number
  /** Where the notes of a chat are: with its folder, or with its project. */
  notesOf: (sessionId: string, folder: string) => string | MemoryProject
  isTemporary: (sessionId: string) => boolean
}

const YOU: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }

const NOTHING_REMEMBERED =
  'This chat is temporary, so nothing from it is remembered. Keep the chat first, or add the entry on the Memory page.'

/** Handlers for the notebook: view it, change it and undo changes. */
export function memoryHandlers({ memory, config, workspace, count, notesOf, isTemporary }: Parts) {
  /** Only notes have projects, and only a known project has a file. */
  function placeOf(target: MemoryTarget, project: string | null): Place {
    if (project === null) return { target, project }
    if (target !== 'memory')
      throw new Fault('bad_input', 'Facts about you apply everywhere, not in one folder or project.')
    return { target, project: knownProject(project).id }
  }

  function knownProject(id: string): MemoryProject {
    const known = memory.projects().find(each => each.id === id)
    if (!known) throw new Fault('not_found', 'There are no notes for this folder or project.')
    return known
  }

  /** The id of a chat's project in the notebook; null if it has no project. */
  function projectOfChat(sessionId: string): string | null {
    const at = notesOf(sessionId, workspace)
    return typeof at === 'string' ? null : memory.project(at).id
  }

  return {
    'memory.view'() {
      const { use_in_chats: useInChats, learn_from_chats: learnFromChats } = config.current.memory
      return { ...memory.view(), useInChats, learnFromChats }
    },
    'memory.archive': options => memory.archive(options),
    'memory.history': options => memory.history(options),
    'memory.find': ({ words }) => findEntries(memory.view().entries, words),
    async 'memory.add'({ target, project, folder, inProjectOf, text, source }) {
      if ([source?.sessionId, inProjectOf].some(each => each !== undefined && isTemporary(each)))
        throw new Fault('bad_input', NOTHING_REMEMBERED)
      const by: ChangedBy = {
        ...YOU,
        sessionId: source?.sessionId ?? null,
        messageId: source?.messageId ?? null,
      }
      const place = placeOf(
        target,
        folder !== undefined
          ? memory.project(await resolveAsked(folder)).id
          : inProjectOf !== undefined && target === 'memory'
            ? projectOfChat(inProjectOf)
            : project,
      )
      return done(memory.change([{ kind: 'add', ...place, text }], by))
    },
    'memory.edit': ({ id, text, expected }) =>
      done(memory.change([{ kind: 'edit', id, text, expected }], YOU)),
    'memory.remove': ({ ids }) =>
      done(
        memory.change(
          ids.map(id => ({ kind: 'remove', id })),
          YOU,
        ),
      ),
    'memory.merge': entries => done(memory.merge(entries, YOU)),
    'memory.lock': ({ ids, locked }) =>
      done(
        memory.change(
          ids.map(id => ({ kind: 'lock', id, locked })),
          YOU,
        ),
      ),
    'memory.move'({ ids, target, project }) {
      const place = placeOf(target, project)
      return done(
        memory.change(
          ids.map(id => ({ kind: 'move', id, ...place })),
          YOU,
        ),
      )
    },
    'memory.restore': ({ revisionId, version }) => done(memory.restore(revisionId, version, YOU)),
    'memory.undo': ({ revisionIds }) => done(memory.undo(revisionIds, YOU)),
    'memory.preview'({ workspace: folder = workspace, project }) {
      const text = memoryBlock(memory.forChat(project === undefined ? folder : knownProject(project)))
      return { text, tokens: count(text) }
    },
    'memory.resolve': ({ id, keep }) => done(memory.resolve(id, keep)),
    'memory.settle': choice => done(memory.settle(choice)),
    'memory.setSwitches'({ useInChats, learnFromChats }) {
      if (useInChats !== undefined) config.set('memory.use_in_chats', useInChats)
      if (learnFromChats !== undefined) config.set('memory.learn_from_chats', learnFromChats)
      return {}
    },
    'memory.forgetAll'() {
      const ids = memory.view().entries.map(entry => entry.id)
      return done(
        memory.change(
          ids.map(id => ({ kind: 'remove', id })),
          YOU,
        ),
      )
    },
    'memory.ofChat': ({ sessionId }) => ({
      entries: memory.view().entries.filter(entry => entry.sessionId === sessionId),
    }),
  } satisfies Partial<HostHandlers>
}

/** Turn a refusal into a Fault with the same text. */
function done(outcome: ReturnType<Memory['change']>): { revisions: MemoryRevision[] } {
  if (isRefusal(outcome)) {
    const reason = [outcome.refused, outcome.more].filter(each => each !== undefined).join(' ')
    throw new Fault(outcome.conflict ? 'conflict' : 'bad_input', reason)
  }
  return { revisions: outcome.revisions }
}
