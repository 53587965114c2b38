import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import type { ConfigHandle } from '../config/load.ts'
import { lintSkill } from './files/lint.ts'
import { readSkillText } from './files/read-skill.ts'
import { writeFields } from './files/write-fields.ts'
import { scanSkill } from './check/scan-skill.ts'
import type { Library, LibrarySkill, SkillBy, SkillEditor, SkillRefusal } from './types.ts'
import type { Store } from '../db/store.ts'
import { resolveAsked } from '../app/workspace.ts'

type Parts = {
  library: Library
  editor: SkillEditor
  store: Pick<Store, 'skills'>
  config: ConfigHandle
  count: (text: string) => number
}

/** The user, in the window or a terminal. */
export const YOU: SkillBy = { actor: 'you', note: '', sessionId: null, messageId: null, reviewId: null }

const MOST_SHOWN_BYTES = 1_000_000

/** The library of skills: view it, change it and undo changes. */
export function skillHandlers(parts: Parts) {
  const { library, editor, store, config, count } = parts
  const found = (id: string): LibrarySkill => {
    const known = library.get(id)
    if (!known) throw new Fault('not_found', 'This skill does not exist any more.')
    return known
  }

  return {
    'skills.list'() {
      const { use_in_chats: useInChats, learn_from_chats: learnFromChats } = config.current.skills
      return {
        skills: library.list().map(each => each.skill),
        unreadable: library.unreadable(),
        projects: library.projects(),
        useInChats,
        learnFromChats,
        deleted: store.skills.deleted().map(shown),
      }
    },
    'skills.get'({ id }) {
      // Scan first: the findings change the state of the skill.
      found(id)
      const scan = library.scan(id)
      const known = found(id)
      const text = library.read(id) ?? ''
      const read = readSkillText(text, known.skill.name)
      return {
        skill: known.skill,
        text,
        body: read.body,
        bodyLine: read.bodyLine,
        fields: read.fields,
        files: known.found.parts,
        issues: lintSkill(text, { folder: known.found.folder }),
        scan,
        folder: known.found.folder,
        original: originalOf(library, known),
      }
    },
    'skills.file'({ id, path }) {
      found(id)
      return shownFile(library.file(id, path))
    },
    'skills.check': ({ text, name, scan }) => ({
      issues: lintSkill(text),
      fields: readSkillText(text, name ?? '').fields,
      tokens: count(text),
      scan: scan ? scanSkill([{ path: 'SKILL.md', text }]) : null,
    }),
    'skills.setFields': ({ text, fields }) => ({ text: writeFields(text, withoutUndefined(fields)) }),
    'skills.create': ({ despite, ...skill }) => done(editor.create(skill, YOU, { despite })),
    'skills.save'({ id, path, text, expected, despite }) {
      return done(editor.save({ id, path, text, expected }, YOU, { despite }))
    },
    'skills.removeFile': change => done(editor.removeFile(change, YOU)),
    'skills.remove': ({ ids }) => done(editor.remove(ids, YOU)),
    'skills.reset': ({ id }) => done(editor.reset(id, YOU)),
    'skills.setEnabled': ({ ids, enabled, accept }) => done(editor.setEnabled(ids, enabled, YOU, { accept })),
    'skills.history'(options) {
      const { revisions, more } = store.skills.history(withoutUndefined(options))
      return { revisions: revisions.map(shown), more }
    },
    'skills.undo': ({ revisionIds }) => done(editor.undo(revisionIds, YOU)),
    'skills.restore': ({ revisionId, version }) => done(editor.restore(revisionId, version, YOU)),
    'skills.uses': ({ key, limit }) => ({ uses: store.skills.uses(key, limit) }),
    'skills.setSwitches'({ useInChats, learnFromChats }) {
      if (useInChats !== undefined) config.set('skills.use_in_chats', useInChats)
      if (learnFromChats !== undefined) config.set('skills.learn_from_chats', learnFromChats)
      return {}
    },
    async 'skills.trust'({ folder, trusted }) {
      const path = trusted ? await resolveAsked(folder) : folder
      const others = config.current.skills.trusted_projects.filter(each => each !== path)
      config.set('skills.trusted_projects', trusted ? [...others, path] : others)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** A refusal becomes a Fault with the same text and the findings of the scan. */
export function done<T extends object>(outcome: T | SkillRefusal): T {
  if ('refused' in outcome) {
    const { refused, conflict, scan } = outcome
    throw new Fault(conflict ? 'conflict' : 'bad_input', refused, scan && { scan })
  }
  return tidy(outcome)
}

/** A file for the window, with its text unless it is binary or too long. */
export function shownFile(file: { bytes: Uint8Array } | { refused: string }) {
  if ('refused' in file) throw new Fault('bad_input', file.refused)
  const { length: bytes } = file.bytes
  const text = bytes > MOST_SHOWN_BYTES ? null : textOf(file.bytes)
  return { text, bytes, binary: bytes <= MOST_SHOWN_BYTES && text === null }
}

/** A revision without the fields that are internal to the store. */
function shown<R extends { id: number }>({ ...revision }: R): Omit<R, 'skillId' | 'archive'> {
  const {
    skillId: _skillId,
    archive: _archive,
    ...rest
  } = revision as R & { skillId?: string; archive?: string }
  return rest
}

const tidy = <T extends object>(outcome: T): T =>
  'revisions' in outcome
    ? { ...outcome, revisions: (outcome.revisions as { id: number }[]).map(shown) }
    : outcome

/** The original SKILL.md of an edited copy. */
function originalOf(library: Library, { skill }: LibrarySkill): string | null {
  if (!skill.isEdited) return null
  const below = library.list().find(each => each.skill.shadowedBy === skill.id && !each.skill.isOwn)
  return below ? (library.read(below.skill.id) ?? null) : null
}

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

const withoutUndefined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
