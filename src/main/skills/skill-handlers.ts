import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import type { ConfigHandle } from '../config/load.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import { isWithin } from './library/walk-roots.ts'
import { realFolder } from './library/walk-skill.ts'
import { digestOf, hashContent } from './library/skill-files.ts'
import { lintSkill } from './files/lint-skill.ts'
import { readSkillText } from './files/read-skill.ts'
import { writeFields } from './files/write-fields.ts'
import type { Library, LibrarySkill, SkillBy, SkillEditor, SkillRefusal, Imports } from './skill-types.ts'
import type { Store } from '../db/store.ts'
import { resolveAsked } from '../files/workspace.ts'
import { decodeText as decodeAny } from '../lib/encodings/decode-text.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { decodeText } from './library/skill-files.ts'
import { exportSkills } from './import/export-skills.ts'
import { chooseSkill, type Ask, secondOpinion } from './ask-about-skill.ts'
import { sampleQuestions } from './sample-questions.ts'

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
    if (!known) throw new Fault('not_found', 'This skill no longer exists.')
    return known
  }

  return {
    async 'skills.list'() {
      const skills = await library.listInSlices()
      const { use_in_chats: useInChats, learn_from_chats: learnFromChats } = config.current.skills
      return {
        skills: skills.map(each => each.skill),
        unreadable: library.unreadable(),
        projects: library.projects(),
        links: config.current.skills.allowed_links.map(target => ({
          target,
          skills: skills.filter(({ found: { linked } }) => linked !== undefined && isWithin(target, linked))
            .length,
        })),
        useInChats,
        learnFromChats,
        bundles: store.skills.bundles(),
        deleted: store.skills.deleted().map(shownRevision),
      }
    },
    async 'skills.get'({ id }, signal: AbortSignal) {
      await library.scanFirst(id, signal)
      // Scan first: findings change the state. Digest before that, so that a later change has another hash.
      const { folder, main } = found(id).found
      const seen = hashContent(id, digestOf(folder, main))
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
        ...library.policy(id),
        folder: known.found.folder,
        original: originalOf(library, known),
        seen,
      }
    },
    'skills.file'({ id, path }) {
      found(id)
      return shownFile(library.file(id, path))
    },
    'skills.check': async ({ text, name, scan }, signal: AbortSignal) => ({
      issues: lintSkill(text),
      fields: readSkillText(text, name ?? '').fields,
      tokens: count(text),
      scan: scan ? await library.scanTexts([{ path: 'SKILL.md', text }], signal) : null,
    }),
    'skills.setFields': ({ text, fields }) => ({ text: writeFields(text, withoutUndefined(fields)) }),
    'skills.create': ({ despite = false, ...skill }) => done(editor.create(skill, YOU, { despite })),
    async 'skills.save'({ id, path, text, expected, despite = false }, signal: AbortSignal) {
      // Saving scans the whole skill synchronously, so the long texts are scanned beforehand.
      await library.scanFirst(id, signal)
      await library.scanTexts([{ path, text }], signal)
      return done(editor.save({ id, path, text, expected }, YOU, { despite }))
    },
    'skills.removeFile': change => done(editor.removeFile(change, YOU)),
    'skills.remove': ({ ids }) => done(editor.remove(ids, YOU)),
    'skills.reset': ({ id }) => done(editor.reset(id, YOU)),
    async 'skills.setEnabled'({ ids, enabled, ...how }, signal: AbortSignal) {
      // Whether a skill may be switched on depends on its scan.
      for (const id of enabled ? ids : []) await library.scanFirst(id, signal)
      return done(editor.setEnabled(ids, enabled, YOU, how))
    },
    'skills.setPinned': ({ ids, pinned }) => done(editor.setPinned(ids, pinned, YOU)),
    'skills.history'(options) {
      const { revisions, more } = store.skills.history(options)
      return { revisions: revisions.map(shownRevision), more }
    },
    'skills.undo': ({ revisionIds }) => done(editor.undo(revisionIds, YOU)),
    'skills.restore': ({ revisionId, version }) => done(editor.restore(revisionId, version, YOU)),
    'skills.uses': ({ key, limit }) => ({ uses: store.skills.uses(key, limit) }),
    'skills.setSwitches'({ useInChats, learnFromChats }) {
      if (useInChats !== undefined) config.set('skills.use_in_chats', useInChats)
      if (learnFromChats !== undefined) config.set('skills.learn_from_chats', learnFromChats)
      return {}
    },
    'skills.allowLink'({ target, allowed }) {
      const others = config.current.skills.allowed_links.filter(each => each !== target)
      // Allow only the target of an existing link: an invented path could permit more than the user saw.
      if (allowed && !library.unreadable().some(each => each.target === target))
        throw new Fault('not_found', `No link in your folder of skills waits for ${showHidden(target)}.`)
      config.set('skills.allowed_links', allowed ? [...others, target] : others)
      return {}
    },
    async 'skills.trust'({ folder, trusted }) {
      const path = trusted ? await resolveAsked(folder) : realFolder(folder)
      // The user was shown a path. If a link has replaced it in the meantime, it is another folder.
      if (trusted && path !== folder)
        throw new Fault(
          'conflict',
          `${showHidden(folder)} links to ${showHidden(path)}, which was not shown to you, so nothing was done. Trust that folder instead if you mean it.`,
        )
      const others = config.current.skills.trusted_projects.filter(each => each !== path && each !== folder)
      config.set('skills.trusted_projects', trusted ? [...others, path] : others)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** Turn a refusal into a Fault with the same text and the findings of the scan. */
function done<T extends object>(outcome: T | SkillRefusal): T {
  if (isRefusal(outcome)) {
    const { refused, conflict, scan, seen } = outcome
    throw new Fault(conflict ? 'conflict' : 'bad_input', refused, scan && { scan, seen })
  }
  return tidy(outcome)
}

/** A file to show in the window, with its text unless it is binary or too long. */
function shownFile(file: { bytes: Uint8Array } | Refusal) {
  if (isRefusal(file)) throw new Fault('bad_input', file.refused)
  const { length: bytes } = file.bytes
  const text = bytes > MOST_SHOWN_BYTES ? null : textOf(file.bytes)
  return { text, bytes, binary: bytes <= MOST_SHOWN_BYTES && text === null }
}

/** A revision without the fields that are internal to the store. */
export function shownRevision<R extends { id: number }>({ ...revision }: R): Omit<R, 'skillId' | 'archive'> {
  const {
    skillId: _skillId,
    archive: _archive,
    ...rest
  } = revision as R & { skillId?: string; archive?: string }
  return rest
}

const tidy = <T extends object>(outcome: T): T =>
  'revisions' in outcome
    ? { ...outcome, revisions: (outcome.revisions as { id: number }[]).map(shownRevision) }
    : outcome

/** The original SKILL.md of an edited copy. */
function originalOf(library: Library, { skill }: LibrarySkill): string | null {
  if (!skill.isEdited) return null
  const below = library.list().find(each => each.skill.shadowedBy === skill.id && !each.skill.isOwn)
  return below ? (library.read(below.skill.id) ?? null) : null
}

/** The text that the editor sends back; null if its encoding is uncertain, since saving would garble it. */
function textOf(bytes: Uint8Array): string | null {
  const whole = Buffer.from(bytes)
  const read = decodeAny(whole)
  const text = read?.exact && !read.isUnsure ? decodeText(whole) : undefined
  return text === undefined || text.includes('\0') ? null : text
}

const withoutUndefined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

type ImportParts = {
  library: Library
  imports: Imports
  workspace: string
  indexOf(workspace: string, contextTokens: number): string
  /** The model for single questions outside chats; without an id, the default model. */
  asking(modelId: string | undefined): Promise<{ name: string; ask: Ask } | Refusal>
}

/** Import and export skills, and ask a model about them. */
export function skillImportHandlers({ library, imports, workspace, indexOf, asking }: ImportParts) {
  const found = (id: string) => {
    const known = library.get(id)
    if (!known) throw new Fault('not_found', 'This skill no longer exists.')
    return known
  }
  async function model(modelId: string | undefined) {
    const asked = await asking(modelId)
    if (isRefusal(asked)) throw new Fault('not_ready', asked.refused)
    return asked
  }

  return {
    'skills.fetch': ({ from }, signal) => imports.fetch(from, signal),
    'skills.install': async ({ importId, choices }) =>
      done(await imports.install(importId, choices, { ...YOU, actor: 'import' })),
    'skills.importFile': ({ importId, candidate, path }) =>
      shownFile(imports.file(importId, candidate, path)),
    async 'skills.discard'({ importId }) {
      await imports.discard(importId)
      return {}
    },
    'skills.update': async ({ id }, signal) => ({ import: await imports.update(id, signal) }),
    'skills.export'({ ids }) {
      const { name, bytes } = exportSkills(ids.map(id => found(id).found))
      return { name, base64: Buffer.from(bytes).toString('base64') }
    },
    async 'skills.secondOpinion'({ id, modelId }, signal) {
      const { name, ask } = await model(modelId)
      const { skill, found: onDisk } = found(id)
      const files = onDisk.parts.flatMap(({ path }) => {
        const file = library.file(id, path)
        if (isRefusal(file)) return []
        const whole = Buffer.from(file.bytes)
        return [{ path, text: decodeText(whole) ?? whole.toString('utf8') }]
      })
      const opinion = await secondOpinion(ask, { name: skill.name, files }, signal)
      if (isRefusal(opinion)) throw new Fault('not_ready', opinion.refused)
      return { model: name, ...opinion }
    },
    'skills.samples'({ id }) {
      const { skill } = found(id)
      return {
        samples: sampleQuestions(
          skill,
          library.list().map(each => each.skill),
        ),
      }
    },
    async *'skills.tryTrigger'({ id, samples, modelId }, signal) {
      const { name, ask } = await model(modelId)
      const { skill } = found(id)
      const index = indexOf(skill.project ?? workspace, SAMPLE_WINDOW)
      for (const sample of samples) {
        if (signal.aborted) return
        const choice = await chooseSkill(ask, { index, sample }, signal)
        if (isRefusal(choice)) throw new Fault('not_ready', choice.refused)
        const { chosen, unclear } = choice
        yield { sample, chosen, isThis: chosen === skill.name, unclear, model: name }
      }
    },
  } satisfies Partial<HostHandlers>
}

/** Context window in tokens for which a trial builds the skill index. */
const SAMPLE_WINDOW = 8_192
